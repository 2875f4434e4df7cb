import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@Suite("Events that wait for an answer")
struct HeldEventTests {
    private let recorder = TrackingRecorder()
    private let tracker: Tracker

    init() { tracker = .mock(recording: recorder, consent: .required) }

    /// The failures of an expectation, each at its line.
    private func failures(
        _ sourceLocation: SourceLocation = #_sourceLocation, _ expectation: (SourceLocation) -> Void
    ) -> [String] {
        let found = TrackingTestingTests.failures { expectation(sourceLocation) }
        #expect(found.allSatisfy { $0.line == sourceLocation.line && $0.file == sourceLocation.fileName })
        return found.map(\.text)
    }

    @Test("are held, then released by the answer")
    func released() async throws {
        for _ in 1...2 { tracker.send(.launch) }
        #expect(recorder.containers.map(\.seq) == [1, 2] && recorder.log.records.count == 2)
        for _ in 1...2 { recorder.expectHeld(.launch) }
        recorder.expectNothingElse()
        recorder.expectHeld(.launch)
        try await tracker.setConsent(.granted)
        recorder.expectReleased(.launch)
        recorder.expectReleased(.launch)
        tracker.send(.background)
        recorder.expect(.background)
    }

    @Test("fail expectations of events that are delivered, and pass them once the person agrees")
    func expected() async throws {
        let reason = """
            events fired, but are not delivered; call setConsent(.granted) first, or expectHeld(_:) for those that wait:
                {"name":"launch"} still waits for an answer
            """
        func expectFailure(
            _ sourceLocation: SourceLocation = #_sourceLocation, _ expectation: (SourceLocation) -> Void
        ) {
            tracker.send(.launch)
            #expect(failures(sourceLocation, expectation) == [reason], sourceLocation: sourceLocation)
        }
        expectFailure { recorder.expect(.launch, sourceLocation: $0) }
        expectFailure { recorder.expectAtLeast(.launch, sourceLocation: $0) }
        expectFailure { recorder.expectCount(1, of: .launch, sourceLocation: $0) }
        // They have fired nevertheless.
        tracker.send(.launch)
        #expect(failures { recorder.expectNone(.launch, sourceLocation: $0) }.count == 1)
        tracker.send(.launch)
        recorder.expectSteps(.event(.launch))
        tracker.send(.launch)
        try await tracker.setConsent(.granted)
        recorder.expect(.launch)
    }

    @Test("of an anonymous person are released by the user's answer; those of a former user still wait")
    func people() async throws {
        tracker.send(.launch)
        tracker.identify("ada")
        tracker.send(.background)
        recorder.expectHeld(.background, by: "ada")
        tracker.reset()
        tracker.identify("grace")
        try await tracker.setConsent(.granted)
        recorder.expectHeld(.launch)
        #expect(
            failures { recorder.expectReleased(.background, by: "ada", sourceLocation: $0) } == [
                """
                expected {"name":"background"} by "ada" to be released by an answer, but it still waits for an answer
                """
            ])
        tracker.identify("ada")
        try await tracker.setConsent(.granted)
        recorder.expectReleased(.launch)
        recorder.expectReleased(.background, by: "ada")
    }

    @Test("are removed by a denial, which a later agreement does not undo", arguments: [false, true])
    func denied(agrees: Bool) async throws {
        tracker.send(.launch)
        try await tracker.setConsent(.denied)
        if agrees { try await tracker.setConsent(.granted) }
        let reason = "was removed because its person has denied consent"
        #expect(
            failures { recorder.expectReleased(.launch, sourceLocation: $0) }
                == [#"expected {"name":"launch"} to be released by an answer, but it \#(reason)"#])
        #expect(
            failures { recorder.expectHeld(.launch, sourceLocation: $0) }
                == [#"expected {"name":"launch"} to wait for an answer, but it \#(reason)"#])
    }

    @Test("are removed with their anonymous person, and then fail each expectation of delivery")
    func signedOut() {
        tracker.send(.launch)
        tracker.reset()
        let reason = "was removed because its person was signed out without an answer"
        #expect(
            failures { recorder.expectReleased(.launch, sourceLocation: $0) }
                == [#"expected {"name":"launch"} to be released by an answer, but it \#(reason)"#])
        tracker.send(.background)
        tracker.reset()
        #expect(
            failures { recorder.expect(.background, sourceLocation: $0) }.map { $0.split(separator: "\n").last } == [
                #"    {"name":"background"} \#(reason)"#[...]
            ])
    }

    @Test("are not those that never waited, or that did not fire")
    func others() async throws {
        try await tracker.setConsent(.granted)
        tracker.send(.launch)
        for wish in ["wait for an answer", "be released by an answer"] {
            let expect = wish.hasPrefix("wait") ? expectHeld : expectReleased
            #expect(
                failures { expect(.launch, $0) } == [#"expected {"name":"launch"} to \#(wish), but it never waited"#])
            #expect(
                failures { expect(.background, $0) }
                    == [#"expected {"name":"background"} to \#(wish), but it did not fire"#])
        }
        tracker.send(.search(query: "flux", page: 1))
        #expect(
            failures { recorder.expectHeld(.search(query: "flux", page: 1), by: "ada", sourceLocation: $0) } == [
                """
                expected {"name":"search","value":{"query":"flux","page":1}} by "ada" to wait for an answer, but it did \
                not fire:
                  + {"name":"search","value":{"query":"flux","page":1}} by "00000000-0000-4000-8000-000000000001"
                """
            ])
        recorder.skipRecorded()
    }

    private struct AdShown: TrackingEvent {
        static let name = "ad-shown"
        static let carriesValue = false
        static let purpose: Purpose = "ads"
    }

    @Test("wait for the answer to their purpose only")
    func purposes() async throws {
        let recorder = TrackingRecorder()
        let tracker = Tracker.mock(recording: recorder, consent: .required(for: ["ads"]))
        tracker.send(.launch)
        recorder.expect(.launch)
        for _ in 1...2 { tracker.send(AdShown()) }
        recorder.expectHeld(AdShown(), for: "ads")
        #expect(
            failures { recorder.expectHeld(AdShown(), for: "research", sourceLocation: $0) } == [
                "ad-shown is collected for ads, not for research: change its x-purpose, or expect it for ads"
            ])
        try await tracker.setConsent(.granted, for: [.analytics])
        recorder.expectHeld(AdShown())
        try await tracker.setConsent(.granted, for: ["ads"])
        recorder.expectReleased(AdShown())
        recorder.expectReleased(AdShown())
        try await tracker.setConsent(.denied, for: ["ads"])
        tracker.send(AdShown())
        tracker.send(.background)
        recorder.expect(.background)
        recorder.expectSteps(.drop(of: "ad-shown", .optedOut))
    }

    private enum Sent {
        case launch
        case background
    }

    private func expectHeld(_ event: Sent, _ sourceLocation: SourceLocation) {
        switch event {
        case .launch: recorder.expectHeld(.launch, sourceLocation: sourceLocation)
        case .background: recorder.expectHeld(.background, sourceLocation: sourceLocation)
        }
    }

    private func expectReleased(_ event: Sent, _ sourceLocation: SourceLocation) {
        switch event {
        case .launch: recorder.expectReleased(.launch, sourceLocation: sourceLocation)
        case .background: recorder.expectReleased(.background, sourceLocation: sourceLocation)
        }
    }

    @Test("are also those of an app that updates its policy to required")
    func update() async throws {
        let recorder = TrackingRecorder()
        Tracker.mock(recording: recorder).send(.launch)
        let updated = TrackingEnvironment<TestedApp.Route>.mock(recording: recorder, consent: .required).tracking
        recorder.expectHeld(.launch)
        #expect(
            failures { recorder.expectReleased(.launch, sourceLocation: $0) }
                == [#"expected {"name":"launch"} to be released by an answer, but it still waits for an answer"#])
        try await updated.setConsent(.granted)
        recorder.expectReleased(.launch)
    }

    @Test("need an expectation, like others")
    func exhaustive() {
        let found = failures { sourceLocation in
            let recorder = TrackingRecorder(sourceLocation: sourceLocation)
            let tracker = Tracker.mock(recording: recorder, consent: .required)
            tracker.send(.launch)
            tracker.send(.background)
            recorder.expectHeld(.launch)
        }
        #expect(found.count == 1 && found[0].hasSuffix("\n  + {\"name\":\"background\"}"))
    }

    @Test("of a server's users are held and released for each user")
    func users() async throws {
        let (ada, bob) = (try #require(tracker.as(user: "ada")), try #require(tracker.as(user: "bob")))
        for user in [ada, bob] { user.send(.launch) }
        recorder.expectHeld(.launch, by: "ada")
        recorder.expectHeld(.launch, by: "bob")
        try await ada.setConsent(.granted)
        recorder.expectReleased(.launch, by: "ada")
        recorder.expectHeld(.launch, by: "bob")
        ada.send(.background)
        recorder.expect(.background, by: "ada")
        try await bob.setConsent(.denied)
        #expect(bob.send(.launch) == nil)
        recorder.expectSteps(.drop(of: "launch", .optedOut))
    }
}
