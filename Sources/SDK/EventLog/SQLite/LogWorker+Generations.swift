internal import Foundation
import GRDB

// What became of a delivery, and the install that the log goes on as.
extension LogWorker {
    /// Stores what became of a batch. If the log goes on as another install, what was sent before is moved first, and every
    /// sender, of other processes too, draws numbers of the new install as soon as it sees the control file's word.
    ///
    /// Killed at any point, the log is one install or the other: the commit decides, and it is on the disk before the control
    /// file is changed, which only follows the database.
    ///
    /// - Throws: ``EventLogError``. Nothing is changed then, and nothing lost.
    func settle(
        _ lease: DeliveryLease, batch: String, _ result: DeliveryResult, pause: DeliveryPause?
    ) throws -> SettledBatch? {
        func settle(_ db: Database, _ draw: @escaping (Int64, Int64) -> Bool) throws -> SettledBatch? {
            try Delivery.settle(
                lease, batch: batch, result, pause: pause, letters: options.deadLetters,
                Forks.Outside(draw: draw, installID: options.installID), db)
        }
        guard case .newGeneration = result else {
            return try freeing { db, _ in try settle(db) { _, _ in false } }
        }
        while true {
            var (isSettled, settled): (Bool, SettledBatch?) = (false, nil)
            try exclusively { db in
                var drawn: (from: UInt64, to: UInt64)?
                // No event has these numbers: movers are kept out, and one drawn after them fails the exchange.
                defer { if !isSettled, let drawn { _ = control.counter.exchange(drawn.to, for: drawn.from) } }
                // With this commit all before it are on the disk: what a server may know of the new install, the log knows.
                try db.execute(sql: "PRAGMA synchronous = FULL")
                defer { try? db.execute(sql: "PRAGMA synchronous = NORMAL") }  // stays FULL else: slower, not less safe
                do {
                    settled = try inTransaction(db) { db in
                        try settle(db) { [control] last, count in
                            // A counter that is behind the database is a damaged one.
                            control.counter.raise(to: UInt64(last))
                            let (from, to) = (UInt64(last), UInt64(last + count))
                            // Otherwise an event was sent meanwhile, and is to be moved first.
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

    /// Goes on as the install that the database names, and has all processes do so. Under the control file's lock.
    func follow(_ db: Database) throws {
        let log = try Generations.newest(db)
        guard log != writer.log || control.installNumber.load() != UInt64(log.number) else { return }
        control.setInstall(log)
        writer.log = log
    }
}
