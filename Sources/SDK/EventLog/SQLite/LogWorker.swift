internal import EventModel
internal import Foundation
package import GRDB

/// The part of a log that reads and writes files. Confined to the log's queue: one call at a time.
///
/// Each operation acquires the control file's lock, checks whether the files have changed, works in transactions, and
/// releases the lock. No lock is held between operations.
package final class LogWorker: @unchecked Sendable {  // Confined to the log's queue.
    let path: String
    let options: SQLiteEventStore.Options
    let writer: JournalWriter
    let folder: JournalFolder
    var database: DatabaseQueue {
        didSet {
            databaseInode = Self.inode(path)
            lastCommit = 0
            watch.attach(to: database)
        }
    }
    private var databaseInode: UInt64?
    var mover: JournalMover
    private var generation: UInt64
    var lastSeq: Int64
    private var isOpen = true
    private var lastCheck = ContinuousClock.now
    /// Rings that no longer have a writer, to be removed when their drops are counted.
    private var unneeded: [JournalRing] = []
    /// The consents that senders check for each event.
    let consents: ConsentView
    private var seenConsents: UInt64
    /// The consents' generation when the control file was last synced.
    var syncedConsents: UInt64 = 0
    /// Whether a file of the log may have bytes of discarded events.
    var hasTraces: Bool
    /// Whether another process may have ended before it finished a removal.
    var hasUnfinishedDiscards: Bool
    /// The removals of the next pass over the undelivered events.
    var waitingRemovals: [Discards.Removal] = []
    /// The passes, and the callers that wait for one.
    var removing = PacedStep()
    /// The syncs to the disk, and the callers that wait for one.
    var syncing = PacedStep()
    /// The removals whose events' bytes may still be in files.
    var removed: [Discards.Removal] = []
    var rewrites = Rewrites()
    var lastErasure: ContinuousClock.Instant?
    var moverTime = MoverTime()
    /// Whether another process has changed a user's consent since this writer's journals were wiped.
    private var wantsWipe = false
    let watch = SyncWatch()
    /// The number of the last commit that is known to be in this database.
    var lastCommit: Int64 = 0

    var control: JournalControl { folder.control }
    var reserve: DiskReserve { DiskReserve(folder: folder.path) }

    init(
        path: String, options: SQLiteEventStore.Options, writer: JournalWriter, folder: JournalFolder,
        database: DatabaseQueue, lastSeq: Int64, hasTraces: Bool, consents: ConsentView
    ) {
        self.path = path
        self.options = options
        self.writer = writer
        self.folder = folder
        self.database = database
        self.lastSeq = lastSeq
        mover = JournalMover(folder: folder)
        generation = folder.control.generation.load()
        databaseInode = Self.inode(path)
        self.consents = consents
        seenConsents = folder.control.consents.generation.load()
        self.hasTraces = hasTraces
        hasUnfinishedDiscards = hasTraces
        watch.attach(to: database)
    }

    // MARK: Working under the lock

    /// Runs `body` with the database, while all other processes are locked out.
    ///
    /// - Parameter isUrgent: Whether it runs even after the background time has expired.
    /// - Throws: ``EventLogError``; `expired` if the background time is over. Work in several transactions stops here,
    ///   between two of them.
    package func exclusively<T>(isUrgent: Bool = false, _ body: (Database) throws -> T) throws -> T {
        guard isOpen else { throw EventLogError(.closed, "the log \(path) is closed; open it again") }
        do {
            if !isUrgent { try options.time.check(path) }
            try lock(isUrgent: isUrgent)
            defer { control.unlock() }
            try checkFiles()
            if watch.hasFailed { try reopenAfterFailedSync() }
            // Recovers immediately if possible, because other processes use the same files. If recovery fails, the next
            // operation retries it.
            defer { if watch.hasFailed { try? reopenAfterFailedSync() } }
            do {
                return try database.writeWithoutTransaction(body)
            } catch let error as DatabaseError where LogOpening.isDamage(error) {
                try salvage(because: error)
                return try database.writeWithoutTransaction(body)
            } catch {
                watch.note(error)
                throw error
            }
        } catch {
            let error = EventLogError.wrapping(error, path: path)
            // Reports the expired time rather than the lock, because the wait would have continued.
            if error.code == .inUse { try options.time.check(path) }
            throw error
        }
    }

    /// Runs `body` in one transaction; see ``exclusively(isUrgent:_:)``.
    package func transaction<T>(_ body: (Database) throws -> T) throws -> T {
        try exclusively { db in try inTransaction(db, body) }
    }

    /// Runs a transaction that frees space or records a delivery. On a full disk it may use the reserve.
    ///
    /// - Parameters:
    ///   - isSynced: Whether this and every earlier commit is on the disk when the call returns.
    ///   - body: Runs again with `isFull` if the disk is full. It must then write at most 256 KiB of write-ahead log,
    ///     64 pages.
    /// - Throws: ``EventLogError``.
    package func freeing<T>(isSynced: Bool = false, _ body: (Database, _ isFull: Bool) throws -> T) throws -> T {
        isSynced
            ? try syncing.run { try freeing(isSynced: true, body: body) } : try freeing(isSynced: false, body: body)
    }

    private func freeing<T>(isSynced: Bool, body: (Database, _ isFull: Bool) throws -> T) throws -> T {
        try exclusively { db in
            // In WAL mode a commit under FULL syncs the WAL with every earlier commit. Set it on this connection,
            // because the connection may have been replaced. https://www.sqlite.org/pragma.html#pragma_synchronous
            if isSynced { try db.execute(sql: "PRAGMA synchronous = FULL") }
            // If this fails, `synchronous` stays FULL: slower, but safe.
            defer { if isSynced { try? db.execute(sql: "PRAGMA synchronous = NORMAL") } }
            do { return try inTransaction(db) { try body($0, false) } } catch  where DiskReserve.isFull(error) {
                reserve.giveUp()
                defer {
                    checkpoint(db)
                    reserve.keepRest()
                }
                checkpoint(db)
                return try inTransaction(db) { try body($0, true) }
            }
        }
    }

    /// Gives each commit a number, by which the last commit can be found again. The mover's commits need none: they are
    /// found by the number of their last event.
    func inTransaction<T>(_ db: Database, _ body: (Database) throws -> T) throws -> T {
        var result: T?
        var commit: Int64?
        try db.inTransaction(.immediate) {
            result = try body(db)
            commit = try Int64.fetchOne(db, sql: "UPDATE log SET commits = commits + 1 RETURNING commits")
            return .commit
        }
        if let commit { lastCommit = commit }
        guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return result
    }

    /// Acquires the control file's lock. If the control file was deleted, joins the process that made a new one.
    private func lock(isUrgent: Bool) throws {
        let check = { if !isUrgent { try self.options.time.check(self.path) } }
        try control.lock(timeout: options.busyTimeout, check: check)
        if control.file.isNamed { return }
        // Another process may still have to store a change that is only in the deleted file.
        let former = control.file.currentSize < control.file.size ? [:] : control.consents.records()
        control.unlock()
        let (control, found) = try JournalControl.openLocked(
            folder: folder.path, timeout: options.busyTimeout, system: options.system, check: check)
        do {
            if case .intact = found {} else { control.setInstall(writer.log) }
            folder.replaceControl(control)
            control.consents.merge(former, isComplete: false)
            consents.replace(control)
            try repairConsents()
            // Other processes may have stored more events since, and ended.
            let stored = try? database.read { db in try EventRow.lastSeq(db) }
            control.counter.raise(to: max(UInt64(max(lastSeq, stored ?? 0, 0)), folder.highestNumber()))
            folder.noteDamage()
            generation = control.generation.load() &- 1  // Forces a check of the database.
            try replaceRing(control)
        } catch {
            control.unlock()
            throw error
        }
    }

    /// Replaces this writer's ring. The events in the former ring are still moved.
    private func replaceRing(_ control: JournalControl? = nil) throws {
        let former = writer.ring
        writer.replaceRing(try folder.supply.makeFirst(folder.control), control: control)
        former.markGone()
    }

    /// Replaces a ring that another process has sealed.
    ///
    /// - Throws: ``EventLogError``.
    // Urgent, because a sender waits for the new ring and would otherwise have to drop its event.
    func rejoin() throws { try exclusively(isUrgent: true) { _ in } }

    /// Checks whether the open files are still the current ones.
    private func checkFiles() throws {
        // First, because touching a truncated page would kill the process.
        if control.file.currentSize < control.file.size {
            // The counter was truncated; the highest number seen elsewhere is the best estimate.
            control.repair(
                writer.log,
                highestNumber: max(UInt64(max(lastSeq, writer.newest?.seq ?? 0)), folder.highestNumber()))
            folder.noteDamage()
            consents.keepIdentity()
        }
        if control.generation.load() != generation {
            // Another process has salvaged the database. Uncommitted events of this connection are still in the rings.
            let former = database
            database = try LogOpening.openDatabase(path, options)
            try? former.close()  // The file was moved away, so closing loses nothing.
            generation = control.generation.load()
        }
        for issue in try folder.refresh() {
            try Quarantine.put([issue.path], by: issue.method, reason: issue.reason, database: path)
        }
        if writer.ring.isSealed { try replaceRing() }
        let consents = control.consents.generation.load()
        if consents != seenConsents {
            seenConsents = consents
            wantsWipe = true
            self.consents.keepIdentity()
            if !self.consents.isComplete { try repairConsents() }
        }
        if wantsWipe, writer.isIdle {
            writer.wipe()
            wantsWipe = false
        }
        let now = ContinuousClock.now
        guard lastCheck.duration(to: now) > options.checkInterval else { return }
        lastCheck = now
        for ring in folder.supply.all { ring.beat() }
        reserve.restore()
        reserve.keepHalf()
        try repairFiles()
        removeEndedRings()
    }

    /// Detects and repairs changes that other programs made to mapped files.
    private func repairFiles() throws {
        for ring in folder.rings.values where ring.file.currentSize < ring.file.size {
            let size = ring.file.currentSize
            ring.file.restoreSize()
            folder.noteDamage()
            try Quarantine.put(
                [ring.file.path], by: .copy, reason: "\(ring.name): truncated to \(size) bytes by another program",
                database: path)
        }
        try repairConsents()
        // Other processes cannot find a ring without a name, or cannot identify its writer from a damaged header.
        if !writer.ring.file.isNamed || !writer.ring.isHeaderIntact { try replaceRing() }
        try repairDatabase()
    }

    /// Restores the consents in a truncated, damaged or new control file, and reads those that have no slot there. Call
    /// with its lock held.
    private func repairConsents() throws {
        guard !control.consents.isIntact || !consents.isComplete else { return }
        try database.read { db in
            if !control.consents.isIntact { try control.consents.merge(Consents.all(db)) }
            try consents.load { try Consents.load(into: &$0, db) }
            try consents.addPurposes(LogPurposes.all(db))
        }
    }

    /// Detects that the database was deleted or replaced.
    private func repairDatabase() throws {
        let inode = Self.inode(path)
        guard inode != databaseInode else { return }
        folder.noteDamage()
        let former = database
        if inode == nil {
            // The open connection still has the whole database.
            database = try DatabaseExchange.salvage(
                path, from: former, options, log: writer.log, reason: "the database was deleted while it was open")
            control.generation.increment()
            generation = control.generation.load()
        } else {
            // It may be a new database or an old copy. Missing events are counted as damaged when the next event is
            // moved.
            let new = try LogOpening.openDatabase(path, options)
            try new.writeWithoutTransaction { db in
                try DatabaseSchema.createIfEmpty(db, secret: writer.log.secret) { writer.installID }
                try DatabaseSchema.migrate(db)
            }
            database = new
        }
        try? former.close()  // The file has no name any more.
    }

    private static func inode(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// Shrinks the journal some time after a burst.
    func tidy() {
        lastCheck = .now - options.checkInterval - .seconds(1)
        _ = try? exclusively { _ in }  // If the log cannot be written, its next mover shrinks the journal.
    }

    /// Seizes the rings of writers that have ended. Removes seized rings that are empty, and rings that this writer no
    /// longer needs.
    func removeEndedRings() {
        unneeded += writer.surplus(isTight: DiskReserve.freeBytes(at: path) < DiskReserve.tightness)
        unneeded.removeAll { ring in
            guard !mover.hasUncountedDrops(ring) else { return false }
            remove(ring)
            return true
        }
        for ring in folder.rings.values where !folder.isOwn(ring) {
            guard !ring.isWriterAlive, ring.seize(counter: control.counter) else { continue }
            // All records that were complete when the ring was sealed have numbers up to this.
            let drawn = min(ring.drawnWhenSeized ?? .max, UInt64(EventRecord.highestSeq))
            let isMoved = UInt64(max(lastSeq, 0)) >= drawn && ring.head.load() == ring.tail.load()
            guard isMoved || ring.isEmptyForGood(after: lastSeq), !mover.hasUncountedDrops(ring) else { continue }
            remove(ring)
        }
    }

    /// Removes a ring, then its row in `journal_drops`. If deleting the row fails, the next process that opens the log
    /// alone deletes it.
    private func remove(_ ring: JournalRing) {
        // Touching a truncated page would kill the process.
        if hasTraces, ring.file.currentSize >= ring.file.size { ring.wipe() }
        folder.remove(ring)
        guard !ring.drops.isEmpty else { return }
        // The row stays if this fails, see above.
        try? database.unsafeReentrantWrite { db in
            try db.execute(sql: "DELETE FROM journal_drops WHERE journal = ?", arguments: [ring.name])
        }
    }

    private func salvage(because error: DatabaseError) throws {
        let damaged = database
        folder.noteDamage()
        database = try DatabaseExchange.salvage(
            path, options, log: writer.log, reason: error.message ?? "the database is damaged")
        try? damaged.close()  // Closed only now: its files were moved, so closing cannot write to them.
        control.generation.increment()
        generation = control.generation.load()
    }

    /// Reads in one transaction, without blocking other processes' writes.
    package func reading<T>(_ body: (Database) throws -> T) throws -> T {
        guard isOpen else { throw EventLogError(.closed, "the log \(path) is closed; open it again") }
        try options.time.check(path)
        // Another process has salvaged the database: this connection has the damaged file.
        guard control.generation.load() == generation else { return try exclusively(body) }
        do {
            return try database.read(body)
        } catch {
            guard LogOpening.isDamage(error) else { throw EventLogError.wrapping(error, path: path) }
            return try exclusively { db in try body(db) }  // Salvages the database first.
        }
    }

    /// Whether another living writer has the log open. Inside ``exclusively(isUrgent:_:)`` the answer stays valid until
    /// the end.
    package var hasOtherWriters: Bool { folder.rings.values.contains { !folder.isOwn($0) && $0.isWriterAlive } }

    /// This writer, as the holder of a consumer's lease.
    ///
    /// - Parameter length: The length of the lease.
    func holder(for length: Duration = .zero) -> Consumers.Holder {
        Consumers.Holder(
            name: folder.supply.writer, boot: BootTime.currentBoot, now: JournalRing.secondsOfBoot(),
            length: UInt64(clamping: length.components.seconds)
        ) { [folder] in folder.isAlive($0) }
    }

    func close() throws {
        guard isOpen, !writer.isForked else { return }
        writer.close()
        do { try moveAll() } catch {
            for ring in folder.supply.all { ring.markGone() }  // The next process that opens the log moves its events.
            throw error
        }
        // The callers that wait get the error; the markers stay for the next process.
        if hasRemovals { try? eraseTraces(isForced: true) }
        rewriteIfDue(isIdle: true)
        try exclusively { db in
            try db.execute(
                sql: "UPDATE consumers SET holder = NULL WHERE holder = ?", arguments: [folder.supply.writer])
            for ring in folder.supply.all { remove(ring) }
            removeEndedRings()
            let isLast = !folder.rings.values.contains { $0.isWriterAlive }
            // Leaves everything in one file that can be copied. If a reader prevents that, the complete -wal file
            // stays.
            if isLast {
                // The control file will be removed.
                try Consents.adoptLinks(control.consents, db)
                try Consents.adopt(control.consents, control.purposes.all, drawn: control.drawn, db)
                checkpoint(db, .truncate)
            }
        }
        isOpen = false
        try? database.close()  // Everything is stored; the system closes the file at the latest when the process ends.
        // On failure another process has the log open, so it is in use.
        if (try? control.lock(timeout: .zero)) != nil {
            folder.removeIfUnused()
            control.unlock()
        }
    }

    /// Marks this writer as ended, for a log that is released without being closed.
    func abandon() {
        guard isOpen, !writer.isForked else { return }
        writer.close()
        for ring in folder.supply.all { ring.markGone() }
    }
}
