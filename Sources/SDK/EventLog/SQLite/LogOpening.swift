internal import Foundation
package import GRDB
internal import Primitives

/// Opens a log: its database, its journals, and the files that earlier processes have left.
package enum LogOpening {
    /// Opens a log for writing.
    ///
    /// - Throws: ``EventLogError``, and errors that ``EventLogError/wrapping(_:path:file:line:)`` converts. No event is
    ///   lost.
    static func open(_ path: String, _ options: SQLiteEventStore.Options) throws -> LogWorker {
        ForkGuard.install()
        let folderPath = JournalFolder.path(of: path)
        // SQLite opens these files by name, and gives the files that it creates the same permissions.
        try PrivateFile.tighten([path, path + "-wal", path + "-shm"])
        // Rejects a foreign file before creating any file next to it.
        let isOurs = FileManager.default.fileExists(atPath: folderPath) || looksLikeOurs(path)
        if FileManager.default.fileExists(atPath: path), !isOurs || SalvageSource.issue(ofLengthOf: path) == nil {
            do {
                try openDatabase(path, options).close()
            } catch  where DiskReserve.isFull(error) && isOurs {
                // On a full disk, open with the lock held below, which allows using the reserve.
            } catch {
                guard isDamage(error), try isOurs || SalvageSource(path).holdsLog() else { throw error }
            }
        }
        // New files inherit the attributes of the folder.
        if try PrivateFile.makeFolder(folderPath) { try AppleFiles.apply(options, to: [folderPath]) }
        let (control, found) = try JournalControl.openLocked(
            folder: folderPath, timeout: options.busyTimeout, system: options.system
        ) {
            try options.time.check(path)
        }
        defer { control.unlock() }
        do {
            let supply = JournalSupply(
                folder: folderPath, limit: max(0, options.maximumPendingBytes), liveness: options.liveness(at: path),
                system: options.system)
            let folder = JournalFolder(path: folderPath, control: control, supply: supply)
            do { return try open(path, options: options, folder: folder, found: found) } catch
                where DiskReserve.isFull(error)
            {
                let reserve = DiskReserve(folder: folderPath)
                reserve.giveUp()
                defer { reserve.keepRest() }
                return try open(path, options: options, folder: folder, found: found)
            }
        } catch {
            if case .new = found { JournalFolder(path: folderPath, control: control).removeIfUnused() }
            throw error
        }
    }

    /// Call with the control file's lock held.
    private static func open(
        _ path: String, options: SQLiteEventStore.Options, folder: JournalFolder, found: JournalControl.Found
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
            try Quarantine.put([issue.path], by: issue.method, reason: issue.reason, database: path)
        }
        // Living writers keep their rings; this process seizes the others.
        let others = folder.rings.values.filter { !$0.seize(counter: control.counter) }
        if options.isExclusive, let other = others.first {
            throw EventLogError(
                .inUse,
                "cannot open \(path): \(other.writer?.label ?? "another process") has it open; "
                    + "stop it or use another file")
        }
        var isAlone = others.isEmpty
        // Removes complete rings that were never put to use: on a full disk, their space is needed.
        if isAlone { folder.removeDrafts() }
        let database = try openOrSalvage(path, options: options, known: known, control: control, isAlone: isAlone)
        var consents = ConsentTable()
        let (log, lastSeq, newest, hasTraces, purposes) = try database.writeWithoutTransaction { db in
            try DatabaseSchema.createIfEmpty(db, secret: known?.secret) { known?.installID ?? options.installID() }
            // On a full disk, identities and consents stay in the control file, and a later opening stores them.
            do { try Consents.adoptLinks(control.consents, db) } catch  where DiskReserve.isFull(error) {}
            if isAlone {
                do { try Consents.adopt(control.consents, control.purposes.all, drawn: control.drawn, db) } catch
                    where DiskReserve.isFull(error)
                {}
            }
            try control.consents.merge(Consents.all(db))
            try Consents.load(into: &consents, db)
            // Of living writers that have not stored them yet.
            consents.merge(control.consents.records())
            try Generations.repairSecret(known, db)
            let log = try Generations.newest(db)
            if let known, try !Generations.all(db).contains(where: { $0.installID == known.installID }) {
                try quarantineForeign(folder, path, journals: known.installID, database: log.installID)
            }
            control.setInstall(log)
            if isAlone {
                // On a nearly full disk the rings stay, and are moved in small steps like those of other writers: first
                // into the write-ahead log, then into the database.
                do {
                    let bytes = folder.rings.values.reduce(0) { $0 + $1.capacity }
                    guard DiskReserve.freeBytes(at: path) >= min(3 * bytes, DiskReserve.tightness + 2 * bytes) else {
                        throw SystemError("write", code: ENOSPC, path: path)
                    }
                    try recover(folder, consents: consents, db)
                } catch  where DiskReserve.isFull(error) {
                    isAlone = false
                    // The attempt has made the write-ahead log larger. A reader can prevent this checkpoint.
                    _ = try? db.checkpoint(.truncate)
                }
            }
            let lastSeq = try EventRow.lastSeq(db)
            let hasTraces = try Int.fetchOne(db, sql: "SELECT count(*) FROM discards") != 0
            return (
                log, lastSeq, try EventRow.fetch(db, clauses: "ORDER BY seq DESC LIMIT 1", arguments: []).first,
                hasTraces, try LogPurposes.all(db)
            )
        }
        if isAlone {
            for ring in folder.rings.values { folder.remove(ring) }
            // After the rings were removed, so that a kill in between does not count drops twice.
            try database.writeWithoutTransaction { db in try db.execute(sql: "DELETE FROM journal_drops") }
            repairCounter(control, lastSeq: lastSeq, folder)
            control.journalBytes.publish(0)
        } else {
            // A damaged or new control file does not have the numbers that other writers have drawn.
            control.counter.raise(to: max(UInt64(lastSeq), folder.highestNumber()))
            // Otherwise, on a full disk, each start would leave a ring.
            for ring in folder.rings.values where ring.isEmptyForGood(after: lastSeq) && ring.drops.isEmpty {
                folder.remove(ring)
            }
        }
        let ring: JournalRing
        do { ring = try folder.supply.makeFirst(control) } catch  where DiskReserve.isFull(error) {
            // A checkpoint may free the missing space, if the database has free pages.
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
            hasTraces: hasTraces, consents: ConsentView(control, table: consents, purposes: purposes))
    }

    /// Repairs the counter after a recovery, if it was lost or shows a number that cannot have been drawn.
    private static func repairCounter(_ control: JournalControl, lastSeq: Int64, _ folder: JournalFolder) {
        control.counter.raise(to: UInt64(lastSeq))
        _ = folder.drawn(after: lastSeq)
    }

    private static func recover(_ folder: JournalFolder, consents: ConsentTable, _ db: Database) throws {
        try JournalMover.recover(
            Array(folder.rings.values), drawn: Int64(clamping: folder.control.counter.load()),
            consents: consents, db)
        try db.execute(sql: "UPDATE consumers SET holder = NULL")
    }

    /// Quarantines rings whose control file names another install than the database: either the database or the
    /// journals were replaced.
    private static func quarantineForeign(
        _ folder: JournalFolder, _ path: String, journals: String, database: String
    ) throws {
        for ring in folder.rings.values {
            try Quarantine.put(
                [ring.file.path], by: .move,
                reason: "\(ring.name): belongs to log \(journals), but the database belongs to log \(database)",
                database: path)
            folder.forget(ring)
        }
        folder.control.counter.publish(0)
    }

    package static func openDatabase(_ path: String, _ options: SQLiteEventStore.Options) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "EventLog"
        configuration.busyMode = .callback(BusyWait(options).callback)
        configuration.prepareDatabase { db in
            try DatabaseSchema.check(db, path: path)
            try VacuumMode.prepareEmpty(db)
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            // Commits survive the process without a sync; flushToDisk() syncs.
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            // The size in bytes to which a checkpoint truncates the write-ahead log: enough for a burst until the next
            // checkpoint.
            try db.execute(sql: "PRAGMA journal_size_limit = 16777216")
            #if canImport(Darwin)
                // On Apple systems, a plain fsync leaves the bytes in the drive's cache.
                try db.execute(sql: "PRAGMA fullfsync = 1")
                try db.execute(sql: "PRAGMA checkpoint_fullfsync = 1")
            #endif
        }
        try PrivateFile.makeIfMissing(path)
        // SQLite does not wait if two processes switch a new database to WAL mode at the same time.
        let wait = BusyWait(options)
        var attempt = 0
        while true {
            attempt += 1
            do { return try DatabaseQueue(path: path, configuration: configuration) } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY
            {
                guard wait.callback(attempt) else { throw error }
            }
        }
    }

    /// Whether an error means that the file is damaged, as opposed to locked, full or inaccessible.
    static func isDamage(_ error: any Error) -> Bool {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_CORRUPT?, .SQLITE_NOTADB?: true
        default: false
        }
    }

    /// Whether the first page of a damaged file identifies an event log. For a file truncated before the identifier,
    /// and so without content: whether it identifies an SQLite database.
    private static func looksLikeOurs(_ path: String) -> Bool {
        let head = DatabaseFile.head(path, count: 72)
        guard !head.isEmpty else { return false }
        guard head.count == 72 else { return Data("SQLite format 3\0".utf8).starts(with: head.prefix(16)) }
        return head[68..<72].reduce(0) { $0 << 8 | UInt32($1) } == UInt32(bitPattern: DatabaseSchema.applicationID)
    }

    private static func openOrSalvage(
        _ path: String, options: SQLiteEventStore.Options, known: LogGeneration?, control: JournalControl, isAlone: Bool
    ) throws -> DatabaseQueue {
        try DatabaseExchange.resume(path, options.system)
        // Stays open until the files are moved: closing the last connection would write to the damaged file.
        var damaged: DatabaseQueue?
        let reason: String
        do {
            guard hasLength(path) || !hasLength(path + "-wal") else {
                throw DatabaseError(
                    resultCode: .SQLITE_CORRUPT, message: "the database is missing, but its -wal file exists")
            }
            if let issue = SalvageSource.issue(ofLengthOf: path) {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: issue)
            }
            damaged = try openDatabase(path, options)
            try damaged?.writeWithoutTransaction { db in
                if try !isAlone && DatabaseSchema.isFormer(db) {
                    throw EventLogError(
                        .inUse,
                        """
                        cannot update \(path): a program with an earlier version of this library has it open; stop or \
                        update that program
                        """)
                }
                try DatabaseSchema.migrate(db)
                try DatabaseSchema.probe(db)
            }
            if let damaged { return damaged }
            reason = ""
        } catch  where isDamage(error) {
            reason = (error as? DatabaseError)?.message ?? "the database is damaged"
        }
        let database = try DatabaseExchange.salvage(
            path, options,
            log: known ?? LogGeneration(installID: options.installID(), secret: InstallSecret.make()), reason: reason)
        try? damaged?.close()  // Its files were moved, so closing cannot write to them.
        control.generation.increment()
        return database
    }

    private static func hasLength(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }
}
