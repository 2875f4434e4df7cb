import EventLog
import EventModel
import Testing

@testable import TrackingCore

extension Purpose {
    static let ads: Purpose = "ads"
}

struct AdShown: TrackingEvent {
    static let name = "ad-shown"
    static let carriesValue = false
    static let purpose = Purpose.ads
}

struct ResearchJoined: TrackingEvent {
    static let name = "research-joined"
    static let carriesValue = false
    static let purpose: Purpose = "research"
}

struct CrashSeen: TrackingEvent {
    static let name = "crash-seen"
    static let carriesValue = false
    static let purpose = Purpose.exempt
}

struct Described: TrackingEvent {
    static let name = "described"
    static let carriesValue = false
    static let purpose: Purpose = "Not kebab"
}

@Suite("Consent by purpose", .timeLimit(.minutes(5)))
struct PurposeTests {
    let dependencies = TestDependencies()
    let sink = AcceptingSink()

    enum Moment: CaseIterable { case whileOpening, open }

    private func tracker(
        _ moment: Moment = .open, _ policy: ConsentPolicy = .assumed, purposes: [Purpose]? = nil,
        _ calls: (Tracker) -> Void = { _ in }
    ) async throws -> Tracker {
        let gate = OpeningGate()
        var setup = dependencies.setup()
        (setup.consent, setup.purposes, setup.sharesIdentity) = (policy, purposes, true)
        setup.flushPolicy = .manual
        let tracker = Tracker.open(setup, storage: dependencies.storage) { [log = dependencies.log, sink] in
            BlockedThread.wait { await gate.pass() }
            return (log, [sink])
        }
        if moment == .open {
            gate.open()
            try await tracker.opened()
        }
        calls(tracker)
        gate.open()
        try await tracker.opened()
        return tracker
    }

    private func delivered(_ tracker: Tracker) async -> [String] {
        await tracker.flush()
        return sink.batches.flatMap(\.records).map(\.name)
    }

    private static func consents(_ tracker: Tracker) -> [Consent] {
        [Purpose.analytics, .ads, .exempt].map { tracker.consent(for: $0).value }
    }

    private func send(_ tracker: Tracker) {
        tracker.send(.launch)
        tracker.send(AdShown())
        tracker.send(CrashSeen())
    }

    @Test("a denial for a purpose drops its events only", arguments: Moment.allCases)
    func denied(moment: Moment) async throws {
        let tracker = try await tracker(moment) { tracker in
            tracker.process(.consent(.denied, for: [.ads]))
            send(tracker)
        }
        #expect(Self.consents(tracker) == [.granted, .denied, .granted])
        #expect(tracker.consent == ConsentStatus(.granted, isAnswered: false))
        #expect(await delivered(tracker) == ["launch", "crash-seen"])
    }

    @Test("a denial of all covers later purposes, and no exempt event", arguments: Moment.allCases)
    func deniedAll(moment: Moment) async throws {
        let tracker = try await tracker(moment) { tracker in
            tracker.process(.consent(.denied))
            send(tracker)
        }
        #expect(Self.consents(tracker) == [.denied, .denied, .granted])
        #expect(await delivered(tracker) == ["crash-seen"])
        // The later answer counts, for its purposes.
        try await tracker.setConsent(.granted, for: [.ads])
        send(tracker)
        #expect(await delivered(tracker) == ["crash-seen", "ad-shown", "crash-seen"])
        try await tracker.setConsent(.denied)
        #expect(Self.consents(tracker) == [.denied, .denied, .granted])
    }

    @Test(
        "with a policy for a purpose, its events wait, and are delivered after the agreement",
        arguments: Moment.allCases)
    func requiredForOne(moment: Moment) async throws {
        let tracker = try await tracker(moment, .required(for: [.ads])) { send($0) }
        #expect(Self.consents(tracker) == [.granted, .unknown, .granted])
        #expect(await delivered(tracker) == ["launch", "crash-seen"])
        try await tracker.setConsent(.granted, for: [.ads])
        #expect(await delivered(tracker) == ["launch", "crash-seen", "ad-shown"])
    }

    @Test("an agreement to all is for the purposes of the plan; one that is added later is not answered")
    func grantedAll() async throws {
        let first = try await tracker(.open, .required, purposes: [.analytics, .ads])
        try await first.setConsent(.granted)
        let next = try await tracker(.open, .required, purposes: [.analytics, .ads, "search-engine"])
        #expect(Self.consents(next) == [.granted, .granted, .granted])
        #expect(next.consent(for: "search-engine") == ConsentStatus(.unknown, isAnswered: false))
    }

    @Test("without a plan, an agreement is for the purposes that the log knows", arguments: Moment.allCases)
    func grantedWithoutPlan(moment: Moment) async throws {
        try await dependencies.log.setConsent(.granted, for: [.ads], of: ["someone"])
        let tracker = try await tracker(moment, .required) { $0.process(.consent(.granted)) }
        #expect(Self.consents(tracker) == [.granted, .granted, .granted])
        #expect(tracker.consent(for: "later").value == .unknown)
    }

    @Test("a sign-in unites answers for each purpose; the next person inherits denials for each purpose")
    func people() async throws {
        let tracker = try await tracker()
        try await tracker.setConsent(.denied, for: [.ads])
        tracker.identify("ann")
        #expect(Self.consents(tracker) == [.granted, .denied, .granted])
        #expect(tracker.consent(for: .ads).isAnswered)
        tracker.reset()
        #expect(tracker.consent(for: .ads) == ConsentStatus(.denied, isAnswered: false))
        #expect(tracker.consent == ConsentStatus(.granted, isAnswered: false))
        send(tracker)
        try await tracker.setConsent(.granted, for: [.ads])
        tracker.identify("ben")
        #expect(tracker.consent(for: .ads) == ConsentStatus(.granted, isAnswered: true))
        #expect(await delivered(tracker) == ["launch", "crash-seen"])
    }

    @Test("a stricter policy of the next process leaves a purpose unanswered that the former person has agreed to")
    func stricterPolicy() async throws {
        let first = try await tracker(.open, .required(for: [.ads]))
        try await first.setConsent(.denied)
        try await first.setConsent(.granted, for: [.ads])
        first.reset()
        #expect(Self.consents(first) == [.denied, .unknown, .granted])
        try await first.flushToDisk()
        let next = try await tracker(.open, .required)
        #expect(Self.consents(next) == [.denied, .unknown, .granted])
    }

    @Test("a sign-out removes the events that wait, also those of purposes that no answer or policy has named")
    func signOut() async throws {
        let tracker = try await tracker(.open, .required)
        try await tracker.setConsent(.granted, for: [.ads])
        tracker.send(.launch)
        tracker.send(ResearchJoined())
        tracker.send(AdShown())
        tracker.reset()
        try await tracker.flushToDisk()
        let names = try await dependencies.log.read(after: 0, maximumCount: .max, maximumBytes: .max).map(\.name)
        #expect(names == ["ad-shown"])
        #expect(try await dependencies.log.ledger().map { "\($0.count) \($0.reason.rawValue)" } == ["2 unanswered"])
    }

    @Test("after a denial of all and an agreement to one, the next person inherits the denial of the others")
    func inheritedOthers() async throws {
        let tracker = try await tracker(.open, .required)
        try await tracker.setConsent(.denied)
        try await tracker.setConsent(.granted, for: [.analytics])
        tracker.reset()
        #expect(Self.consents(tracker) == [.unknown, .denied, .granted])
        tracker.identify("ann")
        #expect(Self.consents(tracker) == [.unknown, .denied, .granted])
    }

    @Test("a denial removes the queued events of its purpose, also if an agreement to another purpose follows")
    func removed() async throws {
        let tracker = try await tracker(.open, .required)
        send(tracker)
        tracker.process(.consent(.denied))
        tracker.process(.consent(.granted, for: [.analytics]))
        send(tracker)
        #expect(await delivered(tracker) == ["crash-seen", "launch", "crash-seen"])
        let counts = try await dependencies.log.ledger().filter { $0.reason == .optedOut }.map(\.count)
        #expect(counts.reduce(0, +) == 3)
    }

    @Test("an event with an invalid purpose is dropped and counted, as is one of a sixteenth")
    func tooMany() async throws {
        let tracker = try await tracker(.open, purposes: (1...14).map { Purpose("purpose-\($0)") })
        #expect(tracker.send(AdShown()) == nil && tracker.send(Described()) == nil)
        #expect(tracker.send(.launch) != nil && tracker.send(CrashSeen()) != nil)
        #expect(
            try await dependencies.log.ledger().map { [$0.reason.rawValue, "\($0.count)"] } == [["invalid-name", "2"]])
    }

    @Test("another process decides alike, without the event's type")
    func elsewhere() async throws {
        let tracker = try await tracker(.open, .required(for: [.ads]))
        send(tracker)
        #expect(dependencies.log.records.map(\.purpose) == [.analytics, .ads, .exempt])
        // A process without the policy.
        let other = AcceptingSink("other")
        let flusher = try EventFlusher(
            log: dependencies.log, sinks: [other], policy: .manual, clock: dependencies.clock,
            timer: ContinuousClock(), diagnostics: { _ in })
        await flusher.flush()
        #expect(other.batches.flatMap(\.records).map(\.name) == ["launch", "crash-seen"])
    }
}
