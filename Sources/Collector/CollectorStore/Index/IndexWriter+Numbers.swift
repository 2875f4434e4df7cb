internal import DeliveryProtocol
internal import EventModel

extension IndexWriter {
    /// The maximum number of missing ranges that are found, the lowest first: one more than a receipt lists.
    static let maximumMissing = Receipt.maximumMissing + 1

    /// Raises the fate of numbers. A number with a higher fate keeps it.
    func raise(_ install: Int64, _ ranges: [ClosedRange<Int64>], to fate: NumberFate) throws {
        for range in ranges { try raise(install, range, to: fate) }
    }

    private typealias Piece = (seqs: ClosedRange<Int64>, fate: NumberFate)

    private func raise(_ install: Int64, _ range: ClosedRange<Int64>, to new: NumberFate) throws {
        var touched: [Piece] = []
        // Backwards from the end of the range: ranges are disjoint, so the first one that ends before it is the
        // last to check.
        try connection.each(
            "SELECT first, last, fate FROM numbers WHERE install = ? AND first <= ? ORDER BY first DESC",
            .int(install),
            .int(range.upperBound + 1)
        ) { row in
            guard row.int(1) >= range.lowerBound - 1 else { return false }
            // Any fate replaces a damaged one.
            touched.append((row.int(0)...row.int(1), NumberFate(rawValue: Int(row.int(2))) ?? .held))
            return true
        }
        if touched.isEmpty { return try insert((range, new), install) }
        if touched.count == 1, touched[0].fate == new {
            let old = touched[0].seqs
            if old.lowerBound <= range.lowerBound {
                guard old.upperBound < range.upperBound else { return }
                return try connection.run(
                    "UPDATE numbers SET last = ? WHERE install = ? AND first = ?", .int(range.upperBound),
                    .int(install),
                    .int(old.lowerBound))
            }
        }
        for piece in touched {
            try connection.run(
                "DELETE FROM numbers WHERE install = ? AND first = ?", .int(install), .int(piece.seqs.lowerBound))
        }
        for piece in Self.raised(touched.reversed(), range, to: new) { try insert(piece, install) }
    }

    private func insert(_ piece: Piece, _ install: Int64) throws {
        try connection.run(
            "INSERT INTO numbers (install, first, last, fate) VALUES (?, ?, ?, ?)", .int(install),
            .int(piece.seqs.lowerBound), .int(piece.seqs.upperBound), .int(piece.fate.rawValue))
    }

    /// - Parameter old: In order; each overlaps the range or is adjacent to it.
    private static func raised(_ old: [Piece], _ range: ClosedRange<Int64>, to fate: NumberFate) -> [Piece] {
        var pieces: [Piece] = []
        func add(from first: Int64, through last: Int64, fate: NumberFate) {
            guard first <= last else { return }
            if let before = pieces.last, before.fate == fate, before.seqs.upperBound + 1 == first {
                pieces[pieces.count - 1].seqs = before.seqs.lowerBound...last
            } else {
                pieces.append((first...last, fate))
            }
        }
        var next = range.lowerBound
        for piece in old {
            let first = piece.seqs.lowerBound
            let last = piece.seqs.upperBound
            add(from: first, through: min(last, range.lowerBound - 1), fate: piece.fate)
            if last >= range.lowerBound {
                add(from: next, through: min(first - 1, range.upperBound), fate: fate)
                add(
                    from: max(first, range.lowerBound), through: min(last, range.upperBound),
                    fate: max(piece.fate, fate))
                next = max(next, last + 1)
            }
            if last > range.upperBound {
                add(from: range.upperBound + 1 > first ? range.upperBound + 1 : first, through: last, fate: piece.fate)
            }
        }
        // The loop adds the parts of the range before and within each piece; the rest of the range follows the last
        // piece.
        if next <= range.upperBound { add(from: next, through: range.upperBound, fate: fate) }
        return pieces
    }

    /// The ranges of an install with their fates that overlap a range, in order.
    func numbers(_ install: Int64, in range: ClosedRange<Int64>) throws -> [(
        seqs: ClosedRange<Int64>, fate: NumberFate
    )] {
        var found: [(seqs: ClosedRange<Int64>, fate: NumberFate)] = []
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
    /// - Returns: The ranges without a fate above it, up to the highest number; at most ``maximumMissing``.
    func advance(_ install: inout Install) throws -> [ClosedRange<Int64>] {
        var missing: [ClosedRange<Int64>] = []
        var next = install.completeTo + 1
        guard next <= install.highest else { return [] }
        // The range that contains 'complete_to' may have grown, and starts earlier.
        let start = try connection.first(
            "SELECT max(first) FROM numbers WHERE install = ? AND first <= ?", .int(install.id), .int(next)
        ) { $0.int(0) }
        try connection.each(
            "SELECT first, last FROM numbers WHERE install = ? AND first >= ? ORDER BY first", .int(install.id),
            .int(start ?? 0)
        ) { row in
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
        if next <= install.highest, missing.count < Self.maximumMissing { missing.append(next...install.highest) }
        return missing
    }

    /// Stores ledger rows, and the fates of their numbers.
    func apply(_ rows: [BatchHeader.LedgerRow], to install: inout Install) throws {
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
            try raise(install.id, seqs, to: NumberFate(ledgerReason: row.reason))
        }
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
        try apply(frame.ledger, to: &install)
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
