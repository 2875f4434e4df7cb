/// What an accepted event survives. Each level includes the previous ones.
public enum Durability: Int, Comparable, CaseIterable, Sendable {
    /// Nothing: the event is in the memory of the process. The level of ``InMemoryEventStore``.
    case buffered
    /// The end of the process, even by SIGKILL: the event is in the system's memory. ``SQLiteEventStore`` reaches this
    /// level before ``EventStore/append(lineCapacity:_:)`` returns.
    case survivesProcessKill
    /// A system crash or power failure: the event is on the disk. Call ``EventStore/flushToDisk()`` to reach this
    /// level.
    case survivesPowerLoss

    /// Orders levels from weakest to strongest.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
