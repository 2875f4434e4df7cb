import Testing
import TrackingCore
import TrackingTesting

@testable import GitHubClient

extension FiringTests.LifeCycle {
    @Test("1: becoming active fires launch")
    func becomingActive() {
        AppLifeCycle(environment: environment).didBecomeActive()
        recorder.expect(.launch)
    }

    @Test("2: entering the background fires background")
    func enteringBackground() {
        AppLifeCycle(environment: environment).didEnterBackground()
        recorder.expect(.background)
    }
}
