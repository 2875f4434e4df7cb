/// One row of the ledger: how many events were lost on purpose, and why.
public struct LedgerEntry: Hashable, Sendable {
    /// Why they were lost.
    public let reason: DropReason
    /// The consumer that did not get them, or nil if they are in nobody's reach.
    public let consumer: String?
    /// How many.
    public let count: Int64
    /// The lowest and highest sequence number among them; nil if they never had one.
    public let seqs: ClosedRange<Int64>?

    /// Makes a row.
    public init(reason: DropReason, consumer: String?, count: Int64, seqs: ClosedRange<Int64>?) {
        self.reason = reason
        self.consumer = consumer
        self.count = count
        self.seqs = seqs
    }
}
