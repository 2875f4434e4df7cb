import CrashSupport

/// Compares deliveries, log and files with the calls of all processes.
///
/// A call whose process was killed may or may not have been in effect. All histories that the events and the stated consents
/// allow are followed; an error is an observation that no history allows.
struct PeopleAudit {
    private(set) var findings = Findings()
    /// The figures for the table.
    private(set) var counts: [Count: Int] = [:]
    private(set) var maximumHistories = 0

    enum Count: String, CaseIterable {
        case acknowledged, delivered
        case denied = "dropped after a denial"
        case removed = "removed by a denial"
        case unanswered = "removed by a sign-out"
        case held = "held at the end"
        case inDoubt = "calls in doubt"
        case concurrent = "sent during another thread's change of the identity"
    }

    private static let maximumCount = 4_096

    private let evidence: PeopleEvidence
    private let calls: [PersonCall]
    private let events: [(event: SentMarker, position: Position)]
    private var histories: [PersonHistory]
    /// The users of delivered and stored events.
    private var users: [Marker: Set<String?>] = [:]
    private let delivered: Set<Marker>

    /// An event among the calls.
    private struct Position {
        /// How many calls were in effect before the event was sent.
        let before: Int
        /// The calls that may have been in effect before or after.
        let during: Range<Int>
        let isCertain: Bool
    }

    init(_ evidence: PeopleEvidence) {
        self.evidence = evidence
        let calls = evidence.apps.flatMap(\.calls).sorted { $0.begin < $1.begin }
        self.calls = calls
        events = (evidence.apps + evidence.widgets).flatMap(\.events.values).map { event in
            (event, Self.position(event, among: calls))
        }.sorted { ($0.position.before, $0.event.begin) < ($1.position.before, $1.event.begin) }
        let lines = evidence.deliveries.flatMap(\.events)
        delivered = Set(lines.map(\.marker))
        for line in lines { users[line.marker, default: []].insert(line.user) }
        for (marker, event) in evidence.stored { users[marker, default: []].insert(event.user) }
        histories = [PersonHistory(requiresConsent: evidence.requiresConsent)]
        follow()
        checkDeliveries()
        for (event, position) in events { check(event, position) }
    }

    private static func position(_ event: SentMarker, among calls: [PersonCall]) -> Position {
        let before =
            calls.firstIndex { call in
                // A process performs its calls in their order, even while its log is being opened.
                (call.run == event.marker.run ? call.returned : call.end) > event.begin
            } ?? calls.count
        let after =
            calls[before...].firstIndex { call in
                let isPending = event.outcome == .pending && call.run != event.marker.run
                return call.begin >= (isPending ? event.numbered : event.end)
            } ?? calls.count
        return Position(
            before: before, during: before..<after,
            isCertain: !calls[before..<after].contains { $0.change.changesIdentity })
    }

    // MARK: Histories

    private mutating func follow() {
        var rest = events[...]
        let statements = evidence.apps.compactMap { app in
            app.statement.map { stated in (stated, calls.firstIndex { $0.begin > stated.time } ?? calls.count) }
        }
        for number in 0...calls.count {
            // A statement precedes later events, whose outcomes imply the same.
            while let (event, position) = rest.first, position.before == number {
                rest.removeFirst()
                if position.isCertain { send(event, position) }
            }
            for case (let stated, number) in statements {
                keep(.wrongConsent, "\(stated.value), answered: \(stated.isAnswered), before call \(number + 1)") {
                    $0.consent == (stated.value, stated.isAnswered)
                }
            }
            guard number < calls.count else { break }
            perform(number)
        }
    }

    private mutating func perform(_ number: Int) {
        let call = calls[number]
        // An agreement during the same `send` may precede the event.
        let later = Set(
            events.filter { _, position in
                position.during.contains(number)
                    && calls[position.during].contains { $0.change == .answer(isGranted: true) }
            }.map(\.event.marker))
        var others = call.isInDoubt ? histories : []
        if call.isInDoubt, call.change.identifiesUser {
            // The process may have ended between the parts of the call.
            for part in [PersonHistory.Part.signOut, .consent] {
                for var history in histories where history.hasUser || part == .consent {
                    history.perform(call, number: number + 1, later: later, through: part)
                    others.append(history)
                }
            }
        }
        if call.isInDoubt { counts[.inDoubt, default: 0] += 1 }
        for index in histories.indices { histories[index].perform(call, number: number + 1, later: later) }
        histories += others
        maximumHistories = max(maximumHistories, histories.count)
        guard histories.count > Self.maximumCount else { return }
        findings.add(.failed, "too many histories after call \(number + 1)")
        histories.removeSubrange(Self.maximumCount...)
    }

    private mutating func send(_ event: SentMarker, _ position: Position) {
        if position.during.isEmpty, event.outcome == .dropped || event.outcome == .numbered {
            let isDropped = event.outcome == .dropped
            keep(.wrongConsent, "\(event.marker) was \(isDropped ? "dropped" : "accepted")") {
                ($0.consent.value == "denied") == isDropped
            }
        }
        for index in histories.indices { histories[index].send(event.marker) }
        for user in users[event.marker] ?? [] {
            keep(.wrongPerson, "\(event.marker) has the user \(user ?? "nil")") { $0.matches(event.marker, user: user) }
        }
    }

    private enum Observation { case wrongPerson, wrongConsent }

    /// Drops the histories that contradict an observation. If all do, it is an error.
    private mutating func keep(
        _ kind: Observation, _ observation: @autoclosure () -> String, where isPossible: (inout PersonHistory) -> Bool
    ) {
        var kept: [PersonHistory] = []
        for history in histories {
            var history = history
            if isPossible(&history) { kept.append(history) }
        }
        if kept.isEmpty {
            findings.add(kind == .wrongPerson ? .wrongPerson : .wrongConsent, observation())
        } else {
            histories = kept
        }
    }

    // MARK: Comparisons

    private mutating func checkDeliveries() {
        let certain = Set(events.filter(\.position.isCertain).map(\.event.marker))
        let known = Set(events.map(\.event.marker))
        for delivery in evidence.deliveries {
            for marker in delivery.events.map(\.marker) {
                if !known.contains(marker) { findings.add(.invented, "\(marker) in batch \(delivery.batch)") }
                guard certain.contains(marker),
                    !histories.contains(where: { $0.mayDeliver(marker, at: delivery.begun) })
                else { continue }
                findings.add(
                    .deliveredWithoutConsent, "\(marker) in batch \(delivery.batch), begun at \(delivery.begun)")
            }
        }
    }

    private mutating func check(_ event: SentMarker, _ position: Position) {
        let marker = event.marker
        let isDelivered = delivered.contains(marker)
        let stored = evidence.stored[marker]
        if isDelivered { counts[.delivered, default: 0] += 1 }
        if !position.isCertain { counts[.concurrent, default: 0] += 1 }
        if event.outcome == .dropped {
            counts[.denied, default: 0] += 1
            if stored != nil || isDelivered { findings.add(.keptThoughRefused, "\(marker)") }
            if evidence.inFiles.contains(marker) { findings.add(.keptThoughDenied, "\(marker), dropped, in a file") }
            return
        }
        if let seq = event.seq {
            counts[.acknowledged, default: 0] += 1
            if let stored, stored.seq != seq {
                findings.add(.misnumbered, "\(marker): \(stored.seq) instead of \(seq)")
            }
            if stored == nil { checkRemoved(event, seq, position, isDelivered: isDelivered) }
        }
        guard position.isCertain, stored != nil, !isDelivered else { return }
        if histories.allSatisfy({ $0.removal(of: marker) == .certain }) {
            findings.add(.keptThoughDenied, "\(marker) is in the log")
        }
        if histories.allSatisfy({ $0.mustDeliver(marker) }) {
            findings.add(.undelivered, "\(marker)")
        } else {
            counts[.held, default: 0] += 1
        }
    }

    /// Checks an event with a number that is not in the log.
    private mutating func checkRemoved(_ event: SentMarker, _ seq: Int64, _ position: Position, isDelivered: Bool) {
        let (marker, reason) = (event.marker, evidence.reason(of: seq))
        guard reason == "opted-out" || reason == "unanswered" else {
            findings.add(.lost, "\(marker), number \(seq): \(reason ?? "not in the ledger")")
            return
        }
        counts[reason == "opted-out" ? .removed : .unanswered, default: 0] += 1
        let isExplained =
            !position.isCertain
            || calls[position.during].contains { $0.change == .answer(isGranted: false) }
            || histories.contains { $0.removal(of: marker) != nil }
        if !isExplained { findings.add(.lost, "\(marker), number \(seq): \(reason ?? ""), without a denial") }
        if evidence.inFiles.contains(marker), !isDelivered {
            findings.add(.keptThoughDenied, "\(marker), number \(seq), removed, in a file")
        }
    }
}
