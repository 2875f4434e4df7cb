import TestTimes
import Testing
import TrackingCore
import TrackingTesting

@testable import GitHubClient

/// The firing rules 1 to 17 by feature, in the order of `Behaviour.md`. The name of each test starts with the number of its
/// rule. The tests of a feature are in the file with the feature's name.
@Suite("Firing rules", .shuffled, .timed)
struct FiringTests {
    @Suite("Launch and background")
    struct LifeCycle: AppSuite { let app = TestApp() }

    @Suite("Notifications")
    struct Notifications: AppSuite { let app = TestApp() }

    @Suite("The search screen")
    struct SearchScreen: AppSuite { let app = TestApp() }

    @Suite("Pages of results")
    struct Paging {}

    @Suite("Failed requests")
    struct FailedRequests {}

    @Suite("The repository screen")
    struct Detail: AppSuite { let app = TestApp() }
}

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
