internal import Foundation
package import GRDB

/// Opens a log: its database, its journals, and whatever an earlier process has left of them.
package enum LogOpening {
    /// Opens a log for writing.
    ///
    /// - Throws: ``EventLogError`` and what ``EventLogError/wrapping(_:path:file:line:)`` takes. Nothing is lost then.
    static func open(_ path: String, _ options: SQLiteEventStore.Options) throws -> LogWorker {
        ForkGuard.install()
        let folderPath = JournalFolder.path(of: path)
        // A file that is not ours is refused before anything is made beside it.
        let isOurs = FileManager.default.fileExists(atPath: folderPath) || looksLikeOurs(path)
        if FileManager.default.fileExists(atPath: path), !isOurs || SalvageSource.fault(ofLengthOf: path) == nil {
            do {
                try openDatabase(path, options).close()
            } catch {
                guard isDamage(error), try isOurs || SalvageSource(path).holdsLog() else { throw error }
            }
        }
        let (control, found) = try JournalControl.openLocked(folder: folderPath, timeout: options.busyTimeout)
        defer { control.unlock() }
        do {
            return try open(path, options, JournalFolder(path: folderPath, control: control), found)
        } catch {
            if case .new = found { JournalFolder(path: folderPath, control: control).removeIfUnused() }
            throw error
        }
    }

    /// Under the control file's lock.
    private static func open(
        _ path: String, _ options: SQLiteEventStore.Options, _ folder: JournalFolder, _ found: JournalControl.Found
    ) throws -> LogWorker {
        let control = folder.control
        var knownInstall: String?
        switch found {
        case .new: break
        case .intact(let installID): knownInstall = installID
        case .damaged(let reason):
            try Quarantine.put([control.file.path], by: .copy, reason: "control: \(reason)", database: path)
        }
        for fault in try folder.refresh() {
            try Quarantine.put([fault.path], by: fault.way, reason: fault.reason, database: path)
        }
        let others = folder.rings.values.filter(\.isWriterAlive)
        if options.isExclusive, let other = others.first?.writer {
            throw EventLogError(.inUse, "process \(other.pid) has \(path) open: stop it, or use another file")
        }
        let isAlone = others.isEmpty
        let database = try openOrSalvage(path, options, installID: knownInstall, control)
        let (installID, lastSeq, newest) = try database.writeWithoutTransaction { db in
            try DatabaseSchema.migrate(db) { knownInstall ?? options.installID() }
            let installID = try String.fetchOne(db, sql: "SELECT install_id FROM log")
            guard let installID else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            if let knownInstall, knownInstall != installID {
                try setAsideForeign(folder, path, journals: knownInstall, database: installID)
            }
            control.setInstallID(installID)
            if isAlone { try recover(folder, db) }
            let lastSeq = try EventRow.lastSeq(db)
            return (installID, lastSeq, try EventRow.fetch(db, "ORDER BY seq DESC LIMIT 1", []).first)
        }
        if isAlone {
            for ring in folder.rings.values { folder.remove(ring) }
            folder.removeDrafts()
            // After the rings: whoever ends in between has counted nothing twice.
            try database.writeWithoutTransaction { db in try db.execute(sql: "DELETE FROM journal_drops") }
            control.counter.publish(UInt64(lastSeq))
        } else {
            // A control file that was damaged, or made anew, does not know what the others have drawn.
            control.counter.raise(to: max(UInt64(lastSeq), folder.highestNumber()))
        }
        let ring = try folder.makeRing(capacity: options.journalCapacity)
        do {
            try AppleFiles.apply(options, to: [path, path + "-wal", path + "-shm", control.file.path, ring.file.path])
        } catch {
            folder.remove(ring)
            throw error
        }
        let writer = JournalWriter(
            control: control, ring: ring, maximumPendingBytes: options.maximumPendingBytes, installID: installID,
            newest: newest)
        return LogWorker(
            path: path, options: options, writer: writer, folder: folder, database: database, lastSeq: lastSeq)
    }

    private static func recover(_ folder: JournalFolder, _ db: Database) throws {
        try JournalMover.recover(
            Array(folder.rings.values), drawn: Int64(clamping: folder.control.counter.load()), db)
        try db.execute(sql: "UPDATE consumers SET holder = NULL")
    }

    /// Rings whose control file names another install than the database: one of the two was exchanged.
    private static func setAsideForeign(
        _ folder: JournalFolder, _ path: String, journals: String, database: String
    ) throws {
        for ring in folder.rings.values {
            try Quarantine.put(
                [ring.file.path], by: .move,
                reason: "\(ring.name): it belongs to the log \(journals), the database to \(database)", database: path)
            folder.forget(ring)
        }
        folder.control.counter.publish(0)
    }

    // MARK: The database

    package static func openDatabase(_ path: String, _ options: SQLiteEventStore.Options) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "EventLog"
        let (seconds, attoseconds) = options.busyTimeout.components
        configuration.busyMode = .timeout(Double(seconds) + Double(attoseconds) / 1e18)
        configuration.prepareDatabase { db in
            try DatabaseSchema.check(db, path: path)
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            // Commits survive the process without a sync; flushToDisk() asks for the sync.
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            // What a checkpoint leaves of the write-ahead log, in bytes.
            try db.execute(sql: "PRAGMA journal_size_limit = 4194304")
            #if canImport(Darwin)
                // A plain fsync there leaves the bytes in the drive's memory.
                try db.execute(sql: "PRAGMA fullfsync = 1")
                try db.execute(sql: "PRAGMA checkpoint_fullfsync = 1")
            #endif
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Whether an error says that the file is damaged, rather than locked, full or out of reach.
    static func isDamage(_ error: any Error) -> Bool {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_CORRUPT?, .SQLITE_NOTADB?: true
        default: false
        }
    }

    /// Whether the first page of a damaged file still says that it is an event log; or that it is a database, if it was
    /// cut too short to say more, and so to hold anything.
    private static func looksLikeOurs(_ path: String) -> Bool {
        guard let handle = FileHandle(forReadingAtPath: path), let head = try? handle.read(upToCount: 72),
            !head.isEmpty
        else { return false }
        guard head.count == 72 else { return Data("SQLite format 3\0".utf8).starts(with: head.prefix(16)) }
        return head[68..<72].reduce(0) { $0 << 8 | UInt32($1) } == UInt32(bitPattern: DatabaseSchema.applicationID)
    }

    private static func openOrSalvage(
        _ path: String, _ options: SQLiteEventStore.Options, installID: String?, _ control: JournalControl
    ) throws -> DatabaseQueue {
        try DatabaseExchange.resume(path)
        // Stays open until the files are moved: closing the last connection would write into the damaged file.
        var damaged: DatabaseQueue?
        let reason: String
        do {
            guard hasLength(path) || !hasLength(path + "-wal") else {
                throw DatabaseError(
                    resultCode: .SQLITE_CORRUPT, message: "the database is missing beside its -wal file")
            }
            if let fault = SalvageSource.fault(ofLengthOf: path) {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: fault)
            }
            damaged = try openDatabase(path, options)
            try damaged?.writeWithoutTransaction { db in try DatabaseSchema.probe(db) }
            if let damaged { return damaged }
            reason = ""
        } catch  where isDamage(error) {
            reason = (error as? DatabaseError)?.message ?? "it is damaged"
        }
        let database = try DatabaseExchange.salvage(
            path, options, installID: installID ?? options.installID(), reason: reason)
        try? damaged?.close()  // its files were moved: nothing can be written there
        control.generation.increment()
        return database
    }

    private static func hasLength(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }
}
