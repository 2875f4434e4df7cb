package import DeliveryProtocol
package import EventModel
internal import GRDB
internal import Primitives

/// What a batch or import adds to the store: what another store needs to have the same.
package struct ForwardedBatch: Equatable, Sendable {
    package var receipt: Int64
    /// The batch's id, 32 hexadecimal digits; nil for an import.
    package var batchID: String?
    package var installID: String
    /// The SHA-256 of the install's secret; empty for an import.
    package var secretHash: [UInt8]
    /// The numbers that the batch covers; nil for an import.
    package var seqs: ClosedRange<Int64>?
    package var receivedAt: EventTime
    package var sentAt: EventTime?
    /// Numbers without a line, in order; not those that were stored before.
    package var absent: [Absent] = []
    /// The numbers of the lines, in order.
    package var numbers: [ClosedRange<Int64>] = []
    /// The numbers of lines that no schema validated.
    package var unvalidated: [ClosedRange<Int64>] = []
    /// The lines, each followed by a line feed.
    package var text: [UInt8] = []

    /// Numbers without a line.
    package struct Absent: Equatable, Sendable {
        package var seqs: ClosedRange<Int64>
        package var fate: NumberFate
        /// The reason in the ledger, or the code of a rejection; else the fate's name.
        package var reason: String
    }

    /// Whether the batch adds neither lines nor reasons.
    package var isEmpty: Bool { text.isEmpty && absent.isEmpty }
}

extension BatchStore {
    /// Reads batches after a receipt. Lines that were reported as erased are left out and listed as absent.
    ///
    /// May block for the disk, never for writers: call it from a thread that may block.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of batches.
    ///   - byteLimit: The size of lines in bytes at which the result ends, after at least one batch.
    /// - Returns: As ``wholeBatches(after:installID:limit:byteLimit:)``.
    /// - Throws: ``StoreError`` with `damaged` or `indexFailed`.
    package func forwardable(
        after receipt: Int64, limit: Int = 64, byteLimit: Int = 8 << 20
    ) throws(StoreError) -> (batches: [ForwardedBatch], next: Int64) {
        let (found, next) = try frames(after: receipt, nil, limit: limit, byteLimit: byteLimit) { ($0, $1) }
        guard !found.isEmpty else { return ([], next) }
        // After the frames, so that no line is returned whose erasure was reported before.
        let batches = try reading { db in
            try found.map { frame, batch in
                let erased = try Self.erased(batch.install, receipt: batch.receipt, db)
                func has(_ reason: MissingReason) -> Bool { frame.absent.contains { $0.reason == reason } }
                return ForwardedBatch(
                    frame, receipt: batch.receipt, without: erased,
                    stored: has(.optedOut) ? try Self.numbers(batch.install, db).filter { $0.fate == .stored } : [],
                    ledger: has(.dropped) ? try Self.ledger(batch.install, db) : [])
            }
        }
        return (batches, next)
    }
}

extension ForwardedBatch {
    fileprivate init(
        _ frame: BatchFrame, receipt: Int64, without erased: [ClosedRange<Int64>],
        stored: [InstallSummary.Numbers], ledger: [BatchHeader.LedgerRow]
    ) {
        self.init(
            receipt: receipt, batchID: frame.key.isEmpty ? nil : frame.key.hexadecimal,
            installID: frame.installID, secretHash: frame.secretHash, seqs: frame.seqs,
            receivedAt: EventTime(microseconds: frame.receivedAt),
            sentAt: frame.sentAt.map { EventTime(microseconds: $0) })
        var numbers: [Int64] = []
        var unvalidated: [Int64] = []
        text.reserveCapacity(frame.text.count)
        frame.forEachLine { index, line in
            let facts = frame.lines[index]
            guard erased.isEmpty || !NumberRanges.contains(erased, facts.seq) else { return }
            numbers.append(facts.seq)
            if !facts.isValidated { unvalidated.append(facts.seq) }
            text.append(contentsOf: line)
            text.append(UInt8(ascii: "\n"))
        }
        self.numbers = NumberRanges.ranges(of: numbers)
        self.unvalidated = NumberRanges.ranges(of: unvalidated)
        absent = Self.absent(in: frame, erased: erased, stored: stored.map(\.seqs), ledger: ledger).sorted {
            $0.seqs.lowerBound < $1.seqs.lowerBound
        }
    }

    private static func absent(
        in frame: BatchFrame, erased: [ClosedRange<Int64>], stored: [ClosedRange<Int64>],
        ledger: [BatchHeader.LedgerRow]
    ) -> [Absent] {
        var absent: [Absent] = []
        let reasons = ledger.compactMap { row in row.seqs.map { (seqs: $0, reason: row.reason) } }
            .sorted { $0.seqs.lowerBound < $1.seqs.lowerBound }
        for range in frame.absent {
            guard let fate = NumberFate(range.reason) else { continue }
            if fate == .dropped {
                absent += Absence.dropped(range.seqs, reasons).map {
                    Absent(seqs: $0.seqs, fate: fate, reason: $0.reason)
                }
            } else {
                let seqs = fate == .optedOut ? NumberRanges.difference([range.seqs], stored) : [range.seqs]
                absent += seqs.map { Absent(seqs: $0, fate: fate, reason: fate.name) }
            }
        }
        for rejection in frame.rejected.map(\.rejection) {
            guard let seq = rejection.seq, frame.seqs?.contains(seq) ?? false else { continue }
            absent.append(Absent(seqs: seq...seq, fate: .refused, reason: rejection.code))
        }
        let gone = NumberRanges.union(
            frame.gone + NumberRanges.common(erased, NumberRanges.union(frame.accepted)))
        absent += gone.map { Absent(seqs: $0, fate: .erased, reason: NumberFate.erased.name) }
        return absent
    }
}
