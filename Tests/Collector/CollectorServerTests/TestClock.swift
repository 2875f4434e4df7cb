import EventModel
import Primitives

/// A collector's clock that a test moves.
final class TestClock: Sendable {
    private let time = Locked(EventTime(seconds: 1_800_000_000))

    var now: EventTime { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}
