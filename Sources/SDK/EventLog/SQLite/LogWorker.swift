internal import EventModel
internal import Foundation
package import GRDB

/// All of a log that reads and writes files. Confined to the log's queue: one call at a time.
///
/// Each operation takes the control file's lock, looks whether the files are still the ones it knows, works in
/// transactions, and gives the lock back: between operations nothing is locked.
package final class LogWorker: @unchecked Sendable {  // the log's queue
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
    private var lastLook = ContinuousClock.now
    /// Rings that nobody appends to, to be removed when their drops are counted.
    private var unneeded: [JournalRing] = []
    /// What senders look at for each event.
    let consents: ConsentView
    private var seenConsents: UInt64
    /// Users who have not said anything yet, as far as that is not in the database.
    var newUsers: Set<String> = []
    /// Whether bytes of discarded events may be in a file of the log.
    var hasTraces: Bool
    /// Whether another process may have ended before it had removed what it was to discard.
    var hasUnfinishedDiscards: Bool
    /// Whether only the write-ahead log may still hold some.
    var isVacuumed = false
    var lastErasure: ContinuousClock.Instant?
    var moverTime = MoverTime()
    /// Whether another process has had a user's consent changed since this writer's journals were wiped.
    private var wantsWipe = false
    let watch = SyncWatch()
    /// The number of the last commit that is known to be in this database.
    var lastCommit: Int64 = 0

    var control: JournalControl { folder.control }
    var reserve: DiskReserve { DiskReserve(folder: folder.path) }

    init(
        path: String, options: SQLiteEventStore.Options, writer: JournalWriter, folder: JournalFolder,
        database: DatabaseQueue, lastSeq: Int64, hasTraces: Bool
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
        consents = ConsentView(folder.control)
        seenConsents = folder.control.consents.generation.load()
        self.hasTraces = hasTraces
        hasUnfinishedDiscards = hasTraces
        watch.attach(to: database)
    }

    // MARK: Working under the lock

    /// Runs `body` with the database, alone among all processes.
    ///
    /// - Parameter isUrgent: Whether it runs even after the background time has expired.
    /// - Throws: ``EventLogError``; `expired` if the background time is over: all that a log does in several transactions
    ///   ends here, between two of them.
    package func exclusively<T>(isUrgent: Bool = false, _ body: (Database) throws -> T) throws -> T {
        guard isOpen else { throw EventLogError(.closed, "the log \(path) was closed: open it again") }
        do {
            if !isUrgent { try options.time.check(path) }
            try lock(isUrgent: isUrgent)
            defer { control.unlock() }
            try look()
            if watch.hasFailed { try reopenAfterFailedSync() }
            // At once, if it can be done: other processes have the same files. If not, whatever is done next begins with it.
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
            // It would have waited longer.
            if error.code == .inUse { try options.time.check(path) }
            throw error
        }
    }

    /// The same in one transaction.
    package func transaction<T>(_ body: (Database) throws -> T) throws -> T {
        try exclusively { db in try inTransaction(db, body) }
    }

    /// Runs a transaction that frees space, or that notes what became of a delivery: on a full disk it has the reserve.
    ///
    /// - Parameters:
    ///   - isSynced: Whether the commit, and every one before it, is to be on the disk then.
    ///   - body: Is run a second time, with `isFull`, if the disk is full: then it must write no more than 256 KiB of
    ///     write-ahead log, 64 pages.
    /// - Throws: ``EventLogError``.
    package func freeing<T>(isSynced: Bool = false, _ body: (Database, _ isFull: Bool) throws -> T) throws -> T {
        try exclusively { db in
            // In WAL mode a commit under FULL syncs the WAL, with every commit before it. On this connection: another one
            // may have taken its place since.  https://www.sqlite.org/pragma.html#pragma_synchronous
            if isSynced { try db.execute(sql: "PRAGMA synchronous = FULL") }
            // Stays FULL if that fails: slower, not less safe.
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

    /// Each commit but the mover's has a number, by which the last one can be found again; that has the number of its last
    /// event.
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

    /// Takes the control file's lock; if somebody has removed that file, joins whoever has made it anew.
    private func lock(isUrgent: Bool) throws {
        let check = { if !isUrgent { try self.options.time.check(self.path) } }
        try control.lock(timeout: options.busyTimeout, check: check)
        if control.file.isNamed { return }
        control.unlock()
        let (control, found) = try JournalControl.openLocked(
            folder: folder.path, timeout: options.busyTimeout, check: check)
        do {
            if case .intact = found {} else { control.setInstall(writer.log) }
            folder.replaceControl(control)
            try database.read { db in try Consents.mend(control.consents, db) }
            consents.replace(control)
            // Others may have stored more since, and gone.
            let stored = try? database.read { db in try EventRow.lastSeq(db) }
            control.counter.raise(to: max(UInt64(max(lastSeq, stored ?? 0, 0)), folder.highestNumber()))
            folder.noteDamage()
            generation = control.generation.load() &- 1  // looks for the database anew
            try replaceRing(control)
        } catch {
            control.unlock()
            throw error
        }
    }

    /// Goes on in a new ring. What the one before holds is still moved.
    private func replaceRing(_ control: JournalControl? = nil) throws {
        let former = writer.ring
        writer.replaceRing(try folder.supply.makeFirst(folder.control), control: control)
        former.markGone()
    }

    /// Goes on in a new ring, after somebody has sealed the one before.
    ///
    /// - Throws: ``EventLogError``.
    // A sender waits for it, and would have to drop its event.
    func rejoin() throws { try exclusively(isUrgent: true) { _ in } }

    /// Looks whether the files are still the ones that are open here.
    private func look() throws {
        if control.generation.load() != generation {
            // Another process has salvaged the database. What this connection had not committed, it has not lost.
            let former = database
            database = try LogOpening.openDatabase(path, options)
            try? former.close()  // its file was moved away: nothing is lost with it
            generation = control.generation.load()
        }
        for issue in try folder.refresh() {
            try Quarantine.put([issue.path], by: issue.way, reason: issue.reason, database: path)
        }
        if writer.ring.isSealed { try replaceRing() }
        let consents = control.consents.generation.load()
        if consents != seenConsents { (seenConsents, wantsWipe) = (consents, true) }
        if wantsWipe, writer.isIdle {
            writer.wipe()
            wantsWipe = false
        }
        let now = ContinuousClock.now
        guard lastLook.duration(to: now) > options.lookInterval else { return }
        lastLook = now
        for ring in folder.supply.all { ring.beat() }
        reserve.restore()
        reserve.keepHalf()
        try mendFiles()
        removeEndedRings()
    }

    /// Finds what somebody else did to files that are mapped here.
    private func mendFiles() throws {
        for ring in folder.rings.values where ring.file.currentSize < ring.file.size {
            let size = ring.file.currentSize
            ring.file.restoreSize()
            folder.noteDamage()
            try Quarantine.put(
                [ring.file.path], by: .copy, reason: "\(ring.name): another program cut it to \(size) bytes",
                database: path)
        }
        if control.file.currentSize < control.file.size {
            // The counter is gone with the bytes; the highest number that anybody has seen is the next best.
            control.mend(
                writer.log,
                highestNumber: max(UInt64(max(lastSeq, writer.newest?.seq ?? 0)), folder.highestNumber()))
            folder.noteDamage()
        }
        try database.read { db in try Consents.mend(control.consents, db) }
        // Nobody else can see it any more, and the next process would not; or would not know whose it is.
        if !writer.ring.file.isNamed || !writer.ring.isHeaderIntact { try replaceRing() }
        try mendDatabase()
    }

    /// Finds that somebody has removed the database, or put another in its place.
    private func mendDatabase() throws {
        let inode = Self.inode(path)
        guard inode != databaseInode else { return }
        folder.noteDamage()
        let former = database
        if inode == nil {
            // The connection still has all of it.
            database = try DatabaseExchange.salvage(
                path, from: former, options, log: writer.log, reason: "the database beside it was removed")
            control.generation.increment()
            generation = control.generation.load()
        } else {
            // It may be a new one, or an old copy: what it lacks is counted as damaged when the next event is moved.
            let new = try LogOpening.openDatabase(path, options)
            try new.writeWithoutTransaction { db in
                try DatabaseSchema.migrate(db, secret: writer.log.secret) { writer.installID }
            }
            database = new
        }
        try? former.close()  // its file has no name any more
    }

    private static func inode(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// Makes the journal small again, some time after a burst.
    func tidy() {
        lastLook = .now - options.lookInterval - .seconds(1)
        _ = try? exclusively { _ in }  // a log that cannot be written is tidied by its next mover
    }

    /// Takes over the rings of writers that have ended, and removes those that were taken over and are empty, and those
    /// that this writer does not need any more.
    private func removeEndedRings() {
        unneeded += writer.surplus(isTight: DiskReserve.room(beside: path) < DiskReserve.tightness)
        unneeded.removeAll { ring in
            guard !mover.hasUncountedDrops(ring) else { return false }
            remove(ring)
            return true
        }
        for ring in folder.rings.values where !folder.isOwn(ring) {
            guard !ring.isWriterAlive, ring.seize(counter: control.counter) else { continue }
            // What was complete when it was sealed is among the numbers up to that.
            let drawn = min(ring.drawnWhenSeized ?? .max, UInt64(EventRecord.highestSeq))
            let isMoved = UInt64(max(lastSeq, 0)) >= drawn && ring.head.load() == ring.tail.load()
            guard isMoved || ring.isEmptyForGood(after: lastSeq), !mover.hasUncountedDrops(ring) else { continue }
            remove(ring)
        }
    }

    /// Removes a ring, and then the note of how many of its drops are in the ledger. If that fails, the next one that opens
    /// the log alone removes it.
    private func remove(_ ring: JournalRing) {
        folder.remove(ring)
        guard !ring.drops.isEmpty else { return }
        try? database.unsafeReentrantWrite { db in
            try db.execute(sql: "DELETE FROM journal_drops WHERE journal = ?", arguments: [ring.name])
        }
    }

    private func salvage(because error: DatabaseError) throws {
        let damaged = database
        folder.noteDamage()
        database = try DatabaseExchange.salvage(
            path, options, log: writer.log, reason: error.message ?? "it is damaged")
        try? damaged.close()  // only now: its files were moved, so nothing can be written there
        control.generation.increment()
        generation = control.generation.load()
    }

    // MARK: Reading

    /// Reads in one transaction, without keeping other processes from writing.
    package func reading<T>(_ body: (Database) throws -> T) throws -> T {
        guard isOpen else { throw EventLogError(.closed, "the log \(path) was closed: open it again") }
        try options.time.check(path)
        // Somebody has salvaged the database since: this connection has the damaged one.
        guard control.generation.load() == generation else { return try exclusively(body) }
        do {
            return try database.read(body)
        } catch {
            guard LogOpening.isDamage(error) else { throw EventLogError.wrapping(error, path: path) }
            return try exclusively { db in try body(db) }  // salvages on the way
        }
    }

    /// Whether another living writer has the log open. Inside ``exclusively(_:)`` it holds until the end.
    package var hasOtherWriters: Bool { folder.rings.values.contains { !folder.isOwn($0) && $0.isWriterAlive } }

    // MARK: Deliveries

    /// This writer, as a consumer's holder.
    ///
    /// - Parameter length: How long its lease is.
    func holder(for length: Duration = .zero) -> Consumers.Holder {
        Consumers.Holder(
            name: folder.supply.writer, boot: WriterIdentity.currentBoot, now: JournalRing.secondsOfBoot(),
            length: UInt64(clamping: length.components.seconds)
        ) { [folder] in folder.isAlive($0) }
    }

    // MARK: Closing

    func close() throws {
        guard isOpen, !writer.isForked else { return }
        writer.close()
        do { try moveAll() } catch {
            for ring in folder.supply.all { ring.markGone() }  // the next one to open the log moves it
            throw error
        }
        try exclusively { db in
            try db.execute(
                sql: "UPDATE consumers SET holder = NULL WHERE holder = ?", arguments: [folder.supply.writer])
            for ring in folder.supply.all { remove(ring) }
            removeEndedRings()
            let isLast = !folder.rings.values.contains { $0.isWriterAlive }
            // Leaves everything in the one file that people copy. A reader may keep it from finishing; then the
            // -wal file stays, complete.
            if isLast {
                // The control file goes.
                try Consents.adopt(control.consents, drawn: control.drawn, db)
                checkpoint(db, .truncate)
            }
        }
        isOpen = false
        try? database.close()  // everything is stored; the system closes the file at the latest with the process
        if (try? control.lock(timeout: .zero)) != nil {  // somebody else is in: then it isn't unused
            folder.removeIfUnused()
            control.unlock()
        }
    }

    /// Says that this writer has ended, for a log that is dropped without being closed.
    func abandon() {
        guard isOpen, !writer.isForked else { return }
        writer.close()
        for ring in folder.supply.all { ring.markGone() }
    }
}
