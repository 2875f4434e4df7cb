internal import EventModel
internal import Foundation
package import GRDB

// The space that removed events have left in the database.
extension LogWorker {
    /// So many pages are given back in one transaction: of 256 KiB.
    private static let pagesInStep = 64
    /// So many steps are made at once; the next ones when the log rests again.
    private static let stepsAtOnce = 64
    /// So many free pages stay: the next events need them.
    private static let pagesKept = 128

    /// Gives free pages back to the file system, as far as the next events do not need them.
    ///
    /// A log of an earlier version cannot do that a few pages at a time: it is written anew as a whole, once, when two
    /// thirds of it are free and the disk has room for it. Never while it is being opened.
    ///
    /// - Throws: ``EventLogError``. Nothing is lost then.
    func shrink() throws {
        for _ in 0..<Self.stepsAtOnce {
            let hasMore = try exclusively { db in
                let (free, all) = (try count("freelist_count", db), try count("page_count", db))
                let used = all - free
                let surplus = free - max(Self.pagesKept, used / 8)
                guard surplus > 0 else { return false }
                do {
                    guard try VacuumMode.isIncremental(db) else {
                        guard free > 2 * used, !hasOtherWriters else { return false }
                        let room = DiskReserve.room(beside: path)
                        guard room > 2 * used * Self.pageSize + DiskReserve.tightness else { return false }
                        try VacuumMode.rewrite(db)
                        checkpoint(db, .truncate)
                        return false
                    }
                    try VacuumMode.giveBack(min(surplus, Self.pagesInStep), db)
                    return surplus > Self.pagesInStep
                } catch let error as DatabaseError where DiskReserve.isFull(error) || error.resultCode == .SQLITE_BUSY {
                    return false  // the pages can be used all the same
                }
            }
            guard hasMore else { break }
        }
    }

    /// Removes damaged files that were put aside, as far as the quota does not keep them, and counts them.
    ///
    /// - Throws: ``EventLogError``, if they could not be counted.
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

/// How a database gives free pages back. A new log does it a few pages at a time, which must be decided before its first
/// table is made; one of an earlier version does after it was written anew.
package enum VacuumMode {
    /// Prepares a database without tables.
    static func prepareEmpty(_ db: Database) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 else { return }
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
    }

    package static func isIncremental(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") == 2
    }

    /// Writes the database anew without free pages; from then on it gives them back a few at a time.
    package static func rewrite(_ db: Database) throws {
        // Only a wish until the file is written anew (https://www.sqlite.org/pragma.html#pragma_auto_vacuum).
        if try !isIncremental(db) { try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
        try db.execute(sql: "VACUUM")
    }

    /// Moves so many pages at the file's end into free ones, and cuts them off.
    static func giveBack(_ pages: Int, _ db: Database) throws {
        // Each step of the statement frees one page.
        _ = try Row.fetchAll(db, sql: "PRAGMA incremental_vacuum(\(pages))")
    }
}
