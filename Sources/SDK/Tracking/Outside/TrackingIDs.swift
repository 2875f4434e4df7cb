internal import EventLog
public import EventModel

/// Where identifiers come from. Handed in, so that tests and replays decide.
public protocol TrackingIDs: Sendable {
    /// A new id for an event: a UUIDv7 of its time, above all earlier ones.
    func eventID(at time: EventTime) -> EventID

    /// A new UUID in upper case, for devices and sessions.
    func uuid() -> String
}
