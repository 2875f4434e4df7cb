internal import EventLog
internal import EventModel
internal import Primitives

/// An event that was sent before the log was open: encoded, with what it must not get from a later time.
struct HeldEvent: Sendable {
    let event: any TrackingEvent
    let kind: EventKind
    let id: EventID
    let time: EventTime
    let value: [UInt8]
    /// The user at the time, and how often the environment had been reset.
    var sender: (userID: String, resets: Int)
    /// Whoever waits for its number.
    let claim: HeldEventClaim?
}

/// Waits for what becomes of one event that is held. For one caller, who waits once.
final class HeldEventClaim: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<TrackingReceipt?, any Error>)
        case settled(Result<TrackingReceipt?, any Error>)
    }

    private let state = Locked(State.open)

    /// Says what has become of the event: its receipt, or nil for a drop. The first word counts.
    func settle(_ result: Result<TrackingReceipt?, any Error>) {
        let waiting: CheckedContinuation<TrackingReceipt?, any Error>? = state.withLock { state in
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

    /// - Throws: Why the log can't be opened. The event goes on waiting.
    func receipt() async throws -> TrackingReceipt? {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<TrackingReceipt?, any Error>? = state.withLock { state in
                if case .settled(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }
}

/// Holds what is sent before the log of an environment is open, and releases it in order.
///
/// From the first event until the log is open and everything that was held is in it, each event is held: so none that is
/// sent later is numbered before. As long as the log can't be opened, events go on waiting, up to the limit.
final class HeldEvents: Sendable {
    /// At most so many events are held.
    static let limit = 1000

    private enum Phase { case opening, appending, open }

    private struct State {
        var phase = Phase.opening
        /// Why the last attempt to read the storage or to open the log failed, unless it passes when the device is unlocked.
        var failure: (any Error)?
        var events: [HeldEvent] = []
        /// What is to be done with the open log before the events are appended, in order.
        var steps: [@Sendable () async -> Void] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())
    private let holding = Atomic(true)

    /// Whether ``hold(_:)`` has to be asked. Never true again after it was false.
    var isHolding: Bool { holding.load(ordering: .acquiring) }

    /// What becomes of an event.
    enum Outcome {
        case held(EventID)
        case dropped(DropReason)
        /// Everything that was held is in the log: append it.
        case passed
    }

    /// Holds the event that `make` makes. While the log can't be opened, a claim on it is told so at once.
    func hold(_ make: () -> HeldEvent) -> Outcome {
        state.withLock { state in
            switch state.phase {
            case .open: return .passed
            case .opening, .appending:
                guard state.events.count < Self.limit else { return .dropped(.notOpen) }
                let event = make()
                state.events.append(event)
                if let failure = state.failure { event.claim?.settle(.failure(failure)) }
                return .held(event.id)
            }
        }
    }

    /// Gives the events their user that were sent before the storage could be read.
    func adopt(_ userID: String) {
        state.withLock { state in
            for index in state.events.indices
            where state.events[index].sender.userID == DeferredStorage.unknownDeviceID {
                state.events[index].sender.userID = userID
            }
        }
    }

    /// Takes away what is held: the user has opted out.
    func removeEvents() -> [HeldEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// Has something done once the log is open, before the events are appended; false if it is too late for that.
    func atOpening(_ step: @escaping @Sendable () async -> Void) -> Bool {
        state.withLock { state in
            guard state.phase == .opening else { return false }
            state.steps.append(step)
            return true
        }
    }

    /// Does what ``atOpening(_:)`` was given.
    func performSteps() async {
        while true {
            let steps = state.withLock { state in
                defer { state.steps = [] }
                if state.steps.isEmpty { (state.phase, state.failure) = (.appending, nil) }
                return state.steps
            }
            if steps.isEmpty { return }
            for step in steps { await step() }
        }
    }

    /// The next events to append; nil when none is left, and from then on none is held any more.
    ///
    /// - Parameter finish: Called before that, under the lock.
    func next(finish: () -> Void) -> [HeldEvent]? {
        let (events, waiting) = state.withLock { state -> ([HeldEvent]?, [CheckedContinuation<Void, Never>]) in
            guard state.events.isEmpty else {
                defer { state.events = [] }
                return (state.events, [])
            }
            finish()
            (state.phase, state.failure) = (.open, nil)
            holding.store(false, ordering: .releasing)
            defer { state.waiting = [] }
            return (nil, state.waiting)
        }
        for continuation in waiting { continuation.resume() }
        return events
    }

    /// The storage can't be read, or the log can't be opened: callers that wait need not wait for the next attempt. Events go
    /// on waiting.
    func attemptFailed(_ error: any Error) {
        let (waiting, claims) = state.withLock { state in
            state.failure = error
            defer { state.waiting = [] }
            return (state.waiting, state.events.compactMap(\.claim))
        }
        for claim in claims { claim.settle(.failure(error)) }
        for continuation in waiting { continuation.resume() }
    }

    /// The storage could be read: callers wait for the log from now on.
    func storageWasRead() { state.withLock { $0.failure = nil } }

    /// Returns when all that was held is in the log, or the last attempt to open it failed.
    func awaitEnd() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.phase == .open || state.failure != nil { return true }
                state.waiting.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}

/// The flusher of an environment. It comes with the log, if that is opened later: a log has one delivery engine.
final class EnvironmentFlusher: Sendable {
    /// Stored once, and let go of with this: what is loaded lives as long as this does, and needs no count of its own.
    private let flusher = Atomic<Unmanaged<EventFlusher>?>(nil)
    private let held: HeldEvents?

    init(_ flusher: EventFlusher) {
        held = nil
        set(flusher)
    }

    init(after held: HeldEvents) { self.held = held }

    deinit { flusher.load(ordering: .acquiring)?.release() }

    func set(_ flusher: EventFlusher) {
        let kept = Unmanaged.passRetained(flusher)
        let (isFirst, _) = self.flusher.compareExchange(expected: nil, desired: kept, ordering: .acquiringAndReleasing)
        if !isFirst { kept.release() }
    }

    @inline(__always)
    func eventWasSent(isBackground: Bool) {
        guard let flusher = flusher.load(ordering: .acquiring) else { return }
        flusher._withUnsafeGuaranteedRef { $0.eventWasSent(isBackground: isBackground) }
    }

    func flush() async {
        await held?.awaitEnd()
        await flusher.load(ordering: .acquiring)?.takeUnretainedValue().flush()
    }
}
