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
    private let folder: JournalFolder
    private var database: DatabaseQueue { didSet { databaseInode = Self.inode(path) } }
    private var databaseInode: UInt64?
    private var mover: JournalMover
    private var generation: UInt64
    private(set) var lastSeq: Int64
    private var isOpen = true
    private var lastLook = ContinuousClock.now

    private var control: JournalControl { folder.control }

    init(
        path: String, options: SQLiteEventStore.Options, writer: JournalWriter, folder: JournalFolder,
        database: DatabaseQueue, lastSeq: Int64
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
    }

    // MARK: Working under the lock

    /// Runs `body` with the database, alone among all processes.
    ///
    /// - Throws: ``EventLogError``.
    package func exclusively<T>(_ body: (Database) throws -> T) throws -> T {
        guard isOpen else { throw EventLogError(.closed, "the log \(path) was closed: open it again") }
        do {
            try lock()
            defer { control.unlock() }
            try look()
            do {
                return try database.writeWithoutTransaction(body)
            } catch let error as DatabaseError where LogOpening.isDamage(error) {
                try salvage(because: error)
                return try database.writeWithoutTransaction(body)
            }
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }

    /// The same in one transaction.
    package func transaction<T>(_ body: (Database) throws -> T) throws -> T {
        try exclusively { db in
            var result: T?
            try db.inTransaction(.immediate) {
                result = try body(db)
                return .commit
            }
            guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
            return result
        }
    }

    /// Takes the control file's lock; if somebody has removed that file, joins whoever has made it anew.
    private func lock() throws {
        try control.lock(timeout: options.busyTimeout)
        if control.file.isNamed { return }
        control.unlock()
        let (control, found) = try JournalControl.openLocked(folder: folder.path, timeout: options.busyTimeout)
        do {
            if case .intact = found {} else { control.setInstallID(writer.installID) }
            folder.replaceControl(control)
            control.counter.raise(to: max(UInt64(max(lastSeq, 0)), folder.highestNumber()))
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
        writer.replaceRing(try folder.makeRing(capacity: former.capacity), control: control)
        former.markGone()
        try database.writeWithoutTransaction { db in
            try db.execute(
                sql: "UPDATE consumers SET holder = ? WHERE holder = ?", arguments: [writer.ring.name, former.name])
        }
    }

    /// Looks whether the files are still the ones that are open here.
    private func look() throws {
        if control.generation.load() != generation {
            // Another process has salvaged the database. What this connection had not committed, it has not lost.
            let former = database
            database = try LogOpening.openDatabase(path, options)
            try? former.close()  // its file was moved away: nothing is lost with it
            generation = control.generation.load()
        }
        for fault in try folder.refresh() {
            try Quarantine.put([fault.path], by: fault.way, reason: fault.reason, database: path)
        }
        let now = ContinuousClock.now
        guard lastLook.duration(to: now) > options.lookInterval else { return }
        lastLook = now
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
                installID: writer.installID,
                highestNumber: max(UInt64(max(lastSeq, writer.newest?.seq ?? 0)), folder.highestNumber()))
            folder.noteDamage()
        }
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
                path, from: former, options, installID: writer.installID, reason: "the database beside it was removed")
            control.generation.increment()
            generation = control.generation.load()
        } else {
            // It may be a new one, or an old copy: what it lacks is counted as damaged when the next event is moved.
            let new = try LogOpening.openDatabase(path, options)
            try new.writeWithoutTransaction { db in try DatabaseSchema.migrate(db) { writer.installID } }
            database = new
        }
        try? former.close()  // its file has no name any more
    }

    private static func inode(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    private func removeEndedRings() {
        for ring in folder.rings.values where ring !== writer.ring && !ring.isWriterAlive {
            if !ring.file.isNamed && ring.head.load() == ring.tail.load() {
                folder.forget(ring)
            } else if ring.head.load() == ring.tail.load(), !mover.hasUncountedDrops(ring) {
                folder.remove(ring)
            }
        }
    }

    private func salvage(because error: DatabaseError) throws {
        let damaged = database
        folder.noteDamage()
        database = try DatabaseExchange.salvage(
            path, options, installID: writer.installID, reason: error.message ?? "it is damaged")
        try? damaged.close()  // only now: its files were moved, so nothing can be written there
        control.generation.increment()
        generation = control.generation.load()
    }

    // MARK: Moving

    /// Moves what the journals hold, up to `limit` transactions.
    ///
    /// - Returns: Whether everything was moved that had been sent; false if a number is still in a sender's hands.
    /// - Throws: ``EventLogError``. Nothing is lost then.
    @discardableResult
    func move(transactions limit: Int = .max) throws -> Bool {
        var count = 0
        while count < limit {
            if control.ringsGeneration.load() == folder.seenGeneration, !mover.hasWork(after: lastSeq) { return true }
            let round = try exclusively { db in
                try mover.move(limit: options.eventsPerTransaction, db) { db in
                    try Pruning.enforceHardCap(options.retention, db)
                }
            }
            lastSeq = round.lastSeq
            for ring in round.damaged {
                _ = try? Quarantine.put(  // lost: the evidence; what could be read was stored
                    [ring.file.path], by: .copy, reason: "\(ring.name): it holds bytes that are no record",
                    database: path)
            }
            if round.isHeldUp { return false }
            count += 1
        }
        return true
    }

    /// Moves everything that was sent before the call.
    ///
    /// - Throws: ``EventLogError``: `inUse` if another process sits on a number for longer than the busy timeout.
    func moveAll() throws {
        let end = Int64(clamping: control.counter.load())
        let deadline = ContinuousClock.now.advanced(by: options.busyTimeout)
        while try !move(), lastSeq < end {
            guard ContinuousClock.now < deadline else {
                throw EventLogError(
                    .inUse,
                    "another process stands still while it sends event \(lastSeq + 1) to \(path): let it go on, or end it"
                )
            }
            usleep(500)
        }
    }

    /// Reads in one transaction, without keeping other processes from writing.
    package func reading<T>(_ body: (Database) throws -> T) throws -> T {
        guard isOpen else { throw EventLogError(.closed, "the log \(path) was closed: open it again") }
        // Somebody has salvaged the database since: this connection has the damaged one.
        guard control.generation.load() == generation else { return try exclusively(body) }
        do {
            return try database.read(body)
        } catch {
            guard LogOpening.isDamage(error) else { throw EventLogError.wrapping(error, path: path) }
            return try exclusively { db in try body(db) }  // salvages on the way
        }
    }

    /// Puts everything that was moved on the disk.
    func sync() throws {
        try exclusively { db in
            let isSynced = try Bool.fetchOne(db, sql: "SELECT synced_seq = last_seq FROM log") ?? false
            if isSynced { return }
            // In WAL mode a commit under FULL syncs the WAL, with every commit before it.
            // https://www.sqlite.org/pragma.html#pragma_synchronous
            try db.execute(sql: "PRAGMA synchronous = FULL")
            defer { try? db.execute(sql: "PRAGMA synchronous = NORMAL") }  // stays FULL: slower, not less safe
            try db.execute(sql: "UPDATE log SET synced_seq = last_seq")
        }
    }

    /// Stores replayed events under numbers that it draws all at once, before it commits.
    ///
    /// Should the process end between the drawing and the commit, the next mover finds numbers that nobody holds, and
    /// says so in the ledger.
    func replay(_ events: [RecordedEvent]) throws -> ReplayResult {
        while true {
            let result: ReplayResult? = try exclusively { db in
                let formerInstall = writer.installID
                var drawn: (from: UInt64, to: UInt64)?
                var result: ReplayResult?
                var isStored = false
                defer {
                    if !isStored {
                        writer.installID = formerInstall
                        if let drawn { _ = control.counter.exchange(drawn.to, for: drawn.from) }
                    }
                }
                var newest: EventRecord?
                try db.inTransaction(.immediate) {
                    let before = try EventRow.lastSeq(db)
                    let stored = try Replay.store(events, db)
                    let log = try Row.fetchOne(db, sql: "SELECT install_id, last_seq FROM log")
                    guard let log else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
                    let (install, after): (String, Int64) = (
                        try log.decode(atIndex: 0), try log.decode(atIndex: 1)
                    )
                    // A counter that is behind the database is a damaged one.
                    if before > 0 { control.counter.raise(to: UInt64(before)) }
                    // Otherwise somebody has sent an event meanwhile, under a number that the replay gave out, too.
                    guard control.counter.exchange(UInt64(before), for: UInt64(after)) else { return .rollback }
                    drawn = (UInt64(before), UInt64(after))
                    writer.installID = install
                    newest = try EventRow.fetch(db, "ORDER BY seq DESC LIMIT 1", []).first
                    result = stored
                    return .commit
                }
                isStored = result != nil
                if isStored, let newest {
                    lastSeq = newest.seq
                    writer.wasReplayed(newest)
                    if writer.installID != formerInstall { control.setInstallID(writer.installID) }
                }
                return result
            }
            if let result { return result }
            try moveAll()
        }
    }

    /// Keeps the write-ahead log small while nothing happens.
    func rest() {
        let size = (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size]) as? Int  // none: no work
        guard size ?? 0 > 1 << 20 else { return }
        // A reader may stand in the way; the next rest tries again.
        _ = try? exclusively { db in try db.checkpoint(.truncate) }
    }

    /// Whether another living writer has the log open. Inside ``exclusively(_:)`` it holds until the end.
    package var hasOtherWriters: Bool { folder.rings.values.contains { $0 !== writer.ring && $0.isWriterAlive } }

    // MARK: Consumers' holders

    /// Gives a consumer to this writer, unless another living one has it.
    func take(_ consumer: String, _ db: Database) throws -> Bool {
        let holder = try String.fetchOne(db, sql: "SELECT holder FROM consumers WHERE name = ?", arguments: [consumer])
        if let holder, holder != writer.ring.name, folder.isAlive(holder) { return false }
        try db.execute(
            sql: "UPDATE consumers SET holder = ? WHERE name = ?", arguments: [writer.ring.name, consumer])
        return true
    }

    // MARK: Closing

    func close() throws {
        guard isOpen, !writer.isForked else { return }
        writer.close()
        do { try moveAll() } catch {
            writer.ring.markGone()  // the next one to open the log moves it
            throw error
        }
        try exclusively { db in
            try db.execute(sql: "UPDATE consumers SET holder = NULL WHERE holder = ?", arguments: [writer.ring.name])
            folder.remove(writer.ring)
            removeEndedRings()
            let isLast = !folder.rings.values.contains { $0.isWriterAlive }
            // Leaves everything in the one file that people copy. A reader may keep it from finishing; then the
            // -wal file stays, complete.
            if isLast { _ = try? db.checkpoint(.truncate) }
            try db.execute(sql: "DELETE FROM journal_drops WHERE journal = ?", arguments: [writer.ring.name])
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
        writer.ring.markGone()
    }
}
