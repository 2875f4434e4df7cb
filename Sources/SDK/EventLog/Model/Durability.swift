/// What an event that was taken survives. Each level includes those before it.
public enum Durability: Int, Comparable, CaseIterable, Sendable {
    /// Nothing: it is in the memory of the process. What ``InMemoryEventStore`` gives, for tests.
    case buffered
    /// The end of the process, SIGKILL too: it is in the system's memory. What ``SQLiteEventStore`` gives before
    /// ``EventStore/append(lineCapacity:_:)`` returns.
    case survivesProcessKill
    /// The end of the system, a power failure too: it is on the disk. Reached only by waiting for
    /// ``EventStore/flushToDisk()``.
    case survivesPowerLoss

    /// Orders by how much is survived.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
