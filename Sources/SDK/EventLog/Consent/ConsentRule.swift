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
///
/// ```swift
/// TrackingConfiguration(consent: .required)                    // nothing is delivered before the person agrees
/// TrackingConfiguration(consent: .required(before: .memory))   // nothing is stored before the person agrees
/// TrackingConfiguration(consent: .required(for: [.ads]))       // only events for ads wait
/// ```
public struct ConsentPolicy: Hashable, Codable, Sendable, CustomStringConvertible {
    /// What happens to a person's events before the answer.
    public enum Waiting: String, CaseIterable, Sendable {
        /// They wait in the log.
        case disk
        /// They wait in memory. Until the person agrees, no file is created or written, no connection is opened, and no id
        /// is made; see the article *Users and consent*.
        case memory
        /// Like ``memory``, but events are only counted. Exempt events wait in memory.
        case nothing
    }

    /// The purposes that wait for an answer; nil for all.
    private let purposes: Set<Purpose>?
    /// What happens to events that wait for an answer.
    public let before: Waiting

    /// Events are delivered until the person denies consent.
    public static let assumed = ConsentPolicy(purposes: [], before: .disk)
    /// Events are kept, and delivered once the person agrees. Stricter than ``assumed``.
    public static let required = ConsentPolicy(purposes: nil, before: .disk)

    /// Requires an answer.
    ///
    /// - Parameter before: What happens to events until then.
    public static func required(before: Waiting) -> ConsentPolicy { ConsentPolicy(purposes: nil, before: before) }

    /// Requires an answer for some purposes; consent to the others is assumed.
    public static func required(for purposes: Set<Purpose>, before: Waiting = .disk) -> ConsentPolicy {
        ConsentPolicy(purposes: purposes, before: before)
    }

    /// Whether events that wait for an answer are not stored.
    package var storesNothingBefore: Bool { before != .disk && purposes != [] }

    /// Whether events of a purpose wait for an answer.
    ///
    /// - Parameter purpose: nil for a purpose that is not named.
    package func isRequired(for purpose: Purpose?) -> Bool {
        guard let purposes else { return true }
        return purpose.map(purposes.contains) ?? false
    }

    /// The purposes that are named.
    package var named: Set<Purpose> { purposes ?? [] }

    fileprivate func names(_ purpose: Purpose?) -> Bool { purpose.map(named.contains) ?? false }

    private static let requiredFor = "required for "

    /// `assumed`, `required`, or `required for` and the purposes; then `before memory` or `before nothing`.
    public var description: String {
        let names = purposes.map { $0.map(\.name).sorted().joined(separator: ", ") }
        return names == "" ? "assumed" : (names.map { Self.requiredFor + $0 } ?? "required") + suffix
    }

    private var suffix: String { before == .disk ? "" : " before \(before.rawValue)" }

    private init(purposes: Set<Purpose>?, before: Waiting) {
        self.purposes = purposes
        self.before = before
    }

    /// Reads a ``description``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        var text = try container.decode(String.self)
        let before = Waiting.allCases.first { $0 != .disk && text.hasSuffix(ConsentPolicy.required(before: $0).suffix) }
        let waiting = before ?? .disk
        text.removeLast(ConsentPolicy.required(before: waiting).suffix.count)
        switch text {
        case "assumed": self = .assumed
        case "required": self = .required(before: waiting)
        case _ where text.hasPrefix(Self.requiredFor):
            let names = text.dropFirst(Self.requiredFor.count).split(separator: ", ")
            self = .required(for: Set(names.map { Purpose(String($0)) }), before: waiting)
        default: throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a policy: \(text)")
        }
    }

    /// Writes the ``description``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
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

/// What a record of consent is about.
public struct ConsentSubject: Hashable, Sendable {
    /// A user's id or a device's id; empty for everyone who uses the log.
    public let person: String
    /// nil for all purposes that have no record of their own.
    public let purpose: Purpose?

    /// Makes a subject.
    public init(_ person: String, for purpose: Purpose? = nil) {
        self.person = person
        self.purpose = purpose
    }

    /// Under which the log stores the record: not the person's id.
    var key: UInt64 { ConsentMirror.key(Consents.key(ofStored: person), for: purpose) }
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
    /// The order of the log's changes of consent: the higher number is the later one. 0 for a change whose order is not
    /// known.
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

    /// Whether the person may still answer.
    var isOpen: Bool { !isAnswered && isReadable && state != .abandoned }

    /// Whether the log knows the state.
    package var isReadable: Bool { state != .unreadable }

    /// Whether it forbids storing or delivering events.
    var isStrict: Bool { state != .granted && state != .assumed }

    var inheritsDenial: Bool { state == .inherited || state == .inheritedRequired }

    /// The state of a person whom a process that requires an answer tracks; nil if the present state stays.
    static func required(_ present: State?) -> State? {
        switch present {
        case nil, .assumed: .required
        case .inherited: .inheritedRequired
        case .required, .inheritedRequired, .granted, .denied, .unreadable, .abandoned: nil
        }
    }

    /// The state of the person after another one; nil for none.
    static func following(_ former: State?, isRequired: Bool) -> State? {
        switch former {
        case .denied, .inherited, .inheritedRequired: isRequired ? .inheritedRequired : .inherited
        case .unreadable: .unreadable
        case nil, .assumed, .required, .abandoned, .granted: isRequired ? .required : nil
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

    /// The record that is in effect for a purpose.
    ///
    /// - Parameters:
    ///   - own: The record of the purpose.
    ///   - all: The record of the purposes that have none of their own. A grant counts for analytics only: it is from the
    ///     time when there were no other purposes.
    static func effective(_ own: ConsentRecord?, all: ConsentRecord?, for purpose: Purpose) -> ConsentRecord? {
        guard let all, all.state != .granted || purpose == .analytics else { return own }
        guard let own else { return all }
        guard own.isReadable, all.isReadable else { return .unreadable }
        // One change has made both.
        if own.number == all.number, own.number > 0 { return own }
        if own.isAnswered || all.isAnswered { return newer(own, all) }
        if own.number > all.number { return own }
        // Another process has changed that of all, and may not have known of the other one.
        let strictest = own.strictness >= all.strictness ? own : all
        let isRequired = own.state == .required || all.state == .required
        return strictest.state == .inherited && isRequired
            ? ConsentRecord(.inheritedRequired, number: strictest.number) : strictest
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
            case .unknown?, nil: answered == 1 ? .abandoned : .required
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
    /// The id under which the policy for the people without a record is stored: those of `Tracker.as(user:)` until they
    /// answer. No user has it, because it is too long.
    package static let others = String(repeating: "*", count: 129)

    fileprivate let record: ConsentRecord?
    private let isRequired: Bool

    /// - Parameters:
    ///   - stored: The record in the log; nil if there is none.
    ///   - isRequired: Whether the process requires an answer; false where only the log decides.
    package init(stored: ConsentRecord?, isRequired: Bool = false) {
        record = stored
        self.isRequired = isRequired
    }

    /// The rule for a person of a log and the events of a purpose.
    ///
    /// - Parameters:
    ///   - policy: The policy of the process; `assumed` where only the log decides.
    ///   - record: Looks up a record. That of everyone precedes the person's, unless it is a later answer.
    package init(
        of person: String, for purpose: Purpose = .analytics, policy: ConsentPolicy = .assumed,
        _ record: (ConsentSubject) throws -> ConsentRecord?
    ) rethrows {
        try self.init(for: purpose, policy: policy) {
            try record(ConsentSubject(Self.everyone, for: $0))
        } person: {
            try record(ConsentSubject(person, for: $0))
        } others: {
            try record(ConsentSubject(Self.others, for: $0))
        }
    }

    /// - Parameters:
    ///   - everyone: Looks up the record of everyone for a purpose, or for all.
    ///   - person: The same for the person.
    ///   - others: The same for people without a record.
    init(
        for purpose: Purpose, policy: ConsentPolicy = .assumed,
        everyone: (Purpose?) throws -> ConsentRecord?, person: (Purpose?) throws -> ConsentRecord?,
        others: (Purpose?) throws -> ConsentRecord?
    ) rethrows {
        // Strictly necessary events need no consent.
        let isExempt = purpose == .exempt
        func found(_ record: (Purpose?) throws -> ConsentRecord?) rethrows -> ConsentRecord? {
            ConsentRecord.effective(try record(purpose), all: try record(nil), for: purpose)
        }
        self.init(
            stored: isExempt
                ? nil : try ConsentRecord.effective(found(everyone)) { try found(person) ?? found(others) },
            isRequired: !isExempt && policy.isRequired(for: purpose))
    }

    /// The rule for a person whose only known record is the answer that the person gave just now; nil if there is none.
    package init(answer: ConsentChoice?) {
        self.init(stored: answer.map { ConsentRecord(answer: $0, number: 0) } ?? .unreadable)
    }

    /// The consent in effect.
    package var status: ConsentStatus {
        let consent: Consent =
            switch record?.state {
            case nil, .assumed: isRequired ? .unknown : .granted
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

    /// Stands for the purposes that have no record of their own. No event has it.
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
