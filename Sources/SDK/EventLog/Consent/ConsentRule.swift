public import EventModel

/// Whether a person's events may be stored and delivered.
public enum Consent: String, Sendable {
    /// Events are stored and delivered.
    case granted
    /// Events are dropped. Events that at least one consumer has not received are removed.
    case denied
    /// The person has not answered yet. Events are stored, and delivered once the person agrees.
    case unknown
}

/// The consent of people who have not answered.
public enum ConsentPolicy: String, CaseIterable, Codable, Sendable {
    /// Events are delivered until the person denies consent.
    case assumed
    /// Events are kept, and delivered once the person agrees. Stricter than ``assumed``.
    case required
}

/// A person's consent, and whether this person has answered.
public struct ConsentStatus: Hashable, Sendable {
    /// The consent in effect.
    public let value: Consent
    /// Whether the person has answered. Otherwise the consent comes from the policy or from the former user of the device.
    public let isAnswered: Bool

    /// Whether events are delivered.
    public var isGranted: Bool { value == .granted }

    package init(_ value: Consent, isAnswered: Bool) {
        self.value = value
        self.isAnswered = isAnswered
    }
}

/// A person's answer.
public enum ConsentChoice: String, CaseIterable, Codable, Sendable {
    /// Events are stored and delivered.
    case granted
    /// Events are dropped, and those that are not delivered yet are removed.
    case denied

    var isGranted: Bool { self == .granted }
}

/// What a log stores about a person's consent.
public struct ConsentRecord: Hashable, Sendable {
    /// The state of a person's consent. The raw values are in the control file.
    public enum State: UInt8, CaseIterable, Sendable {
        /// Not answered: events are delivered.
        case assumed = 1
        /// Not answered: events wait.
        case required
        /// Not answered: the former user of the device denied consent.
        case inherited
        /// Answered.
        case granted
        /// Answered.
        case denied
        /// Like ``inherited``, for a person who is otherwise ``required``.
        case inheritedRequired
        /// Not answered by an anonymous person who was signed out: the events that wait are removed.
        case abandoned
        /// The record cannot be read where it was looked up; the database has it. Never stored.
        case unreadable
    }

    /// The state.
    public let state: State
    /// The order of the log's changes of consent: the higher number is the later one. 0 for changes before format 5 of the
    /// database, whose order is not known.
    public let number: Int64

    package init(_ state: State, number: Int64) {
        self.state = state
        self.number = number
    }

    package init(answer: ConsentChoice, number: Int64) {
        self.init(answer == .granted ? State.granted : State.denied, number: number)
    }

    package static let unreadable = ConsentRecord(.unreadable, number: 0)

    /// Whether the person has answered.
    public var isAnswered: Bool { state == .granted || state == .denied }

    /// Whether the log knows the state.
    package var isReadable: Bool { state != .unreadable }

    var inheritsDenial: Bool { state == .inherited || state == .inheritedRequired }

    /// The state of a person whom a process with the policy `required` tracks; nil if the present state stays.
    static func required(_ present: State?) -> State? {
        switch present {
        case nil, .assumed: .required
        case .inherited: .inheritedRequired
        case .required, .inheritedRequired, .granted, .denied, .unreadable, .abandoned: nil
        }
    }

    /// Whether the person is like one without a record.
    var isStandard: Bool { state == .assumed }

    /// The record that is in effect if two are known. An answer precedes everything else, because a person who has
    /// answered never becomes one who has not. Otherwise the later change precedes, or the stricter one if the order is
    /// not known.
    package static func newer(_ one: ConsentRecord?, _ other: ConsentRecord?) -> ConsentRecord? {
        guard let one, let other else { return one ?? other }
        if one.isAnswered != other.isAnswered { return one.isAnswered ? one : other }
        if one.number != other.number { return one.number > other.number ? one : other }
        return one.strictness >= other.strictness ? one : other
    }

    /// The record that is in effect for a person: that of everyone, unless the person has answered later.
    static func effective(
        _ everyone: ConsentRecord?, _ person: () throws -> ConsentRecord?
    ) rethrows -> ConsentRecord? {
        let own = try person()
        guard let everyone else { return own }
        return own.map { $0.isAnswered && $0.number > everyone.number } == true ? own : everyone
    }

    /// A record from the columns `consent` and `is_answered` of the database.
    init(column consent: String, answered: Int, number: Int64) {
        let state: State =
            switch Consent(rawValue: consent) {
            case .granted?: answered == 0 ? .assumed : .granted
            case .denied?: answered == 0 ? .inherited : answered == 2 ? .inheritedRequired : .denied
            // Format 4 has no numbers.
            case .unknown?, nil: answered == 1 && number > 0 ? .abandoned : .required
            }
        self.init(state, number: ConsentMirror.numbers ~= number ? number : 0)
    }

    /// The value of the column `consent`.
    var column: String { ConsentRule(stored: self).status.value.rawValue }

    /// The value of the column `is_answered`: 0, 1 if no answer is expected any more, 2 for
    /// ``State/inheritedRequired``.
    var answeredColumn: Int { isAnswered || state == .abandoned ? 1 : state == .inheritedRequired ? 2 : 0 }

    /// The reason to remove the person's events; nil if they stay.
    var removalReason: DropReason? {
        state == .abandoned ? .unanswered : ConsentRule(stored: self).mayStore ? nil : .optedOut
    }

    /// The states of a slot in version 3 of the control file.
    static let formerStates: [State?] = [nil, .granted, .denied, .required]

    private var strictness: Int {
        switch state {
        case .assumed: 0
        case .granted: 1
        case .required: 2
        case .abandoned: 3
        case .unreadable: 4
        case .inherited: 5
        case .inheritedRequired: 6
        case .denied: 7
        }
    }
}

/// Whether consent is given by each person, or once for all people who use the log.
public enum ConsentScope: Sendable {
    /// Each person answers. The usual scope.
    case person
    /// One answer is valid for the log, for every user.
    case device
}

/// Decides about consent: for a tracker, for the mover, which discards events, for the delivery, and for tools that read a
/// log. No other type does.
package struct ConsentRule {
    /// The id under which an answer for everyone is stored; see ``ConsentScope/device``.
    package static let everyone = ""

    private let record: ConsentRecord?
    private let policy: ConsentPolicy

    /// - Parameters:
    ///   - stored: The record in the log; nil if there is none.
    ///   - pending: The newest change that is not in the log yet; nil if there is none.
    ///   - policy: The policy of the process; `assumed` where only the log decides.
    package init(stored: ConsentRecord?, pending: ConsentRecord? = nil, policy: ConsentPolicy = .assumed) {
        record = ConsentRecord.newer(stored, pending)
        self.policy = policy
    }

    /// The rule for a person of a log.
    ///
    /// - Parameter record: Looks up the record of a person. That of everyone precedes it, unless it is a later answer.
    package init(
        of person: String, pending: ConsentRecord? = nil, policy: ConsentPolicy = .assumed,
        _ record: (String) throws -> ConsentRecord?
    ) rethrows {
        self.init(
            stored: try ConsentRecord.effective(record(Self.everyone)) { try record(person) }, pending: pending,
            policy: policy)
    }

    /// The rule for a person whose only known record is the answer that the person gave just now; nil if there is none.
    package init(answer: ConsentChoice?) {
        self.init(stored: answer.map { ConsentRecord(answer: $0, number: 0) } ?? .unreadable)
    }

    /// The consent in effect.
    package var status: ConsentStatus {
        let consent: Consent =
            switch record?.state {
            case nil, .assumed: policy == .required ? .unknown : .granted
            case .required, .abandoned, .unreadable: .unknown
            case .inherited, .inheritedRequired, .denied: .denied
            case .granted: .granted
            }
        return ConsentStatus(consent, isAnswered: record?.isAnswered ?? false)
    }

    /// Whether an event is stored. Otherwise it is dropped, or discarded if it is already stored.
    package var mayStore: Bool { status.value != .denied }

    /// Whether a stored event is delivered.
    package var mayDeliver: Bool { status.isGranted }

    /// The reason to remove a stored event; nil if it stays.
    package var removalReason: DropReason? { record?.removalReason }

    /// Whether a stored event waits for the person's answer.
    package var isHolding: Bool { removalReason == nil && !mayDeliver }
}

/// A person's answer. The log keeps every answer, as the proof of consent.
public struct ConsentAnswer: Hashable, Sendable {
    /// What the person answered.
    public let choice: ConsentChoice
    /// The ids of the person: the user, and the id of the device, which earlier events of the same person have.
    public let people: [String]
    /// When the person answered.
    public let time: EventTime
    /// The policy at that time.
    public let policy: ConsentPolicy
    /// The version of the app that asked; nil if unknown.
    public let app: String?

    /// Makes an answer.
    public init(
        _ choice: ConsentChoice, people: [String], time: EventTime, policy: ConsentPolicy = .assumed, app: String? = nil
    ) {
        self.choice = choice
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

    /// The person who follows another one, and has no events yet; nil for another change.
    var newPerson: String? { if case .reset(_, _, let anonymous, _) = self { anonymous } else { nil } }

    /// The records that the change makes.
    ///
    /// - Parameters:
    ///   - number: The number of the change.
    ///   - record: Looks up a person's record.
    package func records(
        number: Int64, _ record: (String) throws -> ConsentRecord?
    ) rethrows -> [String: ConsentRecord] {
        switch self {
        case .answer(let answer):
            let made = ConsentRecord(answer: answer.choice, number: number)
            return Dictionary(answer.people.map { ($0, made) }, uniquingKeysWith: { one, _ in one })
        case .policy(let policy, let person):
            let present = try record(person)
            if policy == .required, present?.isReadable == false { return [person: .unreadable] }
            guard policy == .required, let state = ConsentRecord.required(present?.state) else { return [:] }
            return [person: ConsentRecord(state, number: number)]
        case .link(let anonymous, let user, let policy):
            let made = Self.linked(try record(anonymous), try record(user), policy, number: number)
            guard let made else { return [:] }
            return [anonymous: made, user: made]
        case .reset(let former, let wasAnonymous, let anonymous, let policy):
            let known = try record(former)?.state
            let state: ConsentRecord.State? =
                switch known {
                case .denied, .inherited, .inheritedRequired: policy == .required ? .inheritedRequired : .inherited
                case .unreadable: .unreadable
                case nil, .assumed, .required, .abandoned, .granted: policy == .required ? .required : nil
                }
            var made = state.map { [anonymous: ConsentRecord($0, number: number)] } ?? [:]
            if wasAnonymous, known == .required { made[former] = ConsentRecord(.abandoned, number: number) }
            if wasAnonymous, known == .unreadable { made[former] = .unreadable }
            return made
        }
    }

    private static func linked(
        _ anonymous: ConsentRecord?, _ user: ConsentRecord?, _ policy: ConsentPolicy, number: Int64
    ) -> ConsentRecord? {
        let known = [anonymous, user].compactMap(\.self)
        if known.contains(where: { $0.state == .unreadable }) { return .unreadable }
        if known.contains(where: \.isAnswered) { return ConsentRecord.newer(anonymous, user) }
        let isRequired =
            policy == .required || known.contains { $0.state == .required || $0.state == .inheritedRequired }
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
    package let records: [String: ConsentRecord]
    /// Whether nothing is to be stored.
    package var isEmpty: Bool {
        change.answer == nil && change.linked == nil && records.isEmpty
    }

    /// The removals that follow from records that are stored.
    ///
    /// - Parameters:
    ///   - end: The newest event, for people whose consent is still denied.
    ///   - newest: Looks up a person's newest record.
    func removals(
        _ records: [String: ConsentRecord], through end: Int64, _ newest: (String) throws -> ConsentRecord?
    ) rethrows -> [Discards.Removal] {
        let everyone = try newest(ConsentRule.everyone)
        return try records.compactMap { person, record in
            // A new person has no events.
            guard person != change.newPerson else { return nil }
            let former = person == ConsentRule.everyone ? nil : everyone
            if let reason = try ConsentRecord.effective(former, { try newest(person) })?.removalReason {
                return Discards.Removal(of: person, because: reason, through: end)
            }
            // The person has agreed in the meantime: earlier events are removed all the same.
            guard let reason = ConsentRecord.effective(former, { record })?.removalReason else { return nil }
            return Discards.Removal(of: person, because: reason, through: self.end)
        }
    }

    package init(_ change: ConsentChange, number: Int64, end: Int64, records: [String: ConsentRecord]) {
        self.change = change
        self.number = number
        self.end = end
        self.records = records
    }
}
