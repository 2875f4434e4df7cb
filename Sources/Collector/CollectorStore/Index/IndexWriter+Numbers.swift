internal import DeliveryProtocol
internal import EventModel
internal import Primitives

extension IndexWriter {
    /// The maximum number of missing ranges that are found, the lowest first: one more than a receipt lists.
    static let maximumMissing = Receipt.maximumMissing + 1

    /// The number of ranges and ledger rows of an install above which no batch or erasure adds more.
    static let maximumRanges = 100_000

    /// The most rows after the first missing range that one submission reads to find others. Those after them are found
    /// once the earlier ones are settled. The rows before it are read once: `completeTo` advances over them.
    static let maximumAdvance = 5_000

    /// Whether an install has more than ``maximumRanges``. Complexity: O(ranges) at the first call for an install, and
    /// whenever it may have reached the limit.
    func hasTooManyRanges(_ install: Int64) throws -> Bool {
        if let most = mostRanges[install], most <= Self.maximumRanges { return false }
        let count = try connection.first(
            """
            SELECT (SELECT count(*) FROM numbers WHERE install = ?1) + (SELECT count(*) FROM ledger WHERE install = ?1)
            """, .int(install)
        ) { Int($0.int(0)) }
        if mostRanges.count >= 10_000 { mostRanges = [:] }
        mostRanges[install] = count
        return count ?? 0 > Self.maximumRanges
    }

    /// Numbers and their fate.
    typealias Piece = (seqs: ClosedRange<Int64>, fate: NumberFate)

    /// Raises the fate of numbers. A number with a higher fate keeps it.
    ///
    /// Overlapping and adjacent pieces are united first: each row of the table is read and written at most twice, however
    /// many pieces touch it.
    func raise(_ install: Int64, _ pieces: [Piece]) throws {
        var rest = pieces.sorted { $0.seqs.lowerBound < $1.seqs.lowerBound }[...]
        while let first = rest.first?.seqs {
            var last = first.upperBound
            let group = rest.prefix { piece in
                guard piece.seqs.lowerBound <= last + 1 else { return false }
                last = max(last, piece.seqs.upperBound)
                return true
            }
            rest = rest.dropFirst(group.count)
            try raise(install, first.lowerBound...last, with: group)
        }
    }

    /// - Parameters:
    ///   - range: The union of the new pieces.
    ///   - new: At least one piece.
    private func raise(_ install: Int64, _ range: ClosedRange<Int64>, with new: ArraySlice<Piece>) throws {
        var touched: [Piece] = []
        // Backwards from the end of the range: ranges are disjoint, so the first one that ends before it is the
        // last to check.
        try connection.each(
            "SELECT first, last, fate FROM numbers WHERE install = ? AND first <= ? ORDER BY first DESC",
            .int(install),
            .int(range.upperBound + 1)
        ) { row in
            guard row.int(1) >= range.lowerBound - 1 else { return false }
            try spend(1)
            // Any fate replaces a damaged one.
            touched.append((row.int(0)...row.int(1), NumberFate(rawValue: Int(row.int(2))) ?? .held))
            return true
        }
        touched.reverse()
        let pieces = Self.highest(touched + new)
        mostRanges[install]? += pieces.count - touched.count
        var rest = touched[...]
        for piece in pieces {
            try delete(&rest, of: install) { $0.seqs.lowerBound < piece.seqs.lowerBound }
            // The piece replaces the row that begins with the same number.
            let known = rest.first?.seqs.lowerBound == piece.seqs.lowerBound ? rest.popFirst() : nil
            if let known, known == piece { continue }
            try spend(1)
            try connection.run(
                """
                INSERT INTO numbers (install, first, last, fate) VALUES (?, ?, ?, ?)
                ON CONFLICT (install, first) DO UPDATE SET last = excluded.last, fate = excluded.fate
                """, .int(install), .int(piece.seqs.lowerBound), .int(piece.seqs.upperBound),
                .int(piece.fate.rawValue))
        }
        try delete(&rest, of: install) { _ in true }
    }

    /// Deletes the first rows, as long as `isObsolete` returns true.
    private func delete(
        _ rows: inout ArraySlice<Piece>, of install: Int64, while isObsolete: (Piece) -> Bool
    ) throws {
        while let row = rows.first, isObsolete(row) {
            rows.removeFirst()
            try spend(1)
            try connection.run(
                "DELETE FROM numbers WHERE install = ? AND first = ?", .int(install), .int(row.seqs.lowerBound))
        }
    }

    /// The highest fate of each number in any of the pieces, as disjoint pieces in order; adjacent ones have different fates.
    private static func highest(_ pieces: [Piece]) -> [Piece] {
        if let fate = pieces.first?.fate, pieces.allSatisfy({ $0.fate == fate }) {
            return NumberRanges.union(pieces.map(\.seqs)).map { ($0, fate) }
        }
        var done: [ClosedRange<Int64>] = []
        var result: [Piece] = []
        for (fate, pieces) in Dictionary(grouping: pieces, by: \.fate).sorted(by: { $0.key > $1.key }) {
            let all = NumberRanges.union(pieces.map(\.seqs))
            result += NumberRanges.difference(all, done).map { ($0, fate) }
            done = NumberRanges.union(done + all)
        }
        return result.sorted { $0.seqs.lowerBound < $1.seqs.lowerBound }
    }

    /// The ranges of an install with their fates that overlap a range, in order.
    func numbers(_ install: Int64, in range: ClosedRange<Int64>) throws -> [Piece] {
        var found: [Piece] = []
        try connection.each(
            "SELECT first, last, fate FROM numbers WHERE install = ? AND first <= ? ORDER BY first DESC",
            .int(install),
            .int(range.upperBound)
        ) { row in
            guard row.int(1) >= range.lowerBound else { return false }
            if let fate = NumberFate(rawValue: Int(row.int(2))) { found.append((row.int(0)...row.int(1), fate)) }
            return true
        }
        return found.reversed()
    }

    /// Advances `completeTo` over all numbers that have a fate.
    ///
    /// - Returns: The ranges without a fate above it, up to the highest number, or as far as ``maximumAdvance``
    ///   reaches; at most ``maximumMissing``.
    func advance(_ install: inout Install) throws -> [ClosedRange<Int64>] {
        var missing: [ClosedRange<Int64>] = []
        var next = install.completeTo + 1
        guard next <= install.highest else { return [] }
        // The range that contains 'complete_to' may have grown, and starts earlier.
        let start = try connection.first(
            "SELECT max(first) FROM numbers WHERE install = ? AND first <= ?", .int(install.id), .int(next)
        ) { $0.int(0) }
        var rows = 0
        try connection.each(
            "SELECT first, last FROM numbers WHERE install = ? AND first >= ? ORDER BY first", .int(install.id),
            .int(start ?? 0)
        ) { row in
            if !missing.isEmpty { rows += 1 }
            guard rows <= Self.maximumAdvance else { return false }
            let first = row.int(0)
            let last = row.int(1)
            if first > next {
                guard next <= install.highest, missing.count < Self.maximumMissing else { return false }
                missing.append(next...min(first - 1, install.highest))
            }
            next = max(next, last + 1)
            if missing.isEmpty { install.completeTo = next - 1 }
            return next <= install.highest
        }
        if next <= install.highest, missing.count < Self.maximumMissing, rows <= Self.maximumAdvance {
            missing.append(next...install.highest)
        }
        return missing
    }

    /// Stores ledger rows.
    ///
    /// - Returns: The fates of their numbers, to be raised.
    func apply(_ rows: [BatchHeader.LedgerRow], to install: inout Install) throws -> [Piece] {
        var pieces: [Piece] = []
        mostRanges[install.id]? += rows.count
        for row in rows {
            try connection.run(
                """
                INSERT INTO ledger (install, reason, first, last, count, first_time, last_time) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (install, reason, first) DO UPDATE SET last = max(last, excluded.last),
                    count = max(count, excluded.count),
                    first_time = CASE WHEN first_time IS NULL THEN excluded.first_time
                        ELSE min(first_time, coalesce(excluded.first_time, first_time)) END,
                    last_time = CASE WHEN last_time IS NULL THEN excluded.last_time
                        ELSE max(last_time, coalesce(excluded.last_time, last_time)) END
                """, .int(install.id), .text(row.reason), .int(row.seqs?.lowerBound ?? 0),
                .int(row.seqs?.upperBound ?? 0), .int(row.count), .optional(row.times?.lowerBound.microseconds),
                .optional(row.times?.upperBound.microseconds))
            guard let seqs = row.seqs else { continue }
            install.highest = max(install.highest, seqs.upperBound)
            pieces.append((seqs, NumberFate(ledgerReason: row.reason)))
        }
        return pieces
    }

    /// The rows that are not in the ledger yet.
    func news(in rows: [BatchHeader.LedgerRow], of install: Int64) throws -> [BatchHeader.LedgerRow] {
        try rows.filter { row in
            let known = try connection.first(
                "SELECT last, count FROM ledger WHERE install = ? AND reason = ? AND first = ?", .int(install),
                .text(row.reason), .int(row.seqs?.lowerBound ?? 0)
            ) { ($0.int(0), $0.int(1)) }
            guard let (last, count) = known else { return true }
            return (row.seqs?.upperBound ?? 0) > last || row.count > count
        }
    }

    func apply(_ frame: LedgerFrame) throws {
        var install = try installOrNew(frame.installID, at: frame.receivedAt)
        install.lastSeen = max(install.lastSeen, frame.receivedAt)
        try raise(install.id, apply(frame.ledger, to: &install))
        _ = try advance(&install)
        try save(install)
    }

    /// The maximum number of forks that are kept of an install.
    static let maximumForks = 100

    /// Whether a fork contains new information.
    func isNews(_ frame: ForkFrame) throws -> Bool {
        guard let install = try install(frame.installID) else { return true }
        var ranges = ByteWriter()
        ranges.ranges(frame.forked)
        let known = try connection.first(
            "SELECT count(*), coalesce(sum(forked = ?), 0) FROM forks WHERE install = ?", .blob(ranges.bytes),
            .int(install.id)
        ) { ($0.int(0), $0.int(1)) }
        guard let (count, same) = known else { return true }
        return same == 0 && count < Self.maximumForks
    }

    func apply(_ frame: ForkFrame, number: Int64) throws {
        let install = try installOrNew(frame.installID, at: frame.receivedAt)
        try insert(frame, number: number, install: install.id)
    }

    func insert(_ frame: ForkFrame, number: Int64, install: Int64) throws {
        var acknowledged = ByteWriter()
        var forked = ByteWriter()
        acknowledged.ranges(frame.acknowledged)
        forked.ranges(frame.forked)
        try connection.run(
            "INSERT OR IGNORE INTO forks (install, frame, seen_at, key, acknowledged, forked) VALUES (?, ?, ?, ?, ?, ?)",
            .int(install), .int(number), .int(frame.receivedAt), .blob(frame.key), .blob(acknowledged.bytes),
            .blob(forked.bytes))
    }
}
