package import EventLog
package import EventModel
internal import GRDB

/// What a person asks of a log, past what an app does with it.
extension SQLiteEventStore {
    /// Looks through the whole structure of the database, and salvages it if it is damaged.
    ///
    /// - Throws: ``/EventLog/EventLogError``.
    package func mendStructure() async throws {
        try await perform { worker in
            try worker.exclusively { db in
                // What SQLite says itself of damage, the worker takes for the order to salvage.
                let issue = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? "ok"
                guard issue == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: issue) }
            }
        }
    }

    /// Removes the oldest events until a retention's limits hold, in steps of some thousand.
    ///
    /// - Parameter includingUnsent: Whether events go that a consumer has not had yet; they are counted as
    ///   ``/EventLog/DropReason/evicted``.
    /// - Throws: ``/EventLog/EventLogError``. What went until then has gone.
    package func trim(to retention: Retention, includingUnsent: Bool, now: EventTime) async throws -> LogTrimming {
        try await perform { worker in
            let plan = try worker.reading { db in
                try Trimming.plan(retention, includingUnsent: includingUnsent, now: now, db)
            }
            while try worker.transaction({ db in try Trimming.removeStep(through: plan.end, db) }) {}
            return plan.trimming
        }
    }

    /// Writes the database anew without its free pages, and empties the write-ahead log.
    ///
    /// - Returns: false if that was left out because another process has the log open: it would have to wait.
    /// - Throws: ``/EventLog/EventLogError``: `inUse` if a reader stands in the way.
    package func compact() async throws -> Bool {
        try await perform { worker in
            try worker.exclusively { db in
                guard !worker.hasOtherWriters else { return false }
                try VacuumMode.rewrite(db)
                _ = try db.checkpoint(.truncate)
                return true
            }
        }
    }

    /// Removes the events that `isErased` picks, wherever they stand; each is counted as ``/EventLog/DropReason/erased``.
    ///
    /// Their bytes are overwritten in the database's pages; only ``compact()`` takes them out of the write-ahead log
    /// and out of pages that were free before.
    ///
    /// - Returns: How many events went, and the bytes of their lines.
    /// - Throws: ``/EventLog/EventLogError``. Run again, it goes on.
    package func erase(
        where isErased: @escaping @Sendable (BorrowedEvent) -> Bool
    ) async throws -> (events: Int64, bytes: Int64) {
        try await perform { worker in
            var erasure = RowErasure(where: isErased)
            var (last, events, bytes): (Int64, Int64, Int64) = (.min, 0, 0)
            try worker.transaction { db in try RowErasure.eraseApart(db, where: isErased) }
            while true {
                let step = try worker.transaction { db in try erasure.step(db, after: last) }
                events += step.events
                bytes += step.bytes
                guard let end = step.last else { return (events, bytes) }
                last = end
            }
        }
    }

    /// Stores a consumer's checkpoint, if it is still what it was; its cursor stays.
    package func replaceCheckpoint(of consumer: String, _ former: String, by checkpoint: String?) async throws {
        try await perform { worker in
            try worker.transaction { db in
                try db.execute(
                    sql: "UPDATE consumers SET checkpoint = ? WHERE name = ? AND checkpoint = ?",
                    arguments: [checkpoint, consumer, former])
            }
        }
    }
}
