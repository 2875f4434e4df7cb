/// A timer whose sleepers wait until the test resumes them.
package final class ManualTimer: Clock {
    package struct Instant: InstantProtocol {
        package var offset: Duration
        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let sleepers: AsyncStream<(Duration, CheckedContinuation<Void, Never>)>
    private let arrival: AsyncStream<(Duration, CheckedContinuation<Void, Never>)>.Continuation

    package init() { (sleepers, arrival) = AsyncStream.makeStream() }

    package var now: Instant { Instant(offset: .zero) }
    package var minimumResolution: Duration { .zero }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { _ = arrival.yield((deadline.offset, $0)) }
    }

    /// Waits for a sleeper, resumes it, and returns the duration that it wanted to sleep.
    package func fire(before: (Duration) -> Void = { _ in }) async -> Duration? {
        for await (duration, sleeper) in sleepers {
            before(duration)
            sleeper.resume()
            return duration
        }
        return nil
    }
}
