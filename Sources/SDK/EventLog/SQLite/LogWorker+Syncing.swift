internal import Foundation
import GRDB

// Syncing to the disk, and recovery from a failed sync.
extension LogWorker {
    /// Syncs all moved events to the disk, and changes of consent and of the identity, which may only be in the control
    /// file.
    func sync() throws {
        let generation = control.consents.generation.load()
        if generation != syncedConsents {
            DiskOrder(system: options.system).sync(control.file.descriptor, path: control.file.path)
            syncedConsents = generation
        }
        let isSynced = try exclusively { db in
            try Bool.fetchOne(db, sql: "SELECT synced_seq = last_seq FROM log") ?? false
        }
        if isSynced { return }
        try freeing(isSynced: true) { db, _ in try db.execute(sql: "UPDATE log SET synced_seq = last_seq") }
    }

    /// Keeps the write-ahead log and the database small while the log is idle.
    func rest() {
        // If the log cannot be written now, the next idle time retries.
        do { try shrink() } catch {}
        rewriteIfDue(isIdle: true)
        // Without a file there is nothing to do.
        let size = (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size]) as? Int
        guard size ?? 0 > 1 << 20 else { return }
        // If this fails, the write-ahead log stays large until the next idle time.
        _ = try? exclusively { db in checkpoint(db, .truncate) }
    }

    /// Checkpoints the write-ahead log, so that it restarts at its beginning. A reader or a full disk can prevent that;
    /// the write-ahead log then grows.
    func checkpoint(_ db: Database, _ mode: Database.CheckpointMode = .restart) {
        do { _ = try db.checkpoint(mode) } catch { watch.note(error) }
    }

    /// Recovers from a failed fsync: reopens the database, checks that the last commit is there, and writes the
    /// contents of the write-ahead log to the database file, where fsync works again.
    ///
    /// Missing events are moved from the rings again, if the rings still have them. Call with the control file's lock
    /// held.
    ///
    /// - Throws: `DatabaseError`: while recovery fails, or a reader prevents it, the log does no work. Events wait in
    ///   the journal.
    func reopenAfterFailedSync() throws {
        let former = database
        let known = lastCommit
        let reopened = try LogOpening.openDatabase(path, options)
        // The old connection's caches may differ from the file.
        try? former.close()
        database = reopened
        lastCommit = known
        let (commit, seq) = try reopened.writeWithoutTransaction { db in
            _ = try db.checkpoint(.truncate)
            let row = try Row.fetchOne(db, sql: "SELECT commits, last_seq FROM log")
            guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            return (try row.decode(Int64.self, atIndex: 0), try row.decode(Int64.self, atIndex: 1))
        }
        watch.wasRepaired()
        guard commit < known || seq < lastSeq else { return }
        folder.noteDamage()
        lastCommit = commit
        lastSeq = seq
        mover = JournalMover(folder: folder, scansRings: true)
    }
}
