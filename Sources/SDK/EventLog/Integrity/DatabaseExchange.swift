internal import Foundation
import GRDB
internal import Primitives

/// Replaces a damaged database with a salvaged one. Call with the control file's lock held.
///
/// A process may end at any point: the new database is complete, under a different name, before the damaged one is
/// moved away. The next process continues from there.
enum DatabaseExchange {
    private static func finished(_ path: String) -> String { path + ".salvaged" }

    /// Salvages a damaged database into a new one, and quarantines the damaged one.
    ///
    /// - Parameters:
    ///   - source: An open connection to the damaged database, if its file can no longer be opened.
    ///   - log: The install to use if the damaged database has none.
    /// - Returns: The new database.
    /// - Throws: Errors of creating the new database; the damaged one then stays in its location.
    static func salvage(
        _ path: String, from source: DatabaseQueue? = nil, _ options: SQLiteEventStore.Options, log: LogGeneration,
        reason: String
    ) throws -> DatabaseQueue {
        let draft = path + ".salvage-draft"
        for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) }
        do {
            let new = try LogOpening.openDatabase(draft, options)
            try new.writeWithoutTransaction { db in
                try DatabaseSchema.createIfEmpty(db, secret: log.secret) { log.installID }
                try Generations.restore(log, db)
            }
            if let source {
                try new.writeWithoutTransaction { db in try Salvage.copy(from: source, into: db) }
            } else {
                let damaged = SalvageSource(path)
                let old = try damaged.open()
                try new.writeWithoutTransaction { db in try Salvage.copy(from: old, into: db) }
                try? old?.close()  // A failed close is harmless: the old database was only read.
            }
            try new.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
            try new.close()
            try AppleFiles.apply(options, to: [draft])
            // The checkpoint has synced the draft.
            try DiskOrder(system: options.system).publish(draft, as: finished(path))
        } catch {
            for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) }
            throw error
        }
        try finish(path, reason: reason, options.system)
        return try LogOpening.openDatabase(path, options)
    }

    /// Completes the work of a process that has ended.
    ///
    /// - Throws: Errors of moving files.
    static func resume(_ path: String, _ system: LogSystem) throws {
        guard FileManager.default.fileExists(atPath: finished(path)) else { return }
        // The process may have ended before it synced the name.
        try DiskOrder(system: system).syncFolder(of: path)
        try finish(
            path, reason: "the database is damaged; the process that salvaged it ended before moving it here", system)
    }

    private static func finish(_ path: String, reason: String, _ system: LogSystem) throws {
        let files = [path, path + "-wal", path + "-shm"].filter(FileManager.default.fileExists(atPath:))
        let disk = DiskOrder(system: system)
        // If a power failure left the new database together with the damaged one's write-ahead log, SQLite would apply
        // that log to the new database.
        if !files.isEmpty {
            disk.syncFolder(try Quarantine.put(files, by: .move, reason: reason, database: path))
            try disk.syncFolder(of: path)
        }
        try disk.publish(finished(path), as: path)
    }
}
