internal import Foundation
import GRDB

// To the disk, and what follows when that fails.
extension LogWorker {
    /// Puts everything that was moved on the disk.
    func sync() throws {
        let isSynced = try exclusively { db in
            try Bool.fetchOne(db, sql: "SELECT synced_seq = last_seq FROM log") ?? false
        }
        if isSynced { return }
        try freeing(isSynced: true) { db, _ in try db.execute(sql: "UPDATE log SET synced_seq = last_seq") }
    }

    /// Keeps the write-ahead log and the database small while nothing happens.
    func rest() {
        // A log that cannot be written now is tried again when it rests next.
        do { try shrink() } catch {}
        let size = (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size]) as? Int  // none: no work
        guard size ?? 0 > 1 << 20 else { return }
        _ = try? exclusively { db in checkpoint(db, .truncate) }
    }

    /// Brings the write-ahead log into the database, so that it is written from its start again. A reader, or a full disk,
    /// may stand in the way; then it grows, if it can.
    func checkpoint(_ db: Database, _ mode: Database.CheckpointMode = .restart) {
        do { _ = try db.checkpoint(mode) } catch { watch.note(error) }
    }

    /// After a failed fsync: opens the database anew, looks whether the last commit is there, and writes everything that is
    /// in the write-ahead log once more, to the database itself, where an fsync counts again.
    ///
    /// What is not there any more is moved from the rings again, as far as they still have it. Under the control file's
    /// lock.
    ///
    /// - Throws: `DatabaseError`: as long as that fails, or a reader stands in the way, nothing is done with the log. Events
    ///   wait in the journal.
    func reopenAfterFailedSync() throws {
        let (former, known) = (database, lastCommit)
        let reopened = try LogOpening.openDatabase(path, options)
        // Its caches may hold what the file does not.
        try? former.close()
        database = reopened
        lastCommit = known
        let (commit, seq) = try reopened.writeWithoutTransaction { db in
            _ = try db.checkpoint(.truncate)
            let row = try Row.fetchOne(db, sql: "SELECT commits, last_seq FROM log")
            guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            return (try row.decode(Int64.self, atIndex: 0), try row.decode(Int64.self, atIndex: 1))
        }
        watch.wasMended()
        guard commit < known || seq < lastSeq else { return }
        folder.noteDamage()
        (lastCommit, lastSeq) = (commit, seq)
        mover = JournalMover(folder: folder, scansRings: true)
    }
}
