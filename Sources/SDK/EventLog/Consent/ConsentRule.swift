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

    let record: ConsentRecord?
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
