import Testing
import Tracking
import TrackingTesting

@Suite("Expectations that are met")
struct ExpectationTests {
    let app = TestedApp()

    @Test("exactly these events, in this order, since the last expectation")
    func exactly() {
        app.tracking.send(.launch)
        app.tracking.send(.search(query: "flux", page: 1))
        app.recorder.expect(.launch, .search(query: "flux", page: 1))
        app.recorder.expect()
        app.tracking.send(.background)
        app.recorder.expect(.background)
    }

    @Test("by type, by a property, by a condition")
    func partly() {
        app.tracking.send(.launch)
        app.tracking.send(.search(query: "flux", page: 2))
        app.tracking.send(.search(query: "flux", page: 3))
        app.recorder.expect(
            matching: .any(Launch.self), .any(Search.self, \.page, is: 2), .any(Search.self) { $0.page > 2 })
    }

    @Test("at least these, in this order; the others are for later expectations")
    func atLeast() {
        for page in 1...3 { app.tracking.send(.search(query: "flux", page: page)) }
        app.recorder.expectAtLeast(.search(query: "flux", page: 1), .search(query: "flux", page: 3))
        app.recorder.expect(.search(query: "flux", page: 2))
    }

    @Test("none, and counts")
    func counts() {
        app.tracking.send(.launch)
        app.tracking.send(.search(query: "a", page: 1))
        app.tracking.send(.search(query: "b", page: 1))
        app.recorder.expectNone(.any(Background.self))
        app.recorder.expectCount(2, of: .any(Search.self))
        app.recorder.expectCount(0, of: .any(Search.self))
        app.recorder.expect(.launch)
    }

    @Test("what fires during a block, and what it returns")
    func during() async {
        app.tracking.send(.launch)
        let number = app.recorder.expect(.search(query: "a", page: 1)) {
            app.tracking.send(.search(query: "a", page: 1))
            return 5
        }
        #expect(number == 5)
        let text = await app.recorder.expect(.background) {
            await Task.yield()
            app.tracking.send(.background)
            return "done"
        }
        #expect(text == "done")
        app.recorder.expect { #expect(number == 5) }
        app.recorder.expect(.launch)
    }

    @Test("the order across domains")
    func acrossDomains() {
        app.environment.show(.detail(3))
        app.tracking.send(.pageView("detail"))
        app.recorder.expectSteps(.route(TestedApp.Route.detail(3)), .event(.pageView("detail")))
    }

    @Test("a route command comes before what it causes")
    func causes() {
        let subscription = app.environment.route.store.subscribe { _ in app.tracking.send(.pageView("home")) }
        app.environment.show(.home)
        app.recorder.expectSteps(.route(TestedApp.Route.home), .event(.pageView("home")))
        subscription.cancel()
    }

    @Test("drops and the device's id are steps, too")
    func otherSteps() async {
        let app = TestedApp(TrackingRecorder(validatingAgainst: nil))
        app.environment.device.actionCreator.load()
        await app.tracking.setOptedOut(true)
        app.tracking.send(.launch)
        app.recorder.expectSteps(.device, .drop(of: "launch", .optedOut))
        #expect(app.recorder.steps.count == 2)
    }

    @Test("what is read counts as asserted, drops too")
    func reading() {
        app.tracking.send(.launch)
        #expect(app.recorder.fired == [FiredEvent(.launch)])
        let unchecked = TestedApp(TrackingRecorder(validatingAgainst: nil))
        unchecked.tracking.send(.search(query: "", page: 1))
        #expect(unchecked.recorder.diagnostics.count == 2)
    }

    @Test("nothing is asked of a recorder that is not exhaustive")
    func notExhaustive() {
        let app = TestedApp(TrackingRecorder(exhaustivity: .off))
        app.tracking.send(.launch)
    }
}
