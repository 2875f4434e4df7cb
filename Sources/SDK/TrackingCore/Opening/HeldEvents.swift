internal import DeliveryProtocol
internal import EventLog
internal import EventModel
internal import Primitives

/// An event that was sent before the log was open: encoded, with the values of the time when it was sent.
struct HeldEvent: Sendable {
    let event: any TrackingEvent
    let kind: EventKind
    let id: EventID
    let time: EventTime
    let value: [UInt8]
    /// The user at that time, and the number of resets of the environment.
    var sender: (userID: String, resets: Int)
    /// Waits for the event's number.
    let claim: HeldEventClaim?
}

/// Waits for the outcome of one held event. For one caller that waits once.
final class HeldEventClaim: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<TrackingReceipt?, any Error>)
        case settled(Result<TrackingReceipt?, any Error>)
    }

    private let state = Locked(State.open)

    /// Sets the event's outcome: its receipt, or nil for a drop. Only the first call counts.
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

    /// - Throws: The error that prevents opening the log. The event continues to wait.
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

/// Holds events that are sent before the log of an environment is open, and releases them in order.
///
/// Every event is held from the first one until the log is open and has all held events. Therefore a later event never
/// gets a lower number. While the log can't be opened, events continue to wait, up to the limit.
final class HeldEvents: Sendable {
    /// The maximum number of held events.
    static let limit = 1000

    private enum Phase { case opening, appending, open }

    private struct State {
        var phase = Phase.opening
        /// The error of the last attempt to read the storage or to open the log, unless it goes away when the device is
        /// unlocked.
        var failure: (any Error)?
        var events: [HeldEvent] = []
        /// The work to do with the open log before the events are appended, in order.
        var steps: [@Sendable () async -> Void] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())
    private let holding = Atomic(true)

    /// Whether to call ``hold(_:)``. Never becomes true again after it was false.
    var isHolding: Bool { holding.load(ordering: .acquiring) }

    /// The result for an event.
    enum Outcome {
        case held(EventID)
        case dropped(DropReason)
        /// All held events are in the log: append this one.
        case passed
    }

    /// Holds the event that `make` returns. While the log can't be opened, the event's claim fails immediately.
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

    /// Sets the user of the events that were sent before the storage could be read.
    func adopt(_ userID: String) {
        state.withLock { state in
            for index in state.events.indices
            where state.events[index].sender.userID == DeferredStorage.unknownDeviceID {
                state.events[index].sender.userID = userID
            }
        }
    }

    /// Removes the held events because the user has opted out.
    func removeEvents() -> [HeldEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// Schedules work for when the log is open, before the events are appended. Returns false if it is too late for
    /// that.
    func atOpening(_ step: @escaping @Sendable () async -> Void) -> Bool {
        state.withLock { state in
            guard state.phase == .opening else { return false }
            state.steps.append(step)
            return true
        }
    }

    /// Performs the work that was passed to ``atOpening(_:)``.
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

    /// Returns the next events to append, or nil if none is left. After nil, events are no longer held.
    ///
    /// - Parameter finish: Called before nil is returned, with the lock held.
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

    /// Records a failed attempt to read the storage or to open the log: callers no longer wait for the next attempt.
    /// Events continue to wait.
    func attemptFailed(_ error: any Error) {
        let (waiting, claims) = state.withLock { state in
            state.failure = error
            defer { state.waiting = [] }
            return (state.waiting, state.events.compactMap(\.claim))
        }
        for claim in claims { claim.settle(.failure(error)) }
        for continuation in waiting { continuation.resume() }
    }

    /// The storage could be read: callers wait for the log again.
    func storageWasRead() { state.withLock { $0.failure = nil } }

    /// Returns when all held events are in the log, or the last attempt to open it failed.
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

/// The flusher of an environment. A log has one delivery engine, so the flusher is set once the log is open.
final class EnvironmentFlusher: Sendable {
    /// Stored once, and released with this object. A loaded reference is valid as long as this object, without a
    /// retain.
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

    /// Replaces values of the flush policy; see ``EventFlusher/use(_:until:)``. Does nothing before ``set(_:)``.
    func use(_ flush: SwitchesDocument.Flush?, until end: EventTime?) {
        flusher.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.use(flush, until: end) }
    }

    func flush() async {
        await held?.awaitEnd()
        await flusher.load(ordering: .acquiring)?.takeUnretainedValue().flush()
    }
}
