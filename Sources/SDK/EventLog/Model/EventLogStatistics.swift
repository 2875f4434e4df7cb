/// The totals of a log. Reading them is O(1), because the log stores them.
public struct EventLogStatistics: Hashable, Sendable {
    /// The number of events in the log now.
    public var count: Int64 = 0
    /// The bytes of their lines.
    public var bytes: Int64 = 0
    /// The lowest sequence number in the log; nil if it is empty.
    public var firstSeq: Int64?
    /// The highest sequence number ever assigned; 0 before the first event.
    public var lastSeq: Int64 = 0

    /// Makes the statistics of an empty log.
    public init() {}
}
