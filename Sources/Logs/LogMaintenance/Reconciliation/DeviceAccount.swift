package import DeliveryProtocol

/// What a log has for the numbers of one of its installs, from the point of view of one consumer. Numbers are the
/// install's own.
///
/// Ranges are sorted and disjoint.
package struct DeviceAccount: Sendable {
    package var installID: String
    /// Whether events get numbers of this install now.
    package var isNewest: Bool
    /// The highest number used; 0 for none.
    package var highest: Int64
    /// Up to this number, each number has its event in the database or is in the ledger. Higher numbers are in a
    /// journal, or about to be.
    package var settled: Int64
    /// The highest number that a batch of the consumer has accounted for.
    package var covered: Int64
    /// The numbers whose line the log still has.
    package var lines: [ClosedRange<Int64>] = []
    /// The numbers that the consumer has not received.
    package var undelivered: [ClosedRange<Int64>] = []
    /// The part of ``undelivered`` that waits for the user's consent.
    package var held: [ClosedRange<Int64>] = []
    /// The numbers in the ledger by reason, excluding those that a fork has moved.
    package var losses: [Loss] = []
    /// The numbers of events that the consumer receives under a later install, because a server had different bytes
    /// under them.
    package var forked: [ClosedRange<Int64>] = []
    /// The numbers of copies of a former install's events, for this or another consumer.
    package var copies: [ClosedRange<Int64>] = []
    /// The hashes of the collectors' runs whose lines the log has completely.
    package var hashes: [RangeHash] = []

    /// Numbers in the ledger.
    package struct Loss: Hashable, Sendable {
        /// The reason, as in the ledger.
        package var reason: String
        /// The corresponding fate at a collector.
        package var fate: NumberFate
        package var seqs: [ClosedRange<Int64>]

        package init(_ reason: String, fate: NumberFate, seqs: [ClosedRange<Int64>]) {
            self.reason = reason
            self.fate = fate
            self.seqs = seqs
        }
    }

    /// Creates an account without lines.
    package init(installID: String, isNewest: Bool = true, highest: Int64, settled: Int64? = nil, covered: Int64) {
        self.installID = installID
        self.isNewest = isNewest
        self.highest = highest
        self.settled = settled ?? highest
        self.covered = covered
    }
}
