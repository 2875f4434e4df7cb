internal import EventLog
internal import EventModel
internal import Primitives

/// An event that was sent before the log was open: encoded, with the id and the time of the call.
struct HeldEvent: Sendable {
    let event: any TrackingEvent
    let kind: EventKind
    let id: EventID
    let time: EventTime
    let value: [UInt8]
    /// The user of `Tracker.as(user:)`; nil for the present person.
    let user: User?
    /// Waits for the event's number; nil if no caller does.
    let claim: Awaited<TrackingReceipt?>?

    var countedBytes: Int { max(value.count, HeldCalls.minimumBytes) }
}

/// A change of the identity or of consent.
enum SenderCall: Sendable {
    /// nil for an id that is not valid.
    case identify(String?)
    case reset
    /// For all purposes if they are nil; of the present person without a user.
    case answer(ConsentChoice, for: [Purpose]?, at: EventTime, of: String?, stored: Awaited<Void>)

    /// Waits until an answer is stored; nil for another call.
    var stored: Awaited<Void>? { if case .answer(_, _, _, _, let stored) = self { stored } else { nil } }
}

/// The answers of a person before the log is open.
struct HeldAnswers: Sendable {
    private var named: [Purpose: ConsentChoice] = [:]
    private var others: ConsentChoice?

    var isAnswered: Bool { others != nil || !named.isEmpty }

    /// The answer for a purpose; nil if there is none.
    subscript(purpose: Purpose) -> ConsentChoice? { purpose == .exempt ? .granted : named[purpose] ?? others }

    /// - Parameter purposes: nil for all.
    mutating func add(_ choice: ConsentChoice, for purposes: [Purpose]?) {
        guard let purposes else {
            named = [:]
            others = choice
            return
        }
        for purpose in purposes { named[purpose] = choice }
    }
}

/// The calls that were made before the log was open, in their order: at the opening, they are performed like later
/// calls. So each event has the user, the session and the consent that it would have if the log had been open.
struct HeldCalls: Sendable {
    enum Call: Sendable {
        case event(HeldEvent)
        case change(SenderCall)

        var event: HeldEvent? { if case .event(let event) = self { event } else { nil } }

        var changesIdentity: Bool {
            switch self {
            case .change(.identify), .change(.reset): true
            case .event, .change(.answer): false
            }
        }
    }

    /// The bytes that are counted for an event with a shorter value or none, so that the number of events is limited, too.
    static let minimumBytes = 8

    let maximumBytes: Int
    private var calls: [Call] = []
    private var bytes = 0
    /// The purposes of the plan, or analytics.
    private let purposes: [Purpose]
    /// The answers that are valid for the next event, if they are certain before the identity is known.
    private var answers = HeldAnswers()
    /// The answers of the users of `Tracker.as(user:)`.
    private var userAnswers: [String: HeldAnswers] = [:]
    /// Whether one answer is valid for every user.
    private let isShared: Bool

    /// - Parameter purposes: The purposes for which a grant that names none is valid.
    init(maximumBytes: Int, purposes: [Purpose] = [.analytics], isShared: Bool = false) {
        self.maximumBytes = maximumBytes
        self.purposes = purposes
        self.isShared = isShared
    }

    /// The answers that are valid for the next event of a user; of the present person without one.
    func answers(of user: String?) -> HeldAnswers {
        guard let user, !isShared else { return answers }
        return userAnswers[user] ?? HeldAnswers()
    }

    var isEmpty: Bool { calls.isEmpty }

    /// Whether an exempt event of the present person is held: also of a user who was signed out in between.
    ///
    /// - Parameter initial: The user at the start.
    func holdsExempt(by initial: String?) -> Bool {
        let spans = spans(from: initial)
        let present = spans.last?.user
        let theirs = present == nil ? Array(spans.suffix(1)) : spans.filter { $0.user == present }
        return theirs.contains { span in
            calls[span.calls].contains { call in
                call.event.map { $0.user == nil && $0.kind.purpose == .exempt } ?? false
            }
        }
    }

    /// Who was the present person, between sign-outs.
    private func spans(from initial: String?) -> [(calls: Range<Int>, user: String?)] {
        var spans = [(calls: calls.indices, user: initial)]
        func change(to user: String?, at index: Int) {
            spans[spans.count - 1].calls = spans[spans.count - 1].calls.lowerBound..<index
            spans.append((index..<calls.count, user))
        }
        for (index, call) in calls.enumerated() {
            switch call {
            case .change(.identify(let user?)) where spans[spans.count - 1].user == nil:
                spans[spans.count - 1].user = user
            case .change(.identify(let user)) where spans[spans.count - 1].user != user: change(to: user, at: index)
            case .change(.reset): change(to: nil, at: index)
            default: break
            }
        }
        return spans
    }

    /// Whether the present person has answered since the last change of the identity.
    var hasAnswer: Bool { answers.isAnswered }
    /// Whether a user of `Tracker.as(user:)` has answered.
    var hasUserAnswer: Bool { !userAnswers.isEmpty }

    /// The changes in their order.
    var changes: [SenderCall] { calls.compactMap { if case .change(let change) = $0 { change } else { nil } } }

    /// - Returns: Whether there was room.
    mutating func hold(_ event: HeldEvent) -> Bool {
        guard bytes + event.countedBytes <= maximumBytes else { return false }
        bytes += event.countedBytes
        calls.append(.event(event))
        return true
    }

    /// - Returns: The events that are dropped because their person has denied consent. Events before a change of the
    ///   identity may be another person's; they are removed once the identity is known.
    mutating func hold(_ change: SenderCall) -> [HeldEvent] {
        var dropped: [HeldEvent] = []
        switch change {
        case .answer(let choice, let named, _, let user, _):
            let covered = named ?? (choice == .granted ? purposes : nil)
            if let user, !isShared {
                userAnswers[user, default: HeldAnswers()].add(choice, for: covered)
            } else {
                answers.add(choice, for: covered)
            }
            if choice == .denied { dropped = removeLastEvents(of: user) { named?.contains($0) ?? true } }
        // The next person may have answered earlier.
        case .identify, .reset: answers = HeldAnswers()
        }
        calls.append(.change(change))
        return dropped
    }

    /// Removes the events of denied purposes: a user's, or those of the present person after the last change of the
    /// identity.
    private mutating func removeLastEvents(of user: String?, _ isDenied: (Purpose) -> Bool) -> [HeldEvent] {
        let start = user == nil || isShared ? calls.lastIndex { $0.changesIdentity }.map { $0 + 1 } ?? 0 : 0
        return removeEvents(from: start) { [isShared] in (isShared || $0.user?.id == user) && isDenied($0.kind.purpose)
        }
    }

    /// Removes events, but not exempt ones.
    mutating func removeEvents(from start: Int = 0, _ isMeant: (HeldEvent) -> Bool) -> [HeldEvent] {
        removeEvents(in: start..<calls.count) { $0.kind.purpose != .exempt && isMeant($0) }
    }

    /// Removes all events of people: of those whom `Tracker.as(user:)` names, and of a present person who was identified
    /// with one of the ids.
    ///
    /// - Parameter initial: The user at the start, if it is known.
    mutating func removeEvents(of people: Set<String>, from initial: String?) -> [HeldEvent] {
        var removed = removeEvents(in: 0..<calls.count) { $0.user.map { people.contains($0.id) } ?? false }
        // The last ones first: the earlier calls keep their indices.
        for span in spans(from: initial).reversed() where span.user.map(people.contains) == true {
            removed += removeEvents(in: span.calls) { $0.user == nil }
        }
        return removed
    }

    private mutating func removeEvents(in range: Range<Int>, _ isMeant: (HeldEvent) -> Bool) -> [HeldEvent] {
        func isRemoved(_ call: Call) -> Bool { call.event.map(isMeant) ?? false }
        let removed = calls[range].filter(isRemoved).compactMap(\.event)
        calls.replaceSubrange(range, with: calls[range].filter { !isRemoved($0) })
        bytes -= removed.reduce(0) { $0 + $1.countedBytes }
        return removed
    }

    /// Removes the calls to perform next.
    mutating func removeAll() -> [Call] {
        defer { (calls, bytes) = ([], 0) }
        return calls
    }

    /// Fails everything that waits for the number of a held event, once it is called.
    func failClaims(_ error: any Error) -> @Sendable () -> Void {
        { [calls] in for call in calls { call.event?.claim?.settle(.failure(error)) } }
    }

    /// Fails everything that waits for a held call, once it is called. The calls are still performed at the opening.
    func failWaiting(_ error: any Error) -> @Sendable () -> Void {
        { [calls, failClaims = failClaims(error)] in
            failClaims()
            for call in calls {
                if case .change(let change) = call { change.stored?.settle(.failure(error)) }
            }
        }
    }
}

/// A value that one caller waits for.
final class Awaited<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case settled(Result<Value, any Error>)
    }

    private let state = Locked(State.open)

    /// Sets the outcome. Only the first call counts.
    func settle(_ result: Result<Value, any Error>) {
        let waiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .settled: return nil
            case .open:
                state = .settled(result)
                return nil
            case .awaited(let continuation):
                state = .settled(result)
                return continuation
            }
        }
        waiting?.resume(with: result)
    }

    var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = state.withLock { state in
                    if case .settled(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        }
    }
}
