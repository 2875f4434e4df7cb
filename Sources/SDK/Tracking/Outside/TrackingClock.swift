internal import EventLog
public import EventModel

/// What time it is. Handed in, so that tests and replays decide.
public protocol TrackingClock: Sendable {
    /// The time of this moment. Called on the sender's thread, once an event.
    var now: EventTime { get }
}
