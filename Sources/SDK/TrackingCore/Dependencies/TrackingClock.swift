public import EventModel
internal import Foundation

/// What time it is. Handed in, so that tests and replays decide.
public protocol TrackingClock: Sendable {
    /// The time of this moment. Called on the sender's thread, once an event.
    var now: EventTime { get }
}

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
