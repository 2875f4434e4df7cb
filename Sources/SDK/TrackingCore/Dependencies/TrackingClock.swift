public import EventModel
internal import Foundation

/// The source of the current time. Pass your own in tests and replays.
public protocol TrackingClock: Sendable {
    /// The current time. Called once per event, on the sender's thread.
    var now: EventTime { get }
}

/// The system's wall clock, in microseconds.
public struct SystemTrackingClock: TrackingClock {
    /// Creates a system clock.
    public init() {}

    public var now: EventTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return EventTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
