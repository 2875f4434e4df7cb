internal import Foundation
import GRDB

/// Puts a salvaged database in the place of a damaged one. Under the control file's lock.
///
/// A process may end at any point: the new database is complete, under a name of its own, before the damaged one is
/// moved away, and whoever comes next goes on from there.
enum DatabaseExchange {
    private static func finished(_ path: String) -> String { path + ".salvaged" }

    /// Makes a new database of all that can be read of a damaged one, and puts that aside.
    ///
    /// - Parameters:
    ///   - source: An open connection to the damaged one, if its file can't be opened any more.
    ///   - log: The install, should the damaged one not say so.
    /// - Returns: The new database.
    /// - Throws: Errors of making it; then the damaged one stands where it stood.
    static func salvage(
        _ path: String, from source: DatabaseQueue? = nil, _ options: SQLiteEventStore.Options, log: LogGeneration,
        reason: String
    ) throws -> DatabaseQueue {
        let draft = path + ".salvage-draft"
        for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) }
        do {
            let new = try LogOpening.openDatabase(draft, options)
            try new.writeWithoutTransaction { db in
                try DatabaseSchema.migrate(db, secret: log.secret) { log.installID }
                try Generations.restore(log, db)
            }
            if let source {
                try new.writeWithoutTransaction { db in try Salvage.copy(from: source, into: db) }
            } else {
                let damaged = SalvageSource(path)
                let old = try damaged.open()
                try new.writeWithoutTransaction { db in try Salvage.copy(from: old, into: db) }
                try? old?.close()  // it was only read
            }
            try new.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
            try new.close()
            try AppleFiles.apply(options, to: [draft])
            guard rename(draft, finished(path)) == 0 else { throw SystemError("rename", path: finished(path)) }
        } catch {
            for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) }
            throw error
        }
        try finish(path, reason: reason)
        return try LogOpening.openDatabase(path, options)
    }

    /// Ends what a process that has ended had begun.
    ///
    /// - Throws: Errors of moving files.
    static func resume(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: finished(path)) else { return }
        try finish(path, reason: "it was damaged, and whoever salvaged it ended before putting it aside")
    }

    private static func finish(_ path: String, reason: String) throws {
        let files = [path, path + "-wal", path + "-shm"].filter(FileManager.default.fileExists(atPath:))
        // Were the new database there after a power cut, and the damaged one's write-ahead log still beside it, SQLite would
        // take that for the new one's.
        let folder = DiskOrder.folder(of: path)
        DiskOrder.syncFolder(folder)
        if !files.isEmpty {
            DiskOrder.syncFolder(try Quarantine.put(files, by: .move, reason: reason, database: path))
            DiskOrder.syncFolder(folder)
        }
        guard rename(finished(path), path) == 0 else { throw SystemError("rename", path: path) }
        DiskOrder.syncFolder(folder)
    }
}
