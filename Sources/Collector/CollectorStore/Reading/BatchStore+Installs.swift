package import DeliveryProtocol
package import EventModel
internal import Foundation
internal import GRDB
internal import Primitives

// These methods may block for the disk, never for writers. They throw ``StoreError`` with `indexFailed` or
// `damaged`.
extension BatchStore {
    /// The state of an install; nil if it has sent nothing. Complexity: O(ranges and forks of the install).
    package func install(_ installID: String) throws(StoreError) -> InstallSummary? {
        try reading { db in
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT id, first_seen, last_seen, highest FROM installs WHERE install = CAST(? AS TEXT)",
                    arguments: [ExactText(installID)])
            else { return nil }
            let id: Int64 = row[0]
            return InstallSummary(
                installID: installID, firstSeen: .init(microseconds: row[1]), lastSeen: .init(microseconds: row[2]),
                highest: row[3], numbers: try Self.numbers(id, db), ledger: try Self.ledger(id, db),
                forks: try Self.forks(id, db))
        }
    }

    /// Converts the ids of the installs that were seen before a time, the newest first.
    package func installs<Element>(
        before time: EventTime, limit: Int, _ transform: (String) -> Element
    ) throws(StoreError) -> [Element] {
        try reading { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT CAST(install AS BLOB) FROM installs WHERE first_seen < ? ORDER BY id DESC LIMIT ?",
                arguments: [time.microseconds, limit])
            var found: [Element] = []
            while let row = try rows.next() { found.append(transform(row.text(0))) }
            return found
        }
    }

    /// The completeness of installs, in the order of their ids.
    ///
    /// - Parameter installID: Start after this install.
    package func completeness(after installID: String = "", limit: Int = 1000) throws(StoreError)
        -> [InstallCompleteness]
    {
        try reading { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT CAST(install AS BLOB), * FROM completeness WHERE install > CAST(? AS TEXT) ORDER BY install LIMIT ?
                    """,
                arguments: [ExactText(installID), limit]
            ).map { row in
                InstallCompleteness(
                    installID: row.text(0), highest: row["highest"], stored: row["stored"],
                    explained: row["explained"],
                    held: row["held"], missing: row["missing"], isComplete: row["is_complete"])
            }
        }
    }

    /// The stored ranges of an install with their hashes, including lines that retention removed. Two stores with
    /// the same lines return the same hashes. Complexity: O(runs of the install); reads no lines.
    ///
    /// - Parameter isMerged: Whether to merge adjacent ranges. If false, each range has the numbers from one batch.
    package func rangeHashes(of installID: String, isMerged: Bool = true) throws(StoreError) -> [RangeHash] {
        try reading { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT r.first, r.last, r.hash FROM runs r JOIN installs i ON i.id = r.install
                    WHERE i.install = CAST(? AS TEXT) ORDER BY r.first
                    """, arguments: [ExactText(installID)])
            var ranges: [RangeHash] = []
            while let row = try rows.next() {
                let first: Int64 = row[0]
                let last: Int64 = row[1]
                let hash: Int64 = row[2]
                if isMerged, let before = ranges.last, before.seqs.upperBound + 1 == first {
                    ranges[ranges.count - 1] = RangeHash(
                        seqs: before.seqs.lowerBound...last, hash: before.hash &+ UInt64(bitPattern: hash))
                } else {
                    ranges.append(RangeHash(seqs: first...last, hash: UInt64(bitPattern: hash)))
                }
            }
            return ranges
        }
    }

    /// Accepted batches in the order of their receipts, until retention removes them.
    package func batches(of installID: String? = nil, after receipt: Int64 = 0, limit: Int = 1000)
        throws(StoreError)
        -> [BatchSummary]
    {
        try reading { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT b.receipt, CAST(i.install AS BLOB), b.key, b.received_at, b.first, b.last, b.lines
                    FROM batches b JOIN installs i ON i.id = b.install
                    WHERE b.receipt > ?\(installID == nil ? "" : " AND i.install = CAST(? AS TEXT)") ORDER BY b.receipt LIMIT \(max(0, limit))
                    """, arguments: [receipt] + (installID.map { [ExactText($0)] } ?? [])
            ).map { row in
                let key: [UInt8]? = (row[2] as Data?).map { Array($0) }
                let first: Int64? = row[4]
                let last: Int64? = row[5]
                var seqs: ClosedRange<Int64>?
                if let first, let last { seqs = first...last }
                return BatchSummary(
                    receipt: row[0], installID: row.text(1), batchID: key?.hexadecimal,
                    receivedAt: .init(microseconds: row[3]),
                    seqs: seqs, lines: row[6])
            }
        }
    }

    /// Rejected lines with their exact bytes, in the order of their receipts.
    ///
    /// - Parameters:
    ///   - receipt: Start after this batch.
    ///   - limit: The maximum number of batches with rejected lines.
    ///   - byteLimit: The size in bytes at which the result ends, after at least one batch.
    package func rejects(
        of installID: String? = nil, after receipt: Int64 = 0, limit: Int = 100, byteLimit: Int = 4 << 20
    ) throws(StoreError) -> [RejectedLine] {
        let found: [(Int64, FrameLocation)] = try reading { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT r.receipt, b.segment, b.offset, b.length FROM rejects r
                    JOIN batches b ON b.receipt = r.receipt JOIN installs i ON i.id = r.install
                    WHERE r.receipt > ?\(installID == nil ? "" : " AND i.install = CAST(? AS TEXT)") ORDER BY r.receipt LIMIT \(max(0, limit))
                    """, arguments: [receipt] + (installID.map { [ExactText($0)] } ?? [])
            ).map { ($0[0], FrameLocation(segment: $0[1], offset: $0[2], length: $0[3])) }
        }
        do {
            // Before the frames: a request that is no longer pending has changed the frames.
            let pending = try found.isEmpty ? [] : pendingErasures()
            var lines: [RejectedLine] = []
            var bytes = 0
            for (receipt, location) in found where bytes < byteLimit {
                var frame: BatchFrame
                do { frame = try read(receipt, at: location) } catch is Vanished { continue }
                frame.dropRejects(of: pending, receipt: receipt)
                for record in frame.rejected {
                    bytes += (record.bytes?.count ?? 0) + record.rejection.message.utf8.count + 200
                    lines.append(
                        RejectedLine(
                            receipt: receipt, installID: frame.installID,
                            receivedAt: .init(microseconds: frame.receivedAt), rejection: record.rejection,
                            bytes: record.bytes))
                }
            }
            return lines
        } catch {
            throw .opening(folder.segments, error)
        }
    }

    func reading<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        do { return try index.read(body) } catch { throw .index(folder.index, error) }
    }

    static func numbers(_ install: Int64, _ db: Database) throws -> [InstallSummary.Numbers] {
        let numbers: [InstallSummary.Numbers] = try Row.fetchAll(
            db, sql: "SELECT first, last, fate FROM numbers WHERE install = ? ORDER BY first", arguments: [install]
        ).compactMap { row in NumberFate(rawValue: row[2]).map { .init(seqs: row[0]...row[1], fate: $0) } }
        let named = try Row.fetchAll(
            db, sql: "SELECT named FROM erasures WHERE install = ?", arguments: [install]
        ).flatMap { try IndexWriter.ranges(Array($0[0] as Data)) }
        return named.isEmpty ? numbers : numbers.naming(NumberRanges.union(named))
    }

    static func ledger(_ install: Int64, _ db: Database) throws -> [BatchHeader.LedgerRow] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT CAST(reason AS BLOB), first, last, count, first_time, last_time FROM ledger WHERE install = ?
                ORDER BY reason, first
                """, arguments: [install]
        ).map { row in
            let first: Int64 = row[1]
            let start: Int64? = row[4]
            let end: Int64? = row[5]
            var times: ClosedRange<EventTime>?
            if let start, let end, start <= end { times = .init(microseconds: start)...(.init(microseconds: end)) }
            return .init(reason: row.text(0), seqs: first > 0 ? first...row[2] : nil, count: row[3], times: times)
        }
    }

    private static func forks(_ install: Int64, _ db: Database) throws -> [InstallSummary.Fork] {
        try Row.fetchAll(
            db, sql: "SELECT seen_at, key, acknowledged, forked FROM forks WHERE install = ? ORDER BY frame",
            arguments: [install]
        ).map { row in
            let key = Array(row[1] as Data)
            return .init(
                seenAt: .init(microseconds: row[0]), batchID: key.isEmpty ? nil : key.hexadecimal,
                acknowledged: try IndexWriter.ranges(Array(row[2] as Data)),
                forked: try IndexWriter.ranges(Array(row[3] as Data)))
        }
    }
}

extension [InstallSummary.Numbers] {
    /// Lists numbers as erased if an erasure has named them and no line is stored.
    fileprivate func naming(_ named: [ClosedRange<Int64>]) -> Self {
        var numbers: Self = []
        func add(_ seqs: ClosedRange<Int64>, _ fate: NumberFate) {
            if let last = numbers.last, last.fate == fate, last.seqs.upperBound + 1 == seqs.lowerBound {
                numbers[numbers.count - 1].seqs = last.seqs.lowerBound...seqs.upperBound
            } else {
                numbers.append(.init(seqs: seqs, fate: fate))
            }
        }
        for piece in self {
            guard piece.fate < .stored else {
                add(piece.seqs, piece.fate)
                continue
            }
            let erased = NumberRanges.common([piece.seqs], named)
            let parts =
                erased.map { (seqs: $0, fate: NumberFate.erased) }
                + NumberRanges.difference([piece.seqs], erased).map { (seqs: $0, fate: piece.fate) }
            for part in parts.sorted(by: { $0.seqs.lowerBound < $1.seqs.lowerBound }) { add(part.seqs, part.fate) }
        }
        return numbers
    }
}
