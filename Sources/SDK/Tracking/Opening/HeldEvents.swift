internal import EventLog
internal import EventModel
internal import Primitives
internal import Synchronization

/// An event that was sent before the log was open: encoded, with what it must not get from a later time.
struct HeldEvent: Sendable {
    let event: any TrackingEvent
    let kind: EventKind
    let id: EventID
    let time: EventTime
    let value: [UInt8]
    /// The user at the time, and how often the environment had been reset.
    var sender: (userID: String, resets: Int)
}

/// Holds what is sent before the log of an environment is open, and releases it in order.
///
/// From the first event until the log is open and everything that was held is in it, each event is held: so none that is
/// sent later is numbered before. If the log can't be opened, what was held is dropped, and so is each event from then on.
final class HeldEvents: Sendable {
    /// At most so many events are held.
    static let limit = 1000

    private enum Phase { case opening, appending, open, failed }

    private struct State {
        var phase = Phase.opening
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
        case held
        case dropped(DropReason)
        /// Everything that was held is in the log: append it.
        case passed
    }

    /// Holds the event that `make` makes.
    func hold(_ make: () -> HeldEvent) -> Outcome {
        state.withLock { state in
            switch state.phase {
            case .open: return .passed
            case .failed: return .dropped(.notOpen)
            case .opening, .appending:
                guard state.events.count < Self.limit else { return .dropped(.notOpen) }
                state.events.append(make())
                return .held
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
                if state.steps.isEmpty { state.phase = .appending }
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
            state.phase = .open
            holding.store(false, ordering: .releasing)
            defer { state.waiting = [] }
            return (nil, state.waiting)
        }
        for continuation in waiting { continuation.resume() }
        return events
    }

    /// Gives up: the log can't be opened. ``awaitEnd()`` returns after `drop` has had what was held.
    func fail(_ drop: ([HeldEvent]) -> Void) {
        let events = state.withLock { state in
            state.phase = .failed
            defer { (state.events, state.steps) = ([], []) }
            return state.events
        }
        drop(events)
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when all that was held is in the log, or the log can't be opened.
    func awaitEnd() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.phase == .open || state.phase == .failed { return true }
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
