internal import DeliveryProtocol

/// Finds the rows of an install with ranges of numbers that contain ascending numbers. Reads at most two rows for each
/// number that is asked for, whatever lies between them, and one for a range that contains several.
struct IndexRows<Row> {
    /// The last range that starts at or before a number.
    let find: (Int64) throws -> (seqs: ClosedRange<Int64>, row: Row)?
    /// The first number of the first range that starts after a number.
    let next: (Int64) throws -> Int64?
    private var last: (seqs: ClosedRange<Int64>, row: Row?)?

    init(
        find: @escaping (Int64) throws -> (seqs: ClosedRange<Int64>, row: Row)?,
        next: @escaping (Int64) throws -> Int64?
    ) {
        self.find = find
        self.next = next
    }

    /// The row whose range contains a number; nil if there is none.
    mutating func row(at seq: Int64) throws -> Row? {
        if let last, last.seqs.contains(seq) { return last.row }
        if let found = try find(seq), found.seqs.contains(seq) {
            last = (found.seqs, found.row)
            return found.row
        }
        last = (seq...max(seq, (try next(seq) ?? .max) - 1), nil)
        return nil
    }
}

extension IndexWriter {
    /// Numbers from one batch.
    struct Run {
        var seqs: ClosedRange<Int64>
        var receipt: Int64
        /// The ordinal of the first number's line in the batch.
        var ordinal: Int
    }

    /// The fates of an install's numbers.
    func fates(of install: Int64) -> IndexRows<NumberFate> {
        IndexRows { [connection] seq in
            try connection.first(
                "SELECT first, last, fate FROM numbers WHERE install = ? AND first <= ? ORDER BY first DESC LIMIT 1",
                .int(install), .int(seq)
            ) { row in
                // Any fate replaces a damaged one.
                (seqs: row.int(0)...row.int(1), row: NumberFate(rawValue: Int(row.int(2))) ?? .held)
            }
        } next: { [connection] seq in
            try connection.first(
                "SELECT first FROM numbers WHERE install = ? AND first > ? ORDER BY first LIMIT 1", .int(install),
                .int(seq)
            ) { $0.int(0) }
        }
    }

    /// The runs of an install's numbers.
    func runs(of install: Int64) -> IndexRows<Run> {
        IndexRows { [connection] seq in
            try connection.first(
                """
                SELECT first, last, receipt, ordinal FROM runs WHERE install = ? AND first <= ?
                ORDER BY first DESC LIMIT 1
                """, .int(install), .int(seq)
            ) { row in
                let seqs = row.int(0)...row.int(1)
                return (seqs: seqs, row: Run(seqs: seqs, receipt: row.int(2), ordinal: Int(row.int(3))))
            }
        } next: { [connection] seq in
            try connection.first(
                "SELECT first FROM runs WHERE install = ? AND first > ? ORDER BY first LIMIT 1", .int(install),
                .int(seq)
            ) { $0.int(0) }
        }
    }
}
