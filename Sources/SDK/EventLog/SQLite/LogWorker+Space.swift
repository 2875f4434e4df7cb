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
    /// A log of an earlier version cannot free a few pages at a time. It is rewritten once, when two thirds of its
    /// pages are free and the disk has room; never while it is being opened.
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
                    guard try VacuumMode.isIncremental(db) else {
                        guard free > 2 * used, !hasOtherWriters else { return false }
                        let room = DiskReserve.freeBytes(at: path)
                        guard room > 2 * used * Self.pageSize + DiskReserve.tightness else { return false }
                        try VacuumMode.rewrite(db)
                        checkpoint(db, .truncate)
                        return false
                    }
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

    private static let pageSize = 4096

    private func count(_ pragma: String, _ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0
    }
}

/// How a database frees pages. A new log frees a few pages at a time, which must be set before its first table is
/// created. A log of an earlier version can do so after it was rewritten.
package enum VacuumMode {
    /// Prepares a database without tables.
    static func prepareEmpty(_ db: Database) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 else { return }
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
    }

    package static func isIncremental(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") == 2
    }

    /// Rewrites the database without free pages. From then on it can free a few pages at a time.
    package static func rewrite(_ db: Database) throws {
        // Takes effect when the file is rewritten (https://www.sqlite.org/pragma.html#pragma_auto_vacuum).
        if try !isIncremental(db) { try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
        try db.execute(sql: "VACUUM")
    }

    /// Moves pages from the file's end to free pages, and truncates the file by that number of pages.
    static func free(_ pages: Int, _ db: Database) throws {
        // Each step of the statement frees one page.
        _ = try Row.fetchAll(db, sql: "PRAGMA incremental_vacuum(\(pages))")
    }
}
