import Testing
import TrackingCore
import TrackingTesting

@Suite("A recorder and events without a schema")
struct UnplannedTests {
    private struct PromoShown: TrackingEvent, Equatable {
        static let name = "promo-shown"
        static let isPlanned = false
        var banner = 3
    }

    private static func plan(_ events: String) throws -> CompiledPlan {
        let file = PlanFile(path: "unplanned.json", bytes: Array("{\"x-unplanned\": {\(events)}}".utf8))
        return try CompiledPlan(EventPlan.standard.adding(PlanFolder(files: [file])))
    }

    @Test("accepts those that the plan allows")
    func allowed() throws {
        let app = TestedApp(
            TrackingRecorder(validatingAgainst: try Self.plan(#""promo-shown": {"description": "A banner."}"#)))
        app.tracking.send(PromoShown())
        app.recorder.expect(PromoShown())
        #expect(app.recorder.violations.isEmpty)
    }

    @Test("fails the test that sends another event")
    func others() throws {
        let plan = try Self.plan(#""beta": {"description": "B."}"#)
        nonisolated(unsafe) var messages: [String] = []
        let found = failures {
            let app = TestedApp(TrackingRecorder(validatingAgainst: plan))
            app.tracking.send(PromoShown())
            app.recorder.expect(PromoShown())
            messages = app.recorder.violations.flatMap(\.findings).map(\.message)
        }
        #expect(found.count == 1)
        #expect(
            messages == [
                "the plan has no event promo-shown: add events/promo-shown/1-0-0.json, or list the event in unplanned.json"
            ])
    }

    @Test("records the drop in a mock that rejects them, like the app")
    func rejected() async throws {
        let recorder = TrackingRecorder()
        let tracker = Tracker.mock(recording: recorder, unplanned: .rejected)
        #expect(tracker.send(PromoShown()) == nil)
        recorder.expectSteps(.drop(of: "promo-shown", .unplanned))
        #expect(try await recorder.log.ledger().map(\.reason) == [.unplanned])
    }
}
