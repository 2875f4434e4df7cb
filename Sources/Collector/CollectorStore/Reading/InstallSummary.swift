#if Collector
    package import DeliveryProtocol
    package import EventModel
    internal import Primitives

    /// What the collector knows of an install.
    package struct InstallSummary: Equatable, Sendable {
        package var installID: String
        package var firstSeen: EventTime
        package var lastSeen: EventTime
        /// The highest number that was announced.
        package var highest: Int64
        /// The ranges of its numbers with a fate, in order and apart from each other; numbers up to ``highest`` in none are missing.
        package var numbers: [Numbers]
        package var ledger: [BatchHeader.LedgerRow]
        package var forks: [Fork]

        package struct Numbers: Equatable, Sendable {
            package var seqs: ClosedRange<Int64>
            package var fate: NumberFate
        }

        /// A batch that was refused as a fork.
        package struct Fork: Equatable, Sendable {
            package var seenAt: EventTime
            /// The refused batch's id; nil for an import.
            package var batchID: String?
            package var acknowledged: [ClosedRange<Int64>]
            package var forked: [ClosedRange<Int64>]
        }

        /// The ranges with a fate.
        package func ranges(_ fate: NumberFate) -> [ClosedRange<Int64>] {
            numbers.filter { $0.fate == fate }.map(\.seqs)
        }

        /// The numbers up to ``highest`` that are neither stored nor explained.
        package var missing: [ClosedRange<Int64>] {
            highest == 0 ? [] : NumberRanges.difference([1...highest], numbers.map(\.seqs))
        }
    }

    /// How many of an install's numbers have which fate: a row of the view `completeness`.
    package struct InstallCompleteness: Equatable, Sendable {
        package var installID: String
        package var highest: Int64
        package var stored: Int64
        /// Erased, refused, dropped or forked.
        package var explained: Int64
        /// Explained for now: they may come.
        package var held: Int64
        package var missing: Int64
        /// Whether stored and explained numbers are all up to ``highest``.
        package var isComplete: Bool
    }

    /// A held range of an install with its hash.
    package struct RangeHash: Equatable, Sendable {
        package var seqs: ClosedRange<Int64>
        /// The sum modulo 2^64 of the first eight bytes, little-endian, of the SHA-256 of each line without its line feed.
        package var hash: UInt64
    }

    /// An accepted batch, without its lines.
    package struct BatchSummary: Equatable, Sendable {
        package var receipt: Int64
        package var installID: String
        /// nil for an import.
        package var batchID: String?
        package var receivedAt: EventTime
        /// The numbers that it accounts for; nil for an import.
        package var seqs: ClosedRange<Int64>?
        /// How many lines it brought that were new.
        package var lines: Int
    }

    /// A line that was refused for good.
    package struct RejectedLine: Equatable, Sendable {
        package var receipt: Int64
        package var installID: String
        package var receivedAt: EventTime
        package var rejection: Receipt.Rejection
        /// Its exact bytes; nil after an erasure.
        package var bytes: [UInt8]?
    }
#endif
