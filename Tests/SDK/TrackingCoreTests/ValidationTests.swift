import Foundation
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingPlan
import TrackingTesting
import TrackingValidation

@Suite("Checking events as they are sent")
struct ValidationTests {
    private enum NoRoute: RouteCommand { case home }

    /// An event that is not in the plan.
    private struct Unplanned: TrackingEvent { static let name = "unplanned" }

    /// An event with the name search, but another value.
    private struct NoSearch: TrackingEvent {
        static let name = "search"
        let query: Int
    }

    private static func plan() throws -> CompiledPlan {
        let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Schemas").standardized.path
        return try CompiledPlan(EventPlan(PlanFolder(path: folder)))
    }

    @Test("reports each event that violates the plan, and keeps the event")
    func violations() throws {
        let recorder = TrackingRecorder(validatingAgainst: nil)
        let environment = TrackingEnvironment<NoRoute>.mock(recording: recorder)
        let seen = Locked<[EventViolation]>([])
        let validation = EventValidation(of: environment, against: try Self.plan()) { violation in
            seen.withLock { $0.append(violation) }
        }
        environment.tracking.send(.launch)
        environment.tracking.send(Unplanned())
        environment.tracking.send(.search(query: "flux", page: 1))
        environment.tracking.send(NoSearch(query: 5))
        #expect(recorder.containers.map(\.seq) == [1, 2, 3, 4])
        recorder.expect(.launch, Unplanned(), .search(query: "flux", page: 1), NoSearch(query: 5))
        #expect(
            seen.withLock { $0 }.map(\.description) == [
                """
                the event unplanned (seq 2) violates the plan:
                  /schema: the plan has no event unplanned: add events/unplanned/1-0-0.json
                """,
                """
                the event search (seq 4) violates the plan:
                  /event/value/query: must be a string
                    https://schemas.swift-tracking.dev/events/search/1-0-0.json#/properties/value/properties/query/type
                  /event/value: "page" is missing
                    https://schemas.swift-tracking.dev/events/search/1-0-0.json#/properties/value/required
                """,
            ])
        withExtendedLifetime(validation) {}
    }

    @Test("ends with the validation")
    func end() throws {
        let environment = TrackingEnvironment<NoRoute>.mock(recording: TrackingRecorder(exhaustivity: .off))
        let count = Locked(0)
        var validation: EventValidation? = EventValidation(of: environment, against: try Self.plan()) { _ in
            count.withLock { $0 += 1 }
        }
        environment.tracking.send(Unplanned())
        withExtendedLifetime(validation) {}
        validation = nil
        environment.tracking.send(Unplanned())
        #expect(count.withLock { $0 } == 1)
    }

    @Test("fails the test that sent the event")
    func failure() throws {
        let plan = try Self.plan()
        withKnownIssue {
            let recorder = TrackingRecorder(validatingAgainst: plan)
            TrackingEnvironment<NoRoute>.mock(recording: recorder).tracking.send(Unplanned())
            #expect(recorder.violations.map(\.eventName) == ["unplanned"])
            recorder.expect(Unplanned())
        } matching: { issue in
            issue.comments.map(\.rawValue).joined().hasPrefix("the event unplanned (seq 1) violates the plan:")
                && issue.sourceLocation?.fileName == "ValidationTests.swift"
        }
    }

    @Test("fails the test that sent an event past a limit, which is dropped")
    func limits() throws {
        let plan = try Self.plan()
        withKnownIssue {
            let recorder = TrackingRecorder(validatingAgainst: plan)
            TrackingEnvironment<NoRoute>.mock(recording: recorder).tracking.send(.search(query: "", page: 0))
            #expect(recorder.fired.isEmpty && recorder.violations.isEmpty && recorder.diagnostics.count == 2)
            recorder.skipRecorded()
        } matching: { issue in
            issue.comments.map(\.rawValue).joined().hasPrefix("event search was dropped: ")
                && issue.sourceLocation?.fileName == "ValidationTests.swift"
        }
        let unchecked = TrackingRecorder(validatingAgainst: nil)
        TrackingEnvironment<NoRoute>.mock(recording: unchecked).tracking.send(.search(query: "", page: 0))
        #expect(unchecked.fired.isEmpty && unchecked.diagnostics.count == 2)
        unchecked.skipRecorded()
    }

    @Test("doesn't affect tests whose events are valid")
    func success() throws {
        let recorder = TrackingRecorder(validatingAgainst: try Self.plan())
        let environment = TrackingEnvironment<NoRoute>.mock(recording: recorder)
        environment.tracking.send(.launch)
        environment.tracking.send(.notification(identifier: "a", userInfo: ["x": [1, nil]]))
        #expect(recorder.violations.isEmpty)
        recorder.expect(.launch, .notification(identifier: "a", userInfo: ["x": [1, nil]]))
    }
}
