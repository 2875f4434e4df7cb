public import EventLog
public import EventModel

/// Proof that an event was taken, and how to find it again.
public struct TrackingReceipt: Hashable, Sendable {
    /// The event's identity.
    public let id: EventID
    /// Its number within the install.
    public let seq: Int64
    /// What the event survives from now on.
    public let durability: Durability
}
