import GRDB
import GRDBSQLite

/// Removes single events, wherever they stand, and says so in the ledger.
enum Erasure {
    /// What became of a part of the log.
    struct Step {
        /// The last number that was looked at; nil at the end.
        var last: Int64?
        var events: Int64 = 0
        var bytes: Int64 = 0
    }

    /// Numbers that were erased with no event left between them.
    private struct Run {
        var seqs: ClosedRange<Int64>
        var count: Int64
    }

    /// Numbers that are looked at in one transaction.
    private static let span: Int64 = 20_000

    /// Erases among the next rows after a number, inside a transaction.
    static func step(
        _ db: Database, after seq: Int64, where isErased: (BorrowedEvent) -> Bool
    ) throws -> Step {
        try db.execute(sql: "PRAGMA secure_delete = ON")
        var step = Step()
        var erased: [Int64] = []
        var runs: [Run] = []
        var isInRun = false
        step.last = try EventRow.visit(
            db, after: seq, span: span, filter: EventRowFilter(), withStamps: false
        ) { event in
            guard isErased(event) else {
                isInRun = false
                return true
            }
            erased.append(event.seq)
            step.bytes += Int64(event.line.count)
            if isInRun, let run = runs.last {
                runs[runs.count - 1] = Run(seqs: run.seqs.lowerBound...event.seq, count: run.count + 1)
            } else {
                runs.append(Run(seqs: event.seq...event.seq, count: 1))
            }
            isInRun = true
            return true
        }.last
        step.events = Int64(erased.count)
        guard !erased.isEmpty else { return step }
        let delete = try db.cachedStatement(sql: "DELETE FROM events WHERE seq = ?")
        for seq in erased { try delete.execute(arguments: [seq]) }
        for run in runs { try Ledger.addRange(.erased, count: run.count, seqs: run.seqs, db) }
        try db.execute(sql: EventRow.takeOff, arguments: [step.events, step.bytes])
        return step
    }
}
