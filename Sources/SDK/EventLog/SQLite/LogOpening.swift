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
        // SQLite opens them by their names, and gives what it makes beside the database the same permissions.
        try PrivateFile.tighten([path, path + "-wal", path + "-shm"])
        // A file that is not ours is refused before anything is made beside it.
        let isOurs = FileManager.default.fileExists(atPath: folderPath) || looksLikeOurs(path)
        if FileManager.default.fileExists(atPath: path), !isOurs || SalvageSource.issue(ofLengthOf: path) == nil {
            do {
                try openDatabase(path, options).close()
            } catch  where DiskReserve.isFull(error) && isOurs {
                // The reserve, which is ours under the lock only, helps below.
            } catch {
                guard isDamage(error), try isOurs || SalvageSource(path).holdsLog() else { throw error }
            }
        }
        // What is made in it inherits what is said of the folder.
        if try PrivateFile.makeFolder(folderPath) { try AppleFiles.apply(options, to: [folderPath]) }
        let (control, found) = try JournalControl.openLocked(folder: folderPath, timeout: options.busyTimeout) {
            try options.time.check(path)
        }
        defer { control.unlock() }
        do {
            let supply = JournalSupply(
                folder: folderPath, limit: max(0, options.maximumPendingBytes), liveness: options.liveness(at: path))
            let folder = JournalFolder(path: folderPath, control: control, supply: supply)
            do { return try open(path, options, folder, found) } catch  where DiskReserve.isFull(error) {
                let reserve = DiskReserve(folder: folderPath)
                reserve.giveUp()
                defer { reserve.keepRest() }
                return try open(path, options, folder, found)
            }
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
        var known: LogGeneration?
        switch found {
        case .new: break
        case .intact(let log): known = log
        case .damaged(let reason):
            try Quarantine.put([control.file.path], by: .copy, reason: "control: \(reason)", database: path)
        }
        for issue in try folder.refresh() {
            try Quarantine.put([issue.path], by: issue.way, reason: issue.reason, database: path)
        }
        if folder.holdsFormerFormat() { try refuseFormerWriters(path, options, folder) }
        // Whoever is alive keeps its own; the rest is ours from now on.
        let others = folder.rings.values.filter { !$0.seize(counter: control.counter) }
        if options.isExclusive, let other = others.first {
            throw EventLogError(
                .inUse, "\(other.writer?.label ?? "another process") has \(path) open: stop it, or use another file")
        }
        var isAlone = others.isEmpty
        // Whole rings that nobody has finished: on a full disk they are what is missing.
        if isAlone { folder.removeDrafts() }
        let database = try openOrSalvage(path, options, known: known, control)
        let (log, lastSeq, newest, hasTraces) = try database.writeWithoutTransaction { db in
            try DatabaseSchema.migrate(db, secret: known?.secret) { known?.installID ?? options.installID() }
            if isAlone {
                // On a full disk the control file goes on saying it, and it is stored another time.
                do { try Consents.adopt(control.consents, drawn: control.drawn, db) } catch
                    where DiskReserve.isFull(error)
                {}
            }
            try Consents.mend(control.consents, db)
            try Generations.mendSecret(known, db)
            let log = try Generations.newest(db)
            if let known, try !Generations.all(db).contains(where: { $0.installID == known.installID }) {
                try setAsideForeign(folder, path, journals: known.installID, database: log.installID)
            }
            control.setInstall(log)
            if isAlone {
                // On a disk with little room the rings stay, and are moved in small steps, like those of others: first into
                // the write-ahead log, then into the database.
                do {
                    let bytes = folder.rings.values.reduce(0) { $0 + $1.capacity }
                    guard DiskReserve.room(beside: path) >= min(3 * bytes, DiskReserve.tightness + 2 * bytes) else {
                        throw SystemError("write", code: ENOSPC, path: path)
                    }
                    try recover(folder, db)
                } catch  where DiskReserve.isFull(error) {
                    isAlone = false
                    // The attempt has made the write-ahead log longer. A reader may keep it so.
                    _ = try? db.checkpoint(.truncate)
                }
            }
            let lastSeq = try EventRow.lastSeq(db)
            let hasTraces = try Int.fetchOne(db, sql: "SELECT count(*) FROM discards") != 0
            return (log, lastSeq, try EventRow.fetch(db, "ORDER BY seq DESC LIMIT 1", []).first, hasTraces)
        }
        if isAlone {
            for ring in folder.rings.values { folder.remove(ring) }
            // After the rings: whoever ends in between has counted nothing twice.
            try database.writeWithoutTransaction { db in try db.execute(sql: "DELETE FROM journal_drops") }
            mendCounter(control, lastSeq: lastSeq, folder)
            control.journalBytes.publish(0)
        } else {
            // A control file that was damaged, or made anew, does not know what the others have drawn.
            control.counter.raise(to: max(UInt64(lastSeq), folder.highestNumber()))
            // On a full disk each start would leave one more.
            for ring in folder.rings.values where ring.isEmptyForGood(after: lastSeq) && ring.drops.isEmpty {
                folder.remove(ring)
            }
        }
        let ring: JournalRing
        do { ring = try folder.supply.makeFirst(control) } catch  where DiskReserve.isFull(error) {
            // The write-ahead log may have what is missing, if the database has the pages for it.
            try database.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
            ring = try folder.supply.makeFirst(control)
        }
        do {
            try AppleFiles.apply(options, to: [path, path + "-wal", path + "-shm", control.file.path, ring.file.path])
        } catch {
            folder.remove(ring)
            throw error
        }
        if case .new = found {} else { DiskReserve(folder: folder.path).keepHalf() }
        DiskReserve(folder: folder.path).restore()
        let writer = JournalWriter(
            control: control, ring: ring, supply: folder.supply, log: log, newest: newest)
        return LogWorker(
            path: path, options: options, writer: writer, folder: folder, database: database, lastSeq: lastSeq,
            hasTraces: hasTraces)
    }

    /// Makes sure that no process of the former version has the log open: it holds no lock in its journal, but its
    /// connection has one on the database. SQLite lets a database leave WAL mode only when no other connection has it open,
    /// in whatever container (https://www.sqlite.org/pragma.html#pragma_journal_mode).
    private static func refuseFormerWriters(
        _ path: String, _ options: SQLiteEventStore.Options, _ folder: JournalFolder
    ) throws {
        let message = "a program with an older version of this library has \(path) open: end it first"
        guard !folder.rings.values.contains(where: { $0.writer?.seemsToRun == true && $0.isWriterAlive }) else {
            throw EventLogError(.inUse, message)
        }
        guard hasLength(path) else { return }
        do {
            let database = try openDatabase(path, options)
            try database.writeWithoutTransaction { db in
                let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
                guard mode == "delete" else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
                try db.execute(sql: "PRAGMA journal_mode = WAL")
            }
            try database.close()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw EventLogError(.inUse, message)
        } catch  where isDamage(error) {
            return  // nobody can have it open, and write to it
        }
    }

    /// Sets the counter right after a recovery: it was lost, or shows a number that nobody can have drawn.
    private static func mendCounter(_ control: JournalControl, lastSeq: Int64, _ folder: JournalFolder) {
        control.counter.raise(to: UInt64(lastSeq))
        _ = folder.drawn(after: lastSeq)
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
        configuration.busyMode = .callback(BusyWait(options).callback)
        configuration.prepareDatabase { db in
            try DatabaseSchema.check(db, path: path)
            try VacuumMode.prepareEmpty(db)
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            // Commits survive the process without a sync; flushToDisk() asks for the sync.
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            // What a checkpoint leaves of the write-ahead log, in bytes: as much as a burst needs before the next one.
            try db.execute(sql: "PRAGMA journal_size_limit = 16777216")
            #if canImport(Darwin)
                // A plain fsync there leaves the bytes in the drive's memory.
                try db.execute(sql: "PRAGMA fullfsync = 1")
                try db.execute(sql: "PRAGMA checkpoint_fullfsync = 1")
            #endif
        }
        try PrivateFile.makeIfMissing(path)
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
        let head = DatabaseFile.head(path, count: 72)
        guard !head.isEmpty else { return false }
        guard head.count == 72 else { return Data("SQLite format 3\0".utf8).starts(with: head.prefix(16)) }
        return head[68..<72].reduce(0) { $0 << 8 | UInt32($1) } == UInt32(bitPattern: DatabaseSchema.applicationID)
    }

    private static func openOrSalvage(
        _ path: String, _ options: SQLiteEventStore.Options, known: LogGeneration?, _ control: JournalControl
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
            if let issue = SalvageSource.issue(ofLengthOf: path) {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: issue)
            }
            damaged = try openDatabase(path, options)
            try damaged?.writeWithoutTransaction { db in try DatabaseSchema.probe(db) }
            if let damaged { return damaged }
            reason = ""
        } catch  where isDamage(error) {
            reason = (error as? DatabaseError)?.message ?? "it is damaged"
        }
        let database = try DatabaseExchange.salvage(
            path, options,
            log: known ?? LogGeneration(installID: options.installID(), secret: InstallSecret.make()), reason: reason)
        try? damaged?.close()  // its files were moved: nothing can be written there
        control.generation.increment()
        return database
    }

    private static func hasLength(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }
}
