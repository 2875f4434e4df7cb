public import EventModel

/// A person's answer. The log keeps every answer, as the proof of consent.
public struct ConsentAnswer: Hashable, Sendable {
    /// What the person answered.
    public let choice: ConsentChoice
    /// The purposes that the answer is for; nil for all, also for those that an app adds later. A grant names its purposes.
    public let purposes: [Purpose]?
    /// The ids of the person: the user, and the id of the device, which earlier events of the same person have.
    public let people: [String]
    /// When the person answered.
    public let time: EventTime
    /// The policy at that time.
    public let policy: ConsentPolicy
    /// The version of the app that asked; nil if unknown.
    public let app: String?

    /// Makes an answer.
    ///
    /// - Parameter purposes: nil for all; a grant without purposes is for analytics.
    public init(
        _ choice: ConsentChoice, for purposes: [Purpose]? = nil, people: [String], time: EventTime,
        policy: ConsentPolicy = .assumed, app: String? = nil
    ) {
        self.choice = choice
        self.purposes = purposes ?? (choice.isGranted ? [.analytics] : nil)
        self.people = people
        self.time = time
        self.policy = policy
        self.app = app
    }
}

/// A change of people's consent.
public enum ConsentChange: Hashable, Sendable {
    /// A person answered.
    case answer(ConsentAnswer)
    /// A process with this policy tracks the person.
    case policy(ConsentPolicy, person: String)
    /// The anonymous person has turned out to be the user.
    case link(anonymous: String, user: String, ConsentPolicy)
    /// A new anonymous person follows another person. Events of a former anonymous person that wait for an answer are
    /// removed: no person could give it.
    case reset(former: String, wasAnonymous: Bool, anonymous: String, ConsentPolicy)

    /// The answer; nil for another change.
    var answer: ConsentAnswer? { if case .answer(let answer) = self { answer } else { nil } }

    /// The anonymous person and the user of a sign-in; nil for another change.
    var linked: (anonymous: String, user: String)? {
        if case .link(let anonymous, let user, _) = self { (anonymous, user) } else { nil }
    }

    /// The purposes that the change names.
    package var purposes: [Purpose] {
        switch self {
        case .answer(let answer): answer.purposes ?? []
        case .policy(let policy, _), .link(_, _, let policy), .reset(_, _, _, let policy): Array(policy.named)
        }
    }

    /// The person who follows another one, and has no events yet; nil for another change.
    var newPerson: String? { if case .reset(_, _, let anonymous, _) = self { anonymous } else { nil } }

    /// The records that the change makes.
    ///
    /// - Parameters:
    ///   - number: The number of the change.
    ///   - purposes: The purposes that the log knows: each may have its own records.
    ///   - record: Looks up a record.
    package func records(
        number: Int64, purposes: [Purpose], _ record: (ConsentSubject) throws -> ConsentRecord?
    ) rethrows -> [ConsentSubject: ConsentRecord] {
        var made: [ConsentSubject: ConsentRecord] = [:]
        let named = Set(purposes + self.purposes + [.analytics]).sorted { $0.name < $1.name }
        let known = [nil] + named.map(Optional.some)
        func set(_ person: String, for purpose: Purpose?, _ state: ConsentRecord.State) {
            made[ConsentSubject(person, for: purpose)] =
                state == .unreadable ? .unreadable : ConsentRecord(state, number: number)
        }
        switch self {
        case .answer(let answer):
            for person in answer.people {
                for purpose in answer.purposes.map({ $0.map(Optional.some) }) ?? [nil] {
                    set(person, for: purpose, answer.choice.isGranted ? .granted : .denied)
                }
            }
        case .policy(let policy, let person):
            for purpose in known where policy.isRequired(for: purpose) {
                let (present, isOwn) = try Self.present(of: person, for: purpose, record)
                if purpose != nil, !isOwn, policy.isRequired(for: nil) { continue }
                let state = present?.isReadable == false ? .unreadable : ConsentRecord.required(present?.state)
                if let state {
                    set(person, for: purpose, state)
                } else if purpose != nil, isOwn, made[ConsentSubject(person)] != nil, let present, present.isOpen {
                    // Otherwise the later record of all would precede it.
                    set(person, for: purpose, present.state)
                }
            }
        case .link(let anonymous, let user, let policy):
            for purpose in known {
                let (one, isOnesOwn) = try Self.present(of: anonymous, for: purpose, record)
                let (other, isOthersOwn) = try Self.present(of: user, for: purpose, record)
                guard purpose == nil || isOnesOwn || isOthersOwn || policy.names(purpose) else { continue }
                let linked = Self.linked(one, other, isRequired: policy.isRequired(for: purpose), number: number)
                // The purpose may differ from the others.
                guard let linked = linked ?? purpose.map({ _ in ConsentRecord(.assumed, number: number) }) else {
                    continue
                }
                for person in [anonymous, user] { made[ConsentSubject(person, for: purpose)] = linked }
            }
        case .reset(let former, let wasAnonymous, let anonymous, let policy):
            var all: ConsentRecord.State?
            for purpose in known {
                let (present, isOwn) = try Self.present(of: former, for: purpose, record)
                let next = ConsentRecord.following(present?.state, isRequired: policy.isRequired(for: purpose))
                if purpose == nil {
                    all = next
                    if let next { set(anonymous, for: nil, next) }
                } else if next != all, isOwn || policy.names(purpose) {
                    set(anonymous, for: purpose, next ?? .assumed)
                }
                guard wasAnonymous, isOwn || purpose == nil else { continue }
                if present?.state == .required { set(former, for: purpose, .abandoned) }
                if present?.state == .unreadable { set(former, for: purpose, .unreadable) }
            }
        }
        return made
    }

    /// The record in effect for a purpose, and whether it is a record of this purpose only.
    private static func present(
        of person: String, for purpose: Purpose?, _ record: (ConsentSubject) throws -> ConsentRecord?
    ) rethrows -> (ConsentRecord?, isOwn: Bool) {
        let all = try record(ConsentSubject(person))
        guard let purpose else { return (all, false) }
        let own = try record(ConsentSubject(person, for: purpose))
        return (ConsentRecord.effective(own, all: all, for: purpose), own != nil)
    }

    private static func linked(
        _ anonymous: ConsentRecord?, _ user: ConsentRecord?, isRequired: Bool, number: Int64
    ) -> ConsentRecord? {
        let known = [anonymous, user].compactMap(\.self)
        if known.contains(where: { $0.state == .unreadable }) { return .unreadable }
        if known.contains(where: \.isAnswered) { return ConsentRecord.newer(anonymous, user) }
        let isRequired = isRequired || known.contains { $0.state == .required || $0.state == .inheritedRequired }
        if anonymous?.inheritsDenial == true {
            return ConsentRecord(isRequired ? .inheritedRequired : .inherited, number: number)
        }
        if isRequired { return ConsentRecord(.required, number: number) }
        // A denial that the user inherited long ago ends.
        return user?.inheritsDenial == true ? ConsentRecord(.assumed, number: number) : nil
    }
}

/// A change of consent that has its number and is in effect, and may not be stored yet.
public struct NumberedConsentChange: Hashable, Sendable {
    package let change: ConsentChange
    package let number: Int64
    /// The number of the newest event when the change was made: it removes no later ones.
    package let end: Int64
    /// The records that the change makes; ``ConsentRecord/unreadable`` until the database decides.
    package let records: [ConsentSubject: ConsentRecord]
    /// Whether nothing is to be stored.
    package var isEmpty: Bool {
        change.answer == nil && change.linked == nil && records.isEmpty
    }

    /// The removals that follow from records that are stored.
    ///
    /// - Parameters:
    ///   - end: The newest event, for people whose consent is still denied.
    ///   - purposes: The purposes that the log knows.
    ///   - newest: Looks up the newest record.
    func removals(
        _ records: [ConsentSubject: ConsentRecord], through end: Int64, purposes: [Purpose],
        _ newest: (ConsentSubject) throws -> ConsentRecord?
    ) rethrows -> [Discards.Removal] {
        func removal(
            _ person: String, _ purpose: Purpose?, of record: ConsentRecord
        ) throws -> Discards.Removal? {
            let subject = ConsentSubject(person, for: purpose)
            let rule = try ConsentRule(of: person, for: purpose ?? Self.others, newest)
            if let reason = rule.removalReason { return Discards.Removal(of: subject, because: reason, through: end) }
            // The person has agreed in the meantime: earlier events are removed all the same.
            let everyone = ConsentSubject(ConsentRule.everyone, for: purpose)
            let former = person == ConsentRule.everyone ? nil : try newest(everyone)
            guard let reason = ConsentRecord.effective(former, { record })?.removalReason else { return nil }
            return Discards.Removal(of: subject, because: reason, through: self.end)
        }
        var removals: [Discards.Removal] = []
        // A new person has no events.
        for (subject, record) in records where subject.person != change.newPerson {
            let person = subject.person
            guard subject.purpose == nil else {
                if let made = try removal(person, subject.purpose, of: record) { removals.append(made) }
                continue
            }
            guard record.removalReason != nil else { continue }
            let own = try Set(purposes + [.analytics]).map { (purpose: Purpose) -> Discards.Removal? in
                // The change has made a record of the purpose itself.
                if self.records[ConsentSubject(person, for: purpose)] != nil { return nil }
                // An agreement to a purpose that is older than this change, and not ended by it.
                let rule = try ConsentRule(of: person, for: purpose, newest)
                let isKept = rule.removalReason == nil && rule.record?.number ?? 0 <= number
                return isKept ? nil : try removal(person, purpose, of: record)
            }
            let all = try removal(person, nil, of: record)
            if let all, own.allSatisfy({ $0?.end == all.end && $0?.reason == all.reason }) {
                removals.append(all)
            } else {
                removals += own.compactMap(\.self)
            }
        }
        return removals
    }

    /// Represents the purposes without a separate record. No event has it.
    private static let others: Purpose = ""

    package init(
        _ change: ConsentChange, number: Int64, end: Int64, records: [ConsentSubject: ConsentRecord]
    ) {
        self.change = change
        self.number = number
        self.end = end
        self.records = records
    }
}
