import EventLog
import Primitives
import Testing

@testable import TrackingCore

/// The table of the article *Users and consent*, row by row: the consent after an event, and whether the person has
/// answered. Each row holds if the calls are made before the log is open, too.
@Suite("The rule of consent", .timeLimit(.minutes(5)))
struct RuleTableTests {
    let dependencies = TestDependencies()

    /// When the calls of a test are made.
    enum Moment: CaseIterable { case whileOpening, open }

    /// A tracker that uses the log's identity, like a separate process.
    private func process(
        _ policy: ConsentPolicy = .assumed, scope: ConsentScope = .person, gate: OpeningGate? = nil,
        sinks: [any Sink] = []
    ) -> Tracker {
        var setup = dependencies.setup()
        (setup.consent, setup.consentScope, setup.sharesIdentity) = (policy, scope, true)
        return Tracker.open(setup, storage: dependencies.storage) { [log = dependencies.log] in
            if let gate { BlockedThread.wait { await gate.pass() } }
            return (log, sinks)
        }
    }

    /// A tracker on which `calls` were made, before or after its log was open.
    private func tracker(
        _ moment: Moment, _ policy: ConsentPolicy = .assumed, scope: ConsentScope = .person,
        _ calls: (Tracker) -> Void
    ) async throws -> Tracker {
        let gate = OpeningGate()
        let tracker = process(policy, scope: scope, gate: gate)
        if moment == .open {
            gate.open()
            try await tracker.opened()
        }
        calls(tracker)
        gate.open()
        try await tracker.opened()
        return tracker
    }

    private func answer(_ choice: ConsentChoice) -> (Tracker) -> Void { { $0.process(.consent(choice)) } }

    private static let granted = ConsentStatus(.granted, isAnswered: true)
    private static let denied = ConsentStatus(.denied, isAnswered: true)
    private static let inherited = ConsentStatus(.denied, isAnswered: false)

    private static func unanswered(_ policy: ConsentPolicy) -> ConsentStatus {
        ConsentStatus(policy == .required ? .unknown : .granted, isAnswered: false)
    }

    private static let policies: [ConsentPolicy] = [.assumed, .required]

    @Test("first start: the policy", arguments: policies, Moment.allCases)
    func firstStart(policy: ConsentPolicy, moment: Moment) async throws {
        #expect(try await tracker(moment, policy) { _ in }.consent == Self.unanswered(policy))
    }

    @Test("an answer is in effect immediately, in each process", arguments: policies, Moment.allCases)
    func answers(policy: ConsentPolicy, moment: Moment) async throws {
        let other = process(policy)
        try await other.opened()
        for (choice, status) in [(ConsentChoice.denied, Self.denied), (.granted, Self.granted)] {
            let tracker = try await tracker(moment, policy) { tracker in
                tracker.process(.consent(choice))
                #expect(tracker.consent == status)
            }
            #expect(tracker.consent == status && other.consent == status)
            #expect((other.send(.launch) != nil) == (choice == .granted))
        }
    }

    @Test("the present user again: unchanged, in the same session", arguments: Moment.allCases)
    func sameUser(moment: Moment) async throws {
        let first = process()
        first.identify("ann")
        try await first.setConsent(.denied)
        try await first.setConsent(.granted)
        first.send(.launch)
        let device = first.device.store.state.deviceID
        let tracker = try await tracker(moment) {
            $0.identify("ann")
            $0.send(.launch)
        }
        #expect(tracker.consent == Self.granted && tracker.device.store.state.deviceID == device)
        #expect(try dependencies.strings("user_id") == ["ann", "ann"])
        #expect(try Set(dependencies.strings("session_id")).count == 1)
    }

    @Test(
        "one of the two has answered: that answer, for both", arguments: [ConsentChoice.granted, .denied],
        Moment.allCases)
    func oneAnswered(choice: ConsentChoice, moment: Moment) async throws {
        let status = choice == .granted ? Self.granted : Self.denied
        // The anonymous person.
        let tracker = try await tracker(moment, .required) {
            $0.process(.consent(choice))
            $0.identify("ann")
        }
        #expect(tracker.consent == status)
        // The user, on another device of the same log.
        tracker.reset()
        let device = tracker.device.store.state.deviceID
        tracker.identify("ann")
        #expect(tracker.consent == status)
        #expect(dependencies.log.consent(of: device) == status.value)
    }

    @Test(
        "both have answered: the later answer, for both", arguments: [ConsentChoice.granted, .denied], Moment.allCases)
    func bothAnswered(later: ConsentChoice, moment: Moment) async throws {
        let earlier: ConsentChoice = later == .granted ? .denied : .granted
        for anonymousIsLater in [false, true] {
            let user = "user-\(anonymousIsLater)"
            let first = process()
            first.reset()
            try await first.setConsent(.granted)  // so that nothing is inherited
            first.reset()
            if anonymousIsLater { try await dependencies.log.setConsent(earlier, of: [user]) }
            try await first.setConsent(anonymousIsLater ? later : earlier)
            if !anonymousIsLater { try await dependencies.log.setConsent(later, of: [user]) }
            let device = first.device.store.state.deviceID
            let tracker = try await tracker(moment) { $0.identify(user) }
            let status = later == .granted ? Self.granted : Self.denied
            #expect(tracker.consent == status && dependencies.log.consent(of: device) == status.value)
        }
    }

    @Test("neither has answered: the policy, or denied if the anonymous one had inherited a denial")
    func neitherAnswered() async throws {
        for policy in Self.policies {
            for moment in Moment.allCases {
                let tracker = try await tracker(moment, policy) {
                    $0.reset()
                    $0.identify("user \(policy) \(moment)")
                }
                #expect(tracker.consent == Self.unanswered(policy))
            }
        }
        for moment in Moment.allCases {
            let tracker = try await tracker(moment) {
                $0.process(.consent(.denied))
                $0.reset()
                $0.identify("heir \(moment)")
            }
            #expect(tracker.consent == Self.inherited)
            // Until one of them answers; then also the next user has the policy.
            try await tracker.setConsent(.granted)
            tracker.reset()
            tracker.identify("next \(moment)")
            #expect(tracker.consent == Self.unanswered(.assumed))
        }
    }

    @Test("a reset after a denial: denied until the next person answers", arguments: policies, Moment.allCases)
    func resetAfterDenial(policy: ConsentPolicy, moment: Moment) async throws {
        let tracker = try await tracker(moment, policy) {
            $0.identify("ann")
            $0.process(.consent(.denied))
            $0.reset()
        }
        #expect(tracker.consent == Self.inherited && tracker.send(.launch) == nil)
        tracker.reset()
        #expect(tracker.consent == Self.inherited)
        try await tracker.setConsent(.granted)
        #expect(tracker.consent == Self.granted && tracker.send(.launch) != nil)
    }

    @Test("a reset otherwise: the policy; waiting events of an anonymous person are dropped, those of a user wait")
    func otherReset() async throws {
        let sink = RecordingSink("sink")
        let tracker = process(.required, sinks: [sink])
        tracker.send(.launch)  // anonymous
        tracker.reset()
        tracker.identify("ann")
        tracker.send(.launch)
        tracker.reset()
        #expect(tracker.consent == Self.unanswered(.required))
        try await tracker.flushToDisk()
        #expect(dependencies.log.records.map(\.seq) == [2])
        let entries = try await dependencies.log.ledger().map { "\($0.reason.rawValue) \($0.count)" }
        #expect(entries == ["unanswered 1"])
        await tracker.flush()
        #expect(sink.delivered == [])
        // She answers at her next sign-in.
        tracker.identify("ann")
        try await tracker.setConsent(.granted)
        await tracker.flush()
        #expect(sink.delivered == [[2]])
    }

    @Test("a later answer of a user is also valid for the events before the first sign-in", arguments: [true, false])
    func anonymousEvents(isGranted: Bool) async throws {
        let sink = RecordingSink("sink")
        let tracker = process(.required, sinks: [sink])
        tracker.send(.launch)
        tracker.identify("ann")
        tracker.reset()
        tracker.identify("ann")
        try await tracker.setConsent(isGranted ? .granted : .denied)
        await tracker.flush()
        #expect(sink.delivered == (isGranted ? [[1]] : []))
        let removed = try await dependencies.log.ledger().map { "\($0.reason.rawValue) \($0.count)" }
        #expect(removed == (isGranted ? [] : ["opted-out 1"]))
    }

    @Test("another user: as a reset, then from anonymous", arguments: policies, Moment.allCases)
    func otherUser(policy: ConsentPolicy, moment: Moment) async throws {
        let tracker = try await tracker(moment, policy) {
            $0.identify("ann")
            $0.process(.consent(.granted))
            $0.send(.launch)
            $0.identify("bob")
            $0.send(.launch)
        }
        #expect(tracker.consent == Self.unanswered(policy))
        #expect(try dependencies.strings("user_id") == ["ann", "bob"])
        #expect(try Set(dependencies.strings("session_id")).count == 2)
        try await tracker.setConsent(.denied)
        tracker.identify("eve")
        #expect(tracker.consent == Self.inherited)
    }

    @Test(
        "an id that is not valid: reported; a user is signed out", arguments: ["", String(repeating: "x", count: 129)])
    func invalidUser(id: String) async throws {
        for moment in Moment.allCases {
            let tracker = try await tracker(moment) {
                #expect(!$0.identify(id))
                $0.send(.launch)
                $0.identify("ann")
                $0.send(.launch)
                #expect(!$0.identify(id))
                $0.send(.launch)
            }
            let users = try dependencies.strings("user_id").suffix(3)
            #expect(users.dropFirst().first == "ann" && users.last == tracker.device.store.state.deviceID)
            #expect(users.first != users.last)
            tracker.reset()
        }
        #expect(dependencies.diagnostics.withLock { $0 } == Array(repeating: "user rejected", count: 4))
    }

    @Test("another process's calls: as if this one had made them, from its next event on")
    func otherProcess() async throws {
        let (app, widget) = (process(), process())
        for tracker in [app, widget] { try await tracker.opened() }
        let device = app.device.store.state.deviceID
        #expect(widget.device.store.state.deviceID == device)
        app.identify("ann")
        #expect(app.userID == "ann" && widget.userID == "ann")
        widget.send(.launch)
        app.reset()
        #expect(app.userID == nil && widget.userID == nil)
        widget.send(.launch)
        widget.identify("bob")
        app.send(.launch)
        let next = app.device.store.state.deviceID
        #expect(try dependencies.strings("user_id") == ["ann", next, "bob"])
        let sessions = try dependencies.strings("session_id")
        #expect(sessions[0] != sessions[1])
        widget.process(.consent(.denied))
        #expect(app.send(.launch) == nil && app.consent == Self.denied)
    }

    @Test("scope device: one answer for all users")
    func device() async throws {
        let tracker = process(.required, scope: .device)
        try await tracker.opened()
        #expect(tracker.consent == Self.unanswered(.required))
        try await tracker.setConsent(.granted)
        tracker.identify("ann")
        #expect(tracker.consent == Self.granted)
        tracker.reset()
        #expect(tracker.consent == Self.granted)
        try await tracker.setConsent(.denied)
        tracker.identify("bob")
        #expect(tracker.consent == Self.denied && tracker.send(.launch) == nil)
        // A process that asks each person obeys it, too.
        let other = process()
        try await other.opened()
        #expect(other.consent == Self.denied)
    }

    @Test("policy: the stricter one of two processes wins, and holds until the person answers")
    func policy() async throws {
        let first = process(.assumed)
        try await first.opened()
        #expect(first.consent == Self.unanswered(.assumed))
        let second = process(.required)
        try await second.opened()
        #expect(first.consent == Self.unanswered(.required))
        #expect(try await tracker(.open, .assumed) { _ in }.consent == Self.unanswered(.required))
        try await second.setConsent(.granted)
        #expect(first.consent == Self.granted)
    }

    @Test("required stays stored while a denial is inherited")
    func requiredAfterDenial() async throws {
        try await process(.required).opened()
        let tracker = process(.assumed)
        try await tracker.opened()
        tracker.identify("ann")
        tracker.reset()
        try await tracker.setConsent(.denied)
        tracker.reset()
        tracker.identify("ann")
        #expect(tracker.consent == Self.inherited)
        tracker.reset()
        try await tracker.setConsent(.granted)
        tracker.reset()
        #expect(tracker.consent == Self.unanswered(.assumed))
        tracker.identify("ann")
        #expect(tracker.consent == Self.unanswered(.required))
    }

    @Test("a denial removes earlier events, if the person agrees before it is stored, too", arguments: Moment.allCases)
    func overtakenDenial(moment: Moment) async throws {
        let sink = RecordingSink("all")
        let gate = OpeningGate()
        let tracker = process(gate: gate, sinks: [sink])
        if moment == .open {
            gate.open()
            try await tracker.opened()
        }
        tracker.send(.launch)
        tracker.process(.consent(.denied))
        tracker.process(.consent(.granted))
        tracker.send(.background)
        gate.open()
        await tracker.flush()
        // Held, the denial removes the event before it has a number.
        #expect(sink.delivered == [[moment == .open ? 2 : 1]])
    }

    @Test("after scope device, an answer of a person is in effect for this person only")
    func personAfterDevice() async throws {
        let device = process(scope: .device)
        try await device.opened()
        try await device.setConsent(.denied)
        let tracker = process()
        try await tracker.opened()
        tracker.identify("ann")
        #expect(tracker.consent.value == .denied)
        try await tracker.setConsent(.granted)
        #expect(tracker.consent == Self.granted && tracker.send(.launch) != nil)
        tracker.identify("ben")
        #expect(tracker.consent.value == .denied)
    }

    @Test("another user replaces the former one with one change, as other processes see it")
    func replacedAtOnce() async throws {
        let tracker = process()
        try await tracker.opened()
        tracker.identify("ann")
        let number = try #require(dependencies.log.identity?.number)
        tracker.identify("ben")
        let identity = try #require(dependencies.log.identity)
        #expect(identity.number == number + 1 && identity.userID == "ben")
        #expect(tracker.device.store.state.deviceID == identity.deviceID)
    }

    @Test("events, answers and changes of the user at the same time do not wait for each other")
    func threads() async throws {
        let tracker = process()
        try await tracker.opened()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for _ in 1...200 { tracker.send(.launch) } }
            group.addTask {
                for number in 1...200 { tracker.process(.consent(number.isMultiple(of: 50) ? .denied : .granted)) }
            }
            group.addTask {
                for number in 1...200 {
                    tracker.process(number.isMultiple(of: 3) ? .reset : .identify("u\(number)"))
                }
            }
        }
        try await tracker.flushToDisk()
        try await tracker.setConsent(.granted)
        #expect(tracker.consent == Self.granted)
    }
}
