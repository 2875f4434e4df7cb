internal import EventLog
public import EventModel
internal import Foundation

/// The system's wall clock, in microseconds.
public struct SystemTrackingClock: TrackingClock {
    /// Makes one.
    public init() {}

    public var now: EventTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return EventTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
