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
