internal import Primitives

/// Stops a replay from any thread: wakes sleeping lanes, and prevents new batches.
package final class Brake: Sendable {
    private struct State: Sendable {
        var isPulled = false
        var sleepers: [Int: Task<Void, any Error>] = [:]
        var nextSleeper = 0
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    package init() {}

    /// Whether the brake was pulled.
    package var isPulled: Bool { state.withLock { $0.isPulled } }

    /// Stops the replay. Calling it again has no effect.
    package func pull() {
        let (sleepers, actions) = state.withLock { state in
            state.isPulled = true
            defer {
                state.sleepers = [:]
                state.actions = []
            }
            return (state.sleepers, state.actions)
        }
        for sleeper in sleepers.values { sleeper.cancel() }
        for action in actions { action() }
    }

    /// Runs an action when the brake is pulled, or immediately if it was pulled before.
    func whenPulled(_ action: @escaping @Sendable () -> Void) {
        let isPulled = state.withLock { state in
            if !state.isPulled { state.actions.append(action) }
            return state.isPulled
        }
        if isPulled { action() }
    }

    /// Waits until a time, or until the brake is pulled.
    ///
    /// - Returns: Whether to continue.
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

/// A monotonic clock.
package protocol ReplayClock: Sendable {
    /// The time since the clock's fixed origin.
    var now: Duration { get }

    /// Waits until a time; returns immediately if it has passed.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until deadline: Duration) async throws
}

/// The system's monotonic clock. Its origin is the creation of the value.
package struct MonotonicClock: ReplayClock {
    private let start = ContinuousClock.now

    package init() {}

    package var now: Duration { start.duration(to: .now) }

    package func sleep(until deadline: Duration) async throws {
        try await ContinuousClock().sleep(until: start.advanced(by: deadline), tolerance: .zero)
    }
}
