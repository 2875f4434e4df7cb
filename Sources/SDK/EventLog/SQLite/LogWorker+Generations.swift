internal import Foundation
import GRDB

// Delivery results, and switching to another install.
extension LogWorker {
    /// Stores the outcome of a batch. If the log continues as another install, all events sent before are moved first.
    /// Every sender, in any process, draws numbers of the new install as soon as it sees the generation counter in the
    /// control file.
    ///
    /// A kill at any point leaves the log with either the old or the new install. The commit decides, and is on the
    /// disk before the control file is changed.
    ///
    /// - Throws: ``EventLogError``, without any change or loss.
    func settle(
        _ lease: DeliveryLease, batch: String, _ result: DeliveryResult, pause: DeliveryPause?
    ) throws -> SettledBatch? {
        func settle(_ db: Database, _ draw: @escaping (Int64, Int64) -> Bool) throws -> SettledBatch? {
            try Delivery.settle(
                lease, batch: batch, result: result, pause: pause, letters: options.deadLetters,
                dependencies: Forks.Dependencies(draw: draw, installID: options.installID), db)
        }
        guard case .newGeneration = result else {
            return try freeing { db, _ in try settle(db) { _, _ in false } }
        }
        while true {
            var isSettled = false
            var settled: SettledBatch?
            try exclusively { db in
                var drawn: (from: UInt64, to: UInt64)?
                // Returns the numbers, which no event can have: the lock excludes movers, and the exchange fails if a
                // later number was drawn.
                defer { if !isSettled, let drawn { _ = control.counter.exchange(drawn.to, for: drawn.from) } }
                // Syncs this and all earlier commits: the log never lacks an install that a server knows.
                try db.execute(sql: "PRAGMA synchronous = FULL")
                // If this fails, `synchronous` stays FULL: slower, but safe.
                defer { try? db.execute(sql: "PRAGMA synchronous = NORMAL") }
                do {
                    settled = try inTransaction(db) { db in
                        try settle(db) { [control] last, count in
                            // A counter that is behind the database is damaged.
                            control.counter.raise(to: UInt64(last))
                            let from = UInt64(last)
                            let to = UInt64(last + count)
                            // If this fails, an event was sent meanwhile and must be moved first.
                            guard control.counter.exchange(from, for: to) else { return false }
                            drawn = (from, to)
                            return true
                        }
                    }
                } catch is Forks.Unsettled {
                    return
                }
                isSettled = true
                lastSeq = max(lastSeq, try EventRow.lastSeq(db))
                try follow(db)
            }
            if isSettled { return settled }
            try moveAll()
        }
    }

    /// Switches this log and all processes to the install in the database. Call with the control file's lock held.
    func follow(_ db: Database) throws {
        let log = try Generations.newest(db)
        guard log != writer.log || control.installNumber.load() != UInt64(log.number) else { return }
        control.setInstall(log)
        writer.log = log
    }
}
