package import EventLog
package import EventModel
internal import GRDB

/// Maintenance operations on request, beyond those that apps need.
extension SQLiteEventStore {
    /// Checks the whole structure of the database, and rebuilds the database if it is damaged.
    ///
    /// - Throws: ``/EventLog/EventLogError``.
    package func repairStructure() async throws {
        try await perform { worker in
            try worker.exclusively { db in
                // The worker rebuilds the database when SQLite reports damage, so throw the same error.
                let issue = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? "ok"
                guard issue == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: issue) }
            }
        }
    }

    /// Removes the oldest events until a retention's limits hold, in steps of some thousand.
    ///
    /// - Parameter includingUnsent: Whether to remove events that a consumer has not received, too. They are counted
    ///   as ``/EventLog/DropReason/evicted``.
    /// - Throws: ``/EventLog/EventLogError``. Completed steps are kept.
    package func trim(to retention: Retention, includingUnsent: Bool, now: EventTime) async throws -> LogTrimming {
        try await perform { worker in
            let plan = try worker.reading { db in
                try Trimming.plan(retention, includingUnsent: includingUnsent, now: now, db)
            }
            while try worker.transaction({ db in try Trimming.removeStep(through: plan.end, db) }) {}
            return plan.trimming
        }
    }

    /// Rewrites the database without its free pages, and empties the write-ahead log.
    ///
    /// - Returns: false if nothing was done, because another process has the log open and would have to wait.
    /// - Throws: ``/EventLog/EventLogError``: `inUse` if a reader prevents it.
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

    /// Erases the events that `isErased` selects from all tables, and counts each as ``/EventLog/DropReason/erased``.
    ///
    /// Overwrites their bytes in the database's pages. Call ``compact()`` to remove them from the write-ahead log and
    /// from formerly free pages, too.
    ///
    /// - Returns: The number of erased events, and the bytes of their lines.
    /// - Throws: ``/EventLog/EventLogError``. Run it again to continue.
    package func erase(
        where isErased: @escaping @Sendable (BorrowedEvent) -> Bool
    ) async throws -> (events: Int64, bytes: Int64) {
        try await perform { worker in
            var erasure = RowErasure(where: isErased)
            var last: Int64 = .min
            var events: Int64 = 0
            var bytes: Int64 = 0
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

    /// Replaces a consumer's checkpoint if it is unchanged; its cursor stays.
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
