import Primitives

/// Paces the background work of a collector: 20 ms instead of a second for each round.
final class RoundClock: Clock {
    private let sleeps = Locked(0)

    /// The number of sleeps so far. A round ends when the next sleep begins.
    var count: Int { sleeps.withLock { $0 } }

    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        sleeps.withLock { $0 += 1 }
        try await Task.sleep(for: .milliseconds(20))
    }
}
