import Testing
import TrackingCore
import TrackingDomainEvents

@testable import TrackingTesting

@Suite("Passing expectations")
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

    @Test("at least these, in this order; other events are left to later expectations")
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

    @Test("events during a block, and its result")
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
        app.tracking.send(PageView(page: "detail"))
        app.recorder.expectSteps(.route(TestedApp.Route.detail(3)), .event(PageView(page: "detail")))
    }

    @Test("a route command comes before what it causes")
    func causes() {
        let subscription = app.environment.route.store.subscribe { _ in app.tracking.send(PageView(page: "home")) }
        app.environment.show(.home)
        app.recorder.expectSteps(.route(TestedApp.Route.home), .event(PageView(page: "home")))
        subscription.cancel()
    }

    @Test("drops and the device's id are steps, too")
    func otherSteps() async throws {
        let app = TestedApp(TrackingRecorder(validatingAgainst: nil))
        app.tracking.reset()
        try await app.tracking.setConsent(.denied)
        app.tracking.send(.launch)
        app.recorder.expectSteps(.device, .drop(of: "launch", .optedOut))
        #expect(app.recorder.steps.count == 2)
    }

    @Test("reading steps or drops asserts nothing; skipping them does")
    func reading() {
        let found = failures {
            let app = TestedApp(TrackingRecorder(validatingAgainst: nil))
            app.tracking.send(.launch)
            app.tracking.send(.search(query: "", page: 1))
            let recorder = app.recorder
            #expect(recorder.fired == [FiredEvent(.launch)] && recorder.containers.count == 1)
            #expect(recorder.diagnostics.count == 2 && recorder.steps.count == 3)
            recorder.expectNothingElse()
            app.tracking.send(.background)
            recorder.skipRecorded()
            recorder.expectNothingElse()
        }
        #expect(found.map { $0.text.split(separator: "\n").count } == [5])
    }

    @Test("events may use literals, alone, in lists and with blocks")
    func literals() async {
        let (tracking, recorder) = (app.tracking, app.recorder)
        func fire() { tracking.send(.productViewed(id: "42", members: ["a": [1, nil]])) }
        fire()
        recorder.expect(.productViewed(id: "42", members: ["a": [1, nil]]))
        fire()
        tracking.send(.notification(identifier: "b", userInfo: ["c": 1]))
        recorder.expect(
            .productViewed(id: "42", members: ["a": [1, nil]]), .notification(identifier: "b", userInfo: ["c": 1]))
        recorder.expect(.productViewed(id: "42", members: ["a": [1, nil]])) { fire() }
        await recorder.expect(.productViewed(id: "42", members: ["a": [1, nil]])) {
            await Task.yield()
            fire()
        }
        fire()
        recorder.expectAtLeast(.productViewed(id: "42", members: ["a": [1, nil]]))
        for _ in 1...7 { tracking.send(.launch) }
        recorder.expect(.launch, .launch, .launch, .launch, .launch, .launch, .launch)
    }

    @Test("computed lists")
    func computed() {
        for page in 1...3 { app.tracking.send(.search(query: "flux", page: page)) }
        app.recorder.expect(contentsOf: (1...3).map { Search(query: "flux", page: $0) })
        for page in 1...2 { app.tracking.send(.search(query: "flux", page: page)) }
        app.recorder.expect(matching: (1...2).map { .any(Search.self, \.page, is: $0) })
        for number in 1...2 { app.environment.show(.detail(number)) }
        app.recorder.expectSteps((1...2).map { .route(TestedApp.Route.detail($0)) })
    }

    @Test("patterns and steps during a block")
    func patternsDuring() async {
        app.tracking.send(.launch)
        app.recorder.expect(matching: .any(Search.self), .any(Background.self)) {
            app.tracking.send(.search(query: "a", page: 1))
            app.tracking.send(.background)
        }
        let number = await app.recorder.expect(matching: .any(Search.self)) {
            await Task.yield()
            app.tracking.send(.search(query: "a", page: 1))
            return 3
        }
        app.environment.show(.home)
        app.recorder.expectSteps(.route(TestedApp.Route.detail(number)), .event(.background)) {
            app.environment.show(.detail(number))
            app.tracking.send(.background)
        }
        await app.recorder.expectSteps(.event(.background)) {
            await Task.yield()
            app.tracking.send(.background)
        }
        app.recorder.expectSteps(.event(.launch), .route(TestedApp.Route.home))
    }

    @Test("an exact expectation of events skips earlier route commands")
    func stepsAfterEvents() {
        app.environment.show(.home)
        app.tracking.send(PageView(page: "home"))
        app.recorder.expect(PageView(page: "home"))
        app.environment.show(.detail(3))
        app.tracking.send(PageView(page: "detail"))
        app.recorder.expectSteps(.route(TestedApp.Route.detail(3)), .event(PageView(page: "detail")))
    }

    @Test("an event comes before what its own store causes")
    func causedByEvents() {
        let subscription = app.environment.tracking.store.subscribe { _ in app.environment.show(.home) }
        app.tracking.send(.launch)
        app.recorder.expectSteps(.event(.launch), .route(TestedApp.Route.home))
        subscription.cancel()
    }

    @Test("an event that violates a limit of its schema is one drop; other diagnostics have a pattern")
    func diagnostics() {
        struct Broken: Error {}
        let app = TestedApp(TrackingRecorder(validatingAgainst: nil))
        app.tracking.send(.search(query: "", page: 1))
        app.recorder.expectSteps(.drop(of: "search", .outOfLimits))
        app.recorder.record(.log(Broken()))
        app.recorder.expectSteps(.diagnostic { if case .log(is Broken) = $0 { true } else { false } })
    }

    @Test("conditions may read the recorder")
    func conditions() {
        app.tracking.send(.search(query: "a", page: 2))
        let recorder = app.recorder
        recorder.expectCount(1, of: .any(Search.self) { $0.page == recorder.steps.count + 1 })
        app.tracking.send(.search(query: "a", page: 3))
        recorder.expectAtLeast(matching: .any(Search.self) { $0.page == recorder.steps.count + 1 })
    }

    @Test("skipped setup events belong to no expectation")
    func skipping() {
        app.tracking.send(.launch)
        app.environment.show(.home)
        app.recorder.skipRecorded()
        app.tracking.send(.background)
        app.recorder.expectSteps(.event(.background))
    }

    @Test("a second environment with the same recorder is the app after a restart")
    func restart() {
        app.tracking.send(.launch)
        let again = TrackingEnvironment<TestedApp.Route>.mock(recording: app.recorder)
        again.tracking.send(.background)
        let containers = app.recorder.containers
        #expect(Set(containers.map(\.userID)).count == 1)
        #expect(Set(containers.map(\.id)).count == 2 && containers.map(\.seq) == [1, 2])
        #expect(app.recorder.log.records.count == 2)
        app.recorder.expect(.launch, .background)
    }

    @Test("a non-exhaustive recorder requires nothing")
    func notExhaustive() {
        let app = TestedApp(TrackingRecorder(exhaustivity: .off))
        app.tracking.send(.launch)
    }
}

private struct ProductID: Encodable, ExpressibleByStringLiteral {
    let text: String
    init(stringLiteral text: String) { self.text = text }
}

private struct ProductViewed: TrackingEvent {
    static let name = "product-viewed"
    let id: ProductID
    let members: [String: JSONValue]
}

extension TrackingEvent where Self == ProductViewed {
    fileprivate static func productViewed(id: ProductID, members: [String: JSONValue]) -> Self {
        ProductViewed(id: id, members: members)
    }
}

/// A mock environment with its recorder.
struct TestedApp {
    enum Route: RouteCommand {
        case home
        case detail(Int)
    }

    let recorder: TrackingRecorder
    let environment: TrackingEnvironment<Route>
    var tracking: Tracker { environment.tracking }

    init(_ recorder: TrackingRecorder = TrackingRecorder()) {
        self.recorder = recorder
        environment = .mock(recording: recorder)
    }
}
