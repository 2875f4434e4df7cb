/// What is in a log. Counting is O(1): the log keeps its totals.
public struct EventLogStatistics: Hashable, Sendable {
    /// How many events are in the log now.
    public var count: Int64 = 0
    /// The bytes of their lines.
    public var bytes: Int64 = 0
    /// The lowest sequence number in the log; nil if it is empty.
    public var firstSeq: Int64?
    /// The highest sequence number ever given out; 0 before the first event.
    public var lastSeq: Int64 = 0

    /// Makes statistics of an empty log.
    public init() {}
}
