public import EventModel

/// The source of the current time. Pass your own in tests and replays.
public protocol TrackingClock: Sendable {
    /// The current time. Called once per event, on the sender's thread.
    var now: EventTime { get }
    /// The boot clock, which measures pauses: nothing sets it, unlike the wall clock. Default: the system's.
    var sinceBoot: BootTime { get }
}

extension TrackingClock {
    public var sinceBoot: BootTime { .now }
    /// Both clocks.
    package var reading: ClockReading { ClockReading(time: now, sinceBoot: sinceBoot) }
}

/// The system's wall clock, in microseconds.
public struct SystemTrackingClock: TrackingClock {
    /// Creates a system clock.
    public init() {}

    public var now: EventTime { .now }
}
