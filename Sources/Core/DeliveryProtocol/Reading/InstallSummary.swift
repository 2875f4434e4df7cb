package import EventModel
internal import Primitives

/// The collector's summary of an install: the body of `GET /v1/installs/{install_id}`.
package struct InstallSummary: Equatable, Sendable {
    package var installID: String
    package var firstSeen: EventTime
    package var lastSeen: EventTime
    /// The highest number that any batch has accounted for.
    package var highest: Int64
    /// The ranges of its numbers with a fate, in order and not adjacent. Numbers up to ``highest`` in no range are
    /// missing.
    package var numbers: [Numbers]
    package var ledger: [BatchHeader.LedgerRow]
    package var forks: [Fork]

    package struct Numbers: Equatable, Sendable {
        package var seqs: ClosedRange<Int64>
        package var fate: NumberFate

        package init(seqs: ClosedRange<Int64>, fate: NumberFate) {
            self.seqs = seqs
            self.fate = fate
        }
    }

    /// A batch that was rejected as a fork.
    package struct Fork: Equatable, Sendable {
        package var seenAt: EventTime
        /// The rejected batch's id; nil for an import.
        package var batchID: String?
        package var acknowledged: [ClosedRange<Int64>]
        package var forked: [ClosedRange<Int64>]

        package init(
            seenAt: EventTime, batchID: String?, acknowledged: [ClosedRange<Int64>], forked: [ClosedRange<Int64>]
        ) {
            self.seenAt = seenAt
            self.batchID = batchID
            self.acknowledged = acknowledged
            self.forked = forked
        }
    }

    package init(
        installID: String, firstSeen: EventTime, lastSeen: EventTime, highest: Int64, numbers: [Numbers],
        ledger: [BatchHeader.LedgerRow], forks: [Fork]
    ) {
        self.installID = installID
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.highest = highest
        self.numbers = numbers
        self.ledger = ledger
        self.forks = forks
    }

    package func ranges(_ fate: NumberFate) -> [ClosedRange<Int64>] {
        numbers.filter { $0.fate == fate }.map(\.seqs)
    }

    /// The summary of several collectors that receive batches of the same install; nil without summaries. For each number,
    /// the highest fate counts.
    package static func merged(_ summaries: [InstallSummary]) -> InstallSummary? {
        guard var merged = summaries.first else { return nil }
        for other in summaries.dropFirst() {
            merged.firstSeen = min(merged.firstSeen, other.firstSeen)
            merged.lastSeen = max(merged.lastSeen, other.lastSeen)
            merged.highest = max(merged.highest, other.highest)
            merged.ledger += other.ledger
            merged.forks += other.forks
        }
        var known: [ClosedRange<Int64>] = []
        var numbers: [Numbers] = []
        for fate in NumberFate.allCases.sorted(by: >) {
            let ranges = NumberRanges.union(summaries.flatMap { $0.ranges(fate) })
            numbers += NumberRanges.difference(ranges, known).map { Numbers(seqs: $0, fate: fate) }
            known = NumberRanges.union(known + ranges)
        }
        merged.numbers = numbers.sorted { $0.seqs.lowerBound < $1.seqs.lowerBound }
        return merged
    }

    /// The numbers up to ``highest`` that are neither stored nor explained.
    package var missing: [ClosedRange<Int64>] {
        highest == 0 ? [] : NumberRanges.difference([1...highest], numbers.map(\.seqs))
    }
}

/// An install's numbers, counted by fate: a row of the collector's view `completeness`, an element of `GET
/// /v1/installs`.
package struct InstallCompleteness: Equatable, Sendable {
    package var installID: String
    package var highest: Int64
    package var stored: Int64
    /// Erased, opted out, rejected, dropped or forked.
    package var explained: Int64
    /// Temporarily explained: the events may arrive later.
    package var held: Int64
    package var missing: Int64
    /// Whether all numbers up to ``highest`` are stored or explained.
    package var isComplete: Bool

    package init(
        installID: String, highest: Int64, stored: Int64, explained: Int64, held: Int64, missing: Int64,
        isComplete: Bool
    ) {
        self.installID = installID
        self.highest = highest
        self.stored = stored
        self.explained = explained
        self.held = held
        self.missing = missing
        self.isComplete = isComplete
    }
}

/// A range of an install's stored lines with its hash: an element of `GET /v1/installs/{install_id}/hashes`.
package struct RangeHash: Equatable, Sendable {
    package var seqs: ClosedRange<Int64>
    /// The sum modulo 2^64 of the first eight bytes, little-endian, of the SHA-256 of each line without its line feed.
    package var hash: UInt64

    package init(seqs: ClosedRange<Int64>, hash: UInt64) {
        self.seqs = seqs
        self.hash = hash
    }
}

/// An accepted batch, without its lines: an element of `GET /v1/batches`.
package struct BatchSummary: Equatable, Sendable {
    package var receipt: Int64
    package var installID: String
    /// nil for an import.
    package var batchID: String?
    package var receivedAt: EventTime
    /// The numbers that the batch accounts for; nil for an import.
    package var seqs: ClosedRange<Int64>?
    /// The number of new lines.
    package var lines: Int

    package init(
        receipt: Int64, installID: String, batchID: String?, receivedAt: EventTime, seqs: ClosedRange<Int64>?,
        lines: Int
    ) {
        self.receipt = receipt
        self.installID = installID
        self.batchID = batchID
        self.receivedAt = receivedAt
        self.seqs = seqs
        self.lines = lines
    }
}

/// A line that was permanently rejected: a line of `GET /v1/rejects`.
package struct RejectedLine: Equatable, Sendable {
    package var receipt: Int64
    package var installID: String
    package var receivedAt: EventTime
    package var rejection: Receipt.Rejection
    /// The line's bytes, at most the first 32 KiB; the message has the length and the SHA-256 of a longer line. nil after
    /// an erasure.
    package var bytes: [UInt8]?

    package init(
        receipt: Int64, installID: String, receivedAt: EventTime, rejection: Receipt.Rejection, bytes: [UInt8]?
    ) {
        self.receipt = receipt
        self.installID = installID
        self.receivedAt = receivedAt
        self.rejection = rejection
        self.bytes = bytes
    }
}

extension RangeHash {
    /// A line's summand of the hash of its range: the first eight bytes, little-endian, of its SHA-256.
    ///
    /// - Parameter line: The exact bytes without the line feed.
    package static func summand(_ line: UnsafeRawBufferPointer) -> UInt64 {
        let digest = SHA256.digest(line.bindMemory(to: UInt8.self))
        // The digest's words are big-endian.
        return UInt64(digest[0].byteSwapped) | UInt64(digest[1].byteSwapped) << 32
    }

    /// The hash of lines, in any order.
    package init(seqs: ClosedRange<Int64>, lines: some Sequence<[UInt8]>) {
        self.init(seqs: seqs, hash: lines.reduce(0) { $0 &+ $1.withUnsafeBytes(Self.summand) })
    }
}
