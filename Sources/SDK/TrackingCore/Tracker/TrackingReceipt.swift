public import EventLog
public import EventModel

/// Confirms that an event was accepted, and identifies it.
public struct TrackingReceipt: Hashable, Sendable {
    /// The event's id, the same as on its line and in its container.
    public let id: EventID
    /// The durability of the event. While the receipt is pending, it is ``/EventLog/Durability/buffered``: the event may be lost
    /// with the process.
    public let durability: Durability
    /// The event's number; 0 while pending. An optional would make the receipt too large to be returned in registers.
    private let number: Int64

    /// The event's number within the install; nil while pending.
    public var seq: Int64? { isPending ? nil : number }

    /// Whether the event waits in memory for the log to open. When the log opens, events get their numbers in the order
    /// of the calls, and the subscribers of ``Tracker/dispatcher`` receive them under the same ``id``.
    /// ``Tracker/send(_:reaching:)`` waits for this. If the process ends first, the event is lost.
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
