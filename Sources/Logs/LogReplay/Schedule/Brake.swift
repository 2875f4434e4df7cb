internal import Primitives

/// Stops a replay from any thread: whoever sleeps is woken, and nothing new is begun.
package final class Brake: Sendable {
    private struct State: Sendable {
        var isPulled = false
        var sleepers: [Int: Task<Void, any Error>] = [:]
        var nextSleeper = 0
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    package init() {}

    /// Whether it was pulled.
    package var isPulled: Bool { state.withLock { $0.isPulled } }

    /// Stops; nothing happens the second time.
    package func pull() {
        let (sleepers, actions) = state.withLock { state in
            state.isPulled = true
            defer { (state.sleepers, state.actions) = ([:], []) }
            return (state.sleepers, state.actions)
        }
        for sleeper in sleepers.values { sleeper.cancel() }
        for action in actions { action() }
    }

    /// Does something when it is pulled, or at once if it was.
    func whenPulled(_ action: @escaping @Sendable () -> Void) {
        let isPulled = state.withLock { state in
            if !state.isPulled { state.actions.append(action) }
            return state.isPulled
        }
        if isPulled { action() }
    }

    /// Waits until a moment of a clock, or until it is pulled.
    ///
    /// - Returns: Whether to go on.
    func sleep(until deadline: Duration, on clock: some ReplayClock) async -> Bool {
        guard !isPulled else { return false }
        guard clock.now < deadline else { return true }
        let sleeper = Task { try await clock.sleep(until: deadline) }
        let number = state.withLock { state -> Int? in
            guard !state.isPulled else { return nil }
            state.nextSleeper += 1
            state.sleepers[state.nextSleeper] = sleeper
            return state.nextSleeper
        }
        if number == nil { sleeper.cancel() }
        _ = await sleeper.result
        return state.withLock { state in
            if let number { state.sleepers[number] = nil }
            return !state.isPulled
        }
    }
}

/// A clock that no one sets.
package protocol ReplayClock: Sendable {
    /// The time since a moment that stays the same for this clock.
    var now: Duration { get }

    /// Waits until then; returns at once if that has passed.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until deadline: Duration) async throws
}

/// The system's monotonic clock, from the moment when this value is made.
package struct MonotonicClock: ReplayClock {
    private let start = ContinuousClock.now

    package init() {}

    package var now: Duration { start.duration(to: .now) }

    package func sleep(until deadline: Duration) async throws {
        try await ContinuousClock().sleep(until: start.advanced(by: deadline), tolerance: .zero)
    }
}
