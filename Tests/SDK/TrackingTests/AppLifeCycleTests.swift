import Foundation
import LogFixtures
import Testing
import TrackerFixtures
import TrackingCore

@testable import Tracking

@Suite("Life cycle of an app", .timeLimit(.minutes(5)))
struct AppLifeCycleTests {
    private let sent = SentEvents()
    private let time = BackgroundTimeDouble()
    private var lifeCycle: AppLifeCycle { AppLifeCycle(sent.tracker, backgroundTime: time) }

    private func scene(_ object: AnyObject) -> AppPresence.Scene { .scene(ObjectIdentifier(object)) }
    private final class Window: Sendable {}

    @Test("each activation sends launch, entering the background sends background, each once")
    func transitions() {
        let phases: [AppPresence.Phase] = [
            .inactive, .active, .active, .inactive, .active, .inactive, .background, .background, .inactive, .active,
        ]
        for phase in phases { lifeCycle.app(changedTo: phase) }
        #expect(sent.names == ["launch", "launch", "background", "launch"])
    }

    @Test("an app that is started in the background has not entered it")
    func startedInBackground() {
        lifeCycle.app(changedTo: .background)
        #expect(sent.names == [])
    }

    @Test("an app with two scenes is active if either is, and in the background if both are")
    func scenes() {
        let (first, second) = (Window(), Window())
        lifeCycle.scene(scene(first), changedTo: .active)
        lifeCycle.scene(scene(second), changedTo: .active)
        #expect(sent.names == ["launch"])
        lifeCycle.scene(scene(first), changedTo: .background)
        #expect(sent.names == ["launch"])
        lifeCycle.scene(scene(second), changedTo: .inactive)
        lifeCycle.scene(scene(second), changedTo: .background)
        #expect(sent.names == ["launch", "background"])
        lifeCycle.scene(scene(second), changedTo: .active)
        #expect(sent.names == ["launch", "background", "launch"])
    }

    @Test("a closed scene does not keep the app active")
    func disconnectedScene() {
        let (first, second) = (Window(), Window())
        lifeCycle.scene(scene(first), changedTo: .active)
        lifeCycle.scene(scene(second), changedTo: .background)
        lifeCycle.scene(scene(first), changedTo: nil)
        #expect(sent.names == ["launch", "background"])
    }

    @Test("releasing a scene's life cycle closes the scene")
    func releasedScene() {
        var scene: SceneLifeCycle? = SceneLifeCycle(lifeCycle)
        scene?.changed(to: .active)
        #expect(sent.names == ["launch"])
        scene = nil
        #expect(sent.names == ["launch", "background"])
    }

    @Test("an observer is notified of each transition, after its event, and of links")
    func observer() throws {
        let observer = NotedLifeCycle()
        let lifeCycle = AppLifeCycle(sent.tracker, observer: observer)
        for phase in [AppPresence.Phase.inactive, .active, .active, .background] { lifeCycle.app(changedTo: phase) }
        lifeCycle.openedLink(try #require(URL(string: "https://shop.example/a")), referrer: nil)
        #expect(observer.calls == ["active", "background", "https://shop.example/a from nowhere"])
    }

    @Test("several life cycles of a tracker report one app")
    func sharedPresence() {
        lifeCycle.app(changedTo: .active)
        AppLifeCycle(sent.tracker).app(changedTo: .active)
        #expect(sent.names == ["launch"])
    }

    @Test("on entering the background, events are delivered while an assertion is held")
    func delivery() async throws {
        let heldAtDelivery = Counts()
        sent.onDelivery { [time] in heldAtDelivery.add(time.held.count) }
        #expect(lifeCycle.app(changedTo: .active) == nil)
        let delivery = try #require(lifeCycle.app(changedTo: .background))
        #expect(time.begun == ["Delivering tracked events"])
        await delivery.value
        #expect(sent.deliveredCount == 2)
        #expect(heldAtDelivery.all == [1])
        #expect(time.held == [])
    }

    @Test("the assertion ends when the system revokes the time, while the delivery continues")
    func expiry() async throws {
        sent.onDelivery { [time] in time.advance(by: .seconds(30)) }
        lifeCycle.app(changedTo: .active)
        time.enterBackground(for: .seconds(30))
        await lifeCycle.app(changedTo: .background)?.value
        #expect(sent.deliveredCount == 2)
        #expect(time.held == [])
    }

    @Test("events are delivered even if the system grants no time")
    func noTime() async {
        time.enterBackground(for: .zero)
        lifeCycle.app(changedTo: .active)
        await lifeCycle.app(changedTo: .background)?.value
        #expect(time.begun == [])
        #expect(sent.deliveredCount == 2)
    }
}
