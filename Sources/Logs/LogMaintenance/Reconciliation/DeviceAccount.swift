package import DeliveryProtocol

/// What a log says of the numbers of one of its installs, as far as one consumer is concerned. Numbers are the install's own.
///
/// Ranges are in order and apart from each other.
package struct DeviceAccount: Sendable {
    /// The install.
    package var installID: String
    /// Whether events get numbers of this install now.
    package var isNewest: Bool
    /// The highest number that was drawn; 0 for none.
    package var highest: Int64
    /// Up to this number, each has its event in the database or is in the ledger. Those above are in a journal, or on their
    /// way to one.
    package var settled: Int64
    /// The highest number that a batch of the consumer has accounted for.
    package var covered: Int64
    /// The numbers whose line the log still has.
    package var lines: [ClosedRange<Int64>] = []
    /// The numbers that the consumer has not had.
    package var undelivered: [ClosedRange<Int64>] = []
    /// Those of ``undelivered`` that wait for their user's consent.
    package var held: [ClosedRange<Int64>] = []
    /// The numbers in the ledger by reason, those aside that a fork has moved.
    package var losses: [Loss] = []
    /// The numbers of events that the consumer gets under a later install: a server knew these with other bytes.
    package var forked: [ClosedRange<Int64>] = []
    /// The numbers of copies, for this consumer or another one, of a former install's events.
    package var copies: [ClosedRange<Int64>] = []
    /// The hashes of those of the collector's runs whose lines the log has completely.
    package var hashes: [RangeHash] = []

    /// Numbers of the ledger.
    package struct Loss: Hashable, Sendable {
        /// The reason as the ledger spells it.
        package var reason: String
        /// What that means at a collector.
        package var fate: NumberFate
        package var seqs: [ClosedRange<Int64>]

        package init(_ reason: String, _ fate: NumberFate, _ seqs: [ClosedRange<Int64>]) {
            (self.reason, self.fate, self.seqs) = (reason, fate, seqs)
        }
    }

    /// Makes an account without a line.
    package init(installID: String, isNewest: Bool = true, highest: Int64, settled: Int64? = nil, covered: Int64) {
        self.installID = installID
        self.isNewest = isNewest
        self.highest = highest
        self.settled = settled ?? highest
        self.covered = covered
    }
}
