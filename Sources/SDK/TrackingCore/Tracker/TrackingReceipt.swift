public import EventLog
public import EventModel

/// Proof that an event was taken, and how to find it again.
public struct TrackingReceipt: Hashable, Sendable {
    /// The event's identity, on its line and in its container, too.
    public let id: EventID
    /// What the event survives from now on: nothing but the next moments, ``Durability/buffered``, while it is pending.
    public let durability: Durability
    /// Its number; 0 while it is pending. An optional would make the receipt a word longer than what is returned in registers.
    private let number: Int64

    /// Its number within the install; nil while it is pending.
    public var seq: Int64? { isPending ? nil : number }

    /// Whether the event waits in memory for the log to open. It gets its number then, in the order of the calls; the
    /// subscribers of ``Tracker/dispatcher`` see it under the same ``id``, and ``Tracker/send(_:reaching:)`` waits for it. A
    /// process that ends before loses it.
    public var isPending: Bool { number == 0 }

    init(id: EventID, seq: Int64, durability: Durability) {
        self.id = id
        self.durability = durability
        number = seq
    }

    func reaching(_ durability: Durability) -> Self { Self(id: id, seq: number, durability: durability) }

    /// The receipt of an event that waits for its number.
    init(pending id: EventID) { self.init(id: id, seq: 0, durability: .buffered) }
}
