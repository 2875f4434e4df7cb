import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@Suite("Whose events are expected")
struct SenderTests {
    private let recorder = TrackingRecorder()
    private let tracker: Tracker
    private let anonymous = "00000000-0000-4000-8000-000000000001"

    init() { tracker = .mock(recording: recorder, consent: .required) }

    @Test("user, session and consent, of one event or of all")
    func parts() async throws {
        tracker.send(.launch)
        let session = try #require(recorder.containers.last?.sessionID)
        recorder.expectHeld(.launch, by: EventSender(anonymous, session: session, consent: .unknown))
        tracker.identify("customer-1")
        try await tracker.setConsent(.granted)
        recorder.expectReleased(.launch, by: EventSender(consent: .unknown))
        tracker.send(.launch)
        recorder.expect(.launch, by: "customer-1")
        for _ in 1...2 { tracker.send(.background) }
        recorder.expect(contentsOf: [Background(), Background()], by: EventSender(session: session, consent: .granted))
        recorder.expect(.search(query: "a", page: 1), .launch, by: "customer-1") {
            tracker.send(.search(query: "a", page: 1))
            tracker.send(.launch)
        }
        await recorder.expect(.launch, by: "customer-1") {
            await Task.yield()
            tracker.send(.launch)
        }
        tracker.send(.launch)
        tracker.reset()
        tracker.identify("customer-2")
        try await tracker.setConsent(.granted)
        tracker.send(.launch)
        recorder.expectNone(.event(.launch).by("customer-3"))
        recorder.expect(
            matching: .event(.launch).by("customer-1"),
            .any(Launch.self).by(EventSender("customer-2", consent: .granted)))
        tracker.send(.launch)
        try await recorder.waitUntilFired(.any(Launch.self).by("customer-2"))
        recorder.expectSteps(.event(matching: .event(.launch).by("customer-2")))
    }

    @Test("with more than six events")
    func manyEvents() async throws {
        tracker.identify("customer-1")
        try await tracker.setConsent(.granted)
        for _ in 1...7 { tracker.send(.launch) }
        recorder.expect(.launch, .launch, .launch, .launch, .launch, .launch, .launch, by: "customer-1")
    }

    /// The text of a failure of `expectation` at its line.
    private func failure(
        _ sourceLocation: SourceLocation = #_sourceLocation, _ expectation: (SourceLocation) -> Void
    ) -> String {
        tracker.send(.launch)
        let found = failures { expectation(sourceLocation) }
        #expect(found.map(\.line) == [sourceLocation.line], sourceLocation: sourceLocation)
        recorder.skipRecorded()
        return found.first?.text ?? ""
    }

    @Test("of another person, in another session or with another consent fail each form of expectation")
    func others() async throws {
        try await tracker.setConsent(.granted)
        let recorder = recorder
        for sender in ["customer-1", EventSender(session: "other"), EventSender(consent: .unknown)] as [EventSender] {
            let send: @Sendable () -> Void = { [tracker] in tracker.send(.launch) }
            #expect(failure { recorder.expect(.launch, by: sender, sourceLocation: $0) } != "")
            #expect(failure { recorder.expect(contentsOf: [Launch()], by: sender, sourceLocation: $0) } != "")
            #expect(failure { recorder.expect(.launch, by: sender, sourceLocation: $0, during: send) } != "")
            #expect(failure { recorder.expectHeld(.launch, by: sender, sourceLocation: $0) } != "")
            #expect(failure { recorder.expectReleased(.launch, by: sender, sourceLocation: $0) } != "")
            let sevenTimes: @Sendable () -> Void = { for _ in 1...7 { send() } }
            #expect(
                failure {
                    recorder.expect(
                        .launch, .launch, .launch, .launch, .launch, .launch, .launch, by: sender, sourceLocation: $0,
                        during: sevenTimes)
                } != "")
            for _ in 1...6 { send() }
            #expect(
                failure {
                    recorder.expect(
                        .launch, .launch, .launch, .launch, .launch, .launch, .launch, by: sender, sourceLocation: $0)
                } != "")
            await withKnownIssue { await recorder.expect(.launch, by: sender) { await later(send) } }
            await withKnownIssue {
                await recorder.expect(
                    .launch, .launch, .launch, .launch, .launch, .launch, .launch, by: sender
                ) { await later(sevenTimes) }
            }
        }
    }

    private func later(_ send: @Sendable () -> Void) async {
        await Task.yield()
        send()
    }

    @Test("a failure shows the parts that the expectation names")
    func texts() async throws {
        try await tracker.setConsent(.granted)
        #expect(
            failure { recorder.expect(.launch, by: "customer-1", sourceLocation: $0) } == """
                events differ (- expected, + fired):
                  - {"name":"launch"} by "customer-1"
                  + {"name":"launch"} by "\(anonymous)"
                """)
        let session = try #require(recorder.containers.last?.sessionID)
        #expect(
            failure {
                recorder.expect(.launch, by: EventSender(session: "other", consent: .unknown), sourceLocation: $0)
            } == """
                events differ (- expected, + fired):
                  - {"name":"launch"} in session "other" with consent unknown
                  + {"name":"launch"} in session "\(session)" with consent granted
                """)
        #expect(
            failure { recorder.expectCount(1, of: .any(Launch.self).by("customer-1"), sourceLocation: $0) } == """
                expected any launch by "customer-1" to fire once, but it did not fire:
                  + {"name":"launch"} by "\(anonymous)"
                """)
        #expect(
            failure { recorder.expectSteps(.event(matching: .event(.launch).by("customer-1")), sourceLocation: $0) }
                == """
                steps differ (- expected, + recorded):
                  - {"name":"launch"} by "customer-1"
                  + {"name":"launch"} by "\(anonymous)"
                """)
        #expect(
            failure {
                recorder.expectAtLeast(
                    matching: .any(Launch.self).by(EventSender(consent: .unknown)), sourceLocation: $0)
            } == """
                expected events are missing or out of order (- expected, + fired):
                  - any launch with consent unknown
                  + {"name":"launch"} with consent granted
                """)
    }
}
