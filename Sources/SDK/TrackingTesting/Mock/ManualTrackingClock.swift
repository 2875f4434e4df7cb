internal import Primitives
public import Tracking

/// A clock that stands until it is moved.
public final class ManualTrackingClock: TrackingClock {
    private let time: Locked<EventTime>

    /// Makes a clock that stands at a time.
    public init(_ time: EventTime) { self.time = Locked(time) }

    public var now: EventTime { time.withLock { $0 } }

    /// Moves the clock forward, or back for a negative duration.
    public func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }

    /// Sets the clock.
    public func set(_ time: EventTime) { self.time.withLock { $0 = time } }
}
