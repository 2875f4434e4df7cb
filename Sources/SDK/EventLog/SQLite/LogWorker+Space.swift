internal import EventModel
internal import Foundation
package import GRDB

// Freeing space in the database.
extension LogWorker {
    /// The number of pages to free in one transaction: 256 KiB.
    private static let pagesInStep = 64
    /// The number of steps per call. The rest follows the next time that the log is idle.
    private static let stepsAtOnce = 64
    /// The number of free pages to keep for the next events.
    private static let pagesKept = 128

    /// Returns free pages to the file system, except those that the next events need.
    ///
    /// - Throws: ``EventLogError``. No event is lost.
    func shrink() throws {
        for _ in 0..<Self.stepsAtOnce {
            let hasMore = try exclusively { db in
                let free = try count("freelist_count", db)
                let all = try count("page_count", db)
                let used = all - free
                let surplus = free - max(Self.pagesKept, used / 8)
                guard surplus > 0 else { return false }
                do {
                    try VacuumMode.free(min(surplus, Self.pagesInStep), db)
                    return surplus > Self.pagesInStep
                } catch let error as DatabaseError where DiskReserve.isFull(error) || error.resultCode == .SQLITE_BUSY {
                    return false  // The free pages stay in the file, and SQLite reuses them for later events.
                }
            }
            guard hasMore else { break }
        }
    }

    /// Removes quarantined files that exceed the quota, and counts them.
    ///
    /// - Throws: ``EventLogError`` if they could not be counted.
    func enforceQuota(now: EventTime) throws {
        let removed = Quarantine.enforce(options.damagedFiles, on: path, now: now)
        guard removed.count > 0 else { return }
        try freeing { db, _ in
            try db.execute(
                sql: "UPDATE log SET removed_count = removed_count + ?, removed_bytes = removed_bytes + ?",
                arguments: [removed.count, removed.bytes])
        }
    }

    private func count(_ pragma: String, _ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0
    }
}

/// How a database frees pages: a few at a time, which must be set before its first table is created.
package enum VacuumMode {
    /// Prepares a database without tables.
    static func prepareEmpty(_ db: Database) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 else { return }
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
    }

    /// Rewrites the database without free pages. From then on it can free a few pages at a time.
    package static func rewrite(_ db: Database) throws {
        // Takes effect when the file is rewritten (https://www.sqlite.org/pragma.html#pragma_auto_vacuum).
        if try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") != 2 {
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        }
        try db.execute(sql: "VACUUM")
    }

    /// Moves pages from the file's end to free pages, and truncates the file by that number of pages.
    static func free(_ pages: Int, _ db: Database) throws {
        // Each step of the statement frees one page.
        _ = try Row.fetchAll(db, sql: "PRAGMA incremental_vacuum(\(pages))")
    }
}
