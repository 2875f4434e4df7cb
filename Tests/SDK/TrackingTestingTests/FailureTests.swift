import Testing
import TrackingCore
import TrackingDomainEvents

@testable import TrackingTesting

/// Each failure is reported at the line of the expectation, with a text that shows the difference.
@Suite("Failing expectations")
struct FailureTests {
    private func golden(
        _ name: String, _ line: Int, _ app: TestedApp = TestedApp(), sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (TestedApp) -> Void
    ) throws {
        let found = failures { body(app) }
        try expectGolden(found, name, lines: [line], sourceLocation: sourceLocation)
        // A failure is reported once: its events count as asserted, or are skipped here.
        app.recorder.skipRecorded()
        #expect(found.allSatisfy { $0.file == "FailureTests.swift" }, sourceLocation: sourceLocation)
    }

    @Test("other events")
    func others() throws {
        try golden("other-events", #line + 5) { app in
            app.tracking.send(.launch)
            app.tracking.send(.search(query: "flux", page: 2))
            app.tracking.send(PageView(page: "home"))
            app.tracking.send(.background)
            app.recorder.expect(.launch, .search(query: "flux", page: 1), PageView(page: "home"), .launch)
        }
    }

    @Test("events in another order")
    func order() throws {
        try golden("other-order", #line + 3) { app in
            app.tracking.send(.background)
            app.tracking.send(.launch)
            app.recorder.expect(.launch, .background)
        }
    }

    @Test("unexpected events")
    func unexpected() throws {
        try golden("unexpected", #line + 2) { app in
            app.tracking.send(.launch)
            app.recorder.expect()
        }
    }

    @Test("missing events")
    func missing() throws {
        try golden("missing", #line + 1) { app in
            app.recorder.expect(.launch)
        }
    }

    @Test("patterns")
    func patterns() throws {
        try golden("patterns", #line + 2) { app in
            app.tracking.send(.search(query: "flux", page: 1))
            app.recorder.expect(
                matching: .any(Search.self, \.query, is: "swift"), .any(PageView.self), .any(Search.self) { _ in false }
            )
        }
    }

    @Test("a condition with a description")
    func condition() throws {
        try golden("condition", #line + 2) { app in
            app.tracking.send(.search(query: "flux", page: 1))
            app.recorder.expect(matching: .any(Search.self, "page is even") { $0.page.isMultiple(of: 2) })
        }
    }

    @Test("a missing event that was dropped")
    func dropped() throws {
        try golden("dropped", #line + 3) { app in
            app.recorder.record(.dropped(eventName: "search", reason: .runaway))
            app.tracking.send(.launch)
            app.recorder.expect(.launch, .search(query: "flux", page: 1))
        }
    }

    @Test("a difference far down in a long list")
    func long() throws {
        try golden("long", #line + 2) { app in
            for page in 1...300 { app.tracking.send(.search(query: "flux", page: page)) }
            app.recorder.expect(contentsOf: (1...300).map { Search(query: "flux", page: $0 == 100 ? 5000 : $0) })
        }
    }

    @Test("violations on another thread are reported when the recorder is released")
    func late() async throws {
        struct Unplanned: TrackingEvent { static let name = "unplanned" }
        var line = 0
        nonisolated(unsafe) var found: [CapturedFailure] = []
        await withKnownIssue {
            line = #line + 1
            let app = TestedApp(TrackingRecorder(validatingAgainst: .standard))
            let tracking = app.tracking
            await Task.detached { _ = tracking.send(Unplanned()) }.value
            app.recorder.expect(Unplanned())
        } matching: { issue in
            found.append(CapturedFailure(issue))
            return true
        }
        try expectGolden(found, "unplanned", lines: [line])
    }

    @Test("at least")
    func atLeast() throws {
        try golden("at-least", #line + 3) { app in
            app.tracking.send(.launch)
            app.tracking.send(.search(query: "flux", page: 1))
            app.recorder.expectAtLeast(.launch, .background)
        }
    }

    @Test("counts")
    func counts() throws {
        try golden("none", #line + 2) { app in
            app.tracking.send(.launch)
            app.recorder.expectNone(.any(Launch.self))
        }
        try golden("count", #line + 2) { app in
            app.tracking.send(.launch)
            app.recorder.expectCount(2, of: .event(.launch))
        }
        try golden("count-of-nothing", #line + 1) { app in
            app.recorder.expectCount(1, of: .any(Search.self, \.page, is: 4))
        }
    }

    @Test("during a block")
    func during() throws {
        try golden("during", #line + 2) { app in
            app.tracking.send(.launch)
            app.recorder.expect(.background) { app.tracking.send(.search(query: "a", page: 1)) }
        }
    }

    @Test("steps")
    func steps() throws {
        try golden("steps", #line + 3) { app in
            app.tracking.send(PageView(page: "detail"))
            app.environment.show(.detail(3))
            app.recorder.expectSteps(
                .route(TestedApp.Route.detail(3)), .event(PageView(page: "detail")), .drop(of: "search", .tooLarge),
                .device)
        }
    }

    @Test("unasserted events when the recorder is released")
    func exhaustive() throws {
        var line = 0
        let found = failures {
            line = #line + 1
            let app = TestedApp(TrackingRecorder())
            app.tracking.send(.launch)
            app.tracking.send(.search(query: "flux", page: 1))
            app.recorder.expectAtLeast(.launch)
        }
        try expectGolden(found, "not-asserted", lines: [line])
    }

    @Test("a drop because of a violated limit, reported once")
    func drop() throws {
        var line = 0
        let found = failures {
            line = #line + 1
            let app = TestedApp(TrackingRecorder())
            app.tracking.send(.search(query: "", page: 1))
        }
        try expectGolden(found, "drop", lines: [line])
    }

    @Test("an unasserted drop, and how to expect it")
    func dropOfAnother() async throws {
        let app = TestedApp()
        try await app.tracking.setConsent(.denied)
        try golden("opted-out", #line + 2, app) { app in
            app.tracking.send(.launch)
            app.recorder.expectNothingElse()
        }
    }

    @Test("an event that could not be encoded, with the path of the property")
    func notEncodable() throws {
        struct Order: TrackingEvent {
            struct Item: Encodable, Sendable { let price: Double }
            static let name = "order"
            let items: [Item]
        }
        let order = Order(items: [Order.Item(price: 1), Order.Item(price: .nan)])
        try golden("not-encodable", #line + 2) { app in
            app.tracking.send(order)
            app.recorder.expect(.launch)
        }
        try golden("not-encodable-rest", #line + 2) { app in
            app.tracking.send(order)
            app.recorder.expectNothingElse()
        }
    }

    @Test("two event types with the same name")
    func types() throws {
        try golden("types", #line + 2) { app in
            app.tracking.send(LaterKind.Found(id: 1))
            app.recorder.expect(matching: .any(EarlierKind.Found.self))
        }
        try golden("types-count", #line + 2) { app in
            app.tracking.send(LaterKind.Found(id: 1))
            app.recorder.expectCount(1, of: .any(EarlierKind.Found.self))
        }
        try golden("types-steps", #line + 2) { app in
            app.tracking.send(LaterKind.Found(id: 1))
            app.recorder.expectSteps(.event(matching: .any(EarlierKind.Found.self)))
        }
    }

    @Test("texts that look alike, or are equal in Swift but have other bytes")
    func lookAlikes() throws {
        try golden("look-alikes", #line + 4) { app in
            app.tracking.send(.search(query: "caf\u{E9}", page: 1))
            app.tracking.send(.search(query: "flux\u{200B}", page: 1))
            app.tracking.send(.search(query: "größer", page: 1))
            app.recorder.expect(
                .search(query: "cafe\u{301}", page: 1), .search(query: "flux", page: 1),
                .search(query: "größer", page: 1))
        }
    }

    @Test("a long list of extra events is truncated")
    func longCount() throws {
        let app = TestedApp(TrackingRecorder(exhaustivity: .off))
        for page in 1...300 { app.tracking.send(.search(query: "flux", page: page)) }
        let found = failures { app.recorder.expectNone(.any(Search.self)) }
        #expect(found.map { $0.text.split(separator: "\n").count } == [202])
    }

    @Test("an event without a schema")
    func unplanned() throws {
        struct Unplanned: TrackingEvent { static let name = "unplanned" }
        var line = 0
        let found = failures {
            line = #line + 1
            let app = TestedApp(TrackingRecorder(validatingAgainst: .standard))
            app.tracking.send(Unplanned())
            app.recorder.expect(Unplanned())
        }
        try expectGolden(found, "unplanned", lines: [line])
    }
}

enum EarlierKind {
    struct Found: TrackingEvent {
        static let name = "found"
        let id: Int
    }
}

enum LaterKind {
    struct Found: TrackingEvent {
        static let name = "found"
        let id: Int
    }
}
