import LogReplay
import Primitives

/// A clock that jumps forward to the time that is waited for.
final class JumpingClock: ReplayClock {
    private let time = Locked(Duration.zero)

    var now: Duration { time.withLock { $0 } }

    func sleep(until deadline: Duration) { time.withLock { $0 = max($0, deadline) } }

    /// Lets time pass.
    func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
