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
    /// - Parameter source: An open connection to the damaged one, if its file can't be opened any more.
    /// - Returns: The new database.
    /// - Throws: Errors of making it; then the damaged one stands where it stood.
    static func salvage(
        _ path: String, from source: DatabaseQueue? = nil, _ options: SQLiteEventStore.Options, installID: String,
        reason: String
    ) throws -> DatabaseQueue {
        let draft = path + ".salvage-draft"
        for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) }
        do {
            let new = try LogOpening.openDatabase(draft, options)
            try new.writeWithoutTransaction { db in try DatabaseSchema.migrate(db) { installID } }
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
        if !files.isEmpty { try Quarantine.put(files, by: .move, reason: reason, database: path) }
        guard rename(finished(path), path) == 0 else { throw SystemError("rename", path: path) }
    }
}

/// Puts damaged files aside, with the reason: into a new folder `….damaged-1`, `….damaged-2` … beside the database.
/// Nothing is ever deleted there.
enum Quarantine {
    /// How a file gets there.
    enum Way {
        /// Somebody may still be writing it.
        case copy
        case move
    }

    /// Puts files aside. A file that is not there is left out.
    ///
    /// - Returns: The new folder.
    /// - Throws: Foundation's errors.
    @discardableResult
    static func put(_ files: [String], by way: Way, reason: String, database: String) throws -> String {
        let folder = try makeFolder(database)
        // First: whoever ends on the way leaves the reason, and the files where they are.
        try Data((reason + "\n").utf8).write(to: URL(fileURLWithPath: folder + "/reason.txt"))
        for file in files where FileManager.default.fileExists(atPath: file) {
            let target = folder + "/" + URL(fileURLWithPath: file).lastPathComponent
            switch way {
            case .copy: try FileManager.default.copyItem(atPath: file, toPath: target)
            case .move: try FileManager.default.moveItem(atPath: file, toPath: target)
            }
        }
        return folder
    }

    private static func makeFolder(_ database: String) throws -> String {
        var number = 1
        while true {
            let folder = "\(database).damaged-\(number)"
            if mkdir(folder, 0o777) == 0 { return folder }
            guard errno == EEXIST else { throw SystemError("mkdir", path: folder) }
            number += 1
        }
    }
}
