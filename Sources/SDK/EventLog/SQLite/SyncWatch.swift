import GRDB
import GRDBSQLite

/// Notices when the disk refuses to take what was written, wherever SQLite asks it to: in a commit, or in a checkpoint
/// that follows one, whose errors SQLite keeps to itself.
///
/// After that nobody may ask again and believe the answer: the system calls pages clean that it could not write, and the
/// next fsync succeeds without them. Confined to the log's queue.
final class SyncWatch {
    /// Whether bytes that were written may not be on the disk, and never come there.
    private(set) var hasFailed = false
    /// After so many pages of write-ahead log it is brought into the database, as SQLite does by itself.
    private static let pagesOfWriteAheadLog: CInt = 1000
    /// The same while a burst is moved: a checkpoint syncs twice, and has the mover wait for the disk.
    private static let pagesInBurst: CInt = 4000
    /// Whether many events wait for the mover.
    var isBurst = false

    func note(_ error: any Error) {
        switch (error as? DatabaseError)?.extendedResultCode {
        case .SQLITE_IOERR_FSYNC?, .SQLITE_IOERR_DIR_FSYNC?: hasFailed = true
        default: break
        }
    }

    /// Everything was written to the disk again.
    func wasMended() { hasFailed = false }

    /// Takes the automatic checkpoints of a connection over. It must not be used when this has gone.
    func attach(to database: DatabaseQueue) {
        database.inDatabase { db in
            _ = sqlite3_wal_hook(
                db.sqliteConnection,
                { watch, connection, name, pages in
                    guard pages >= SyncWatch.pagesOfWriteAheadLog, let watch else { return SQLITE_OK }
                    let own = Unmanaged<SyncWatch>.fromOpaque(watch).takeUnretainedValue()
                    guard !own.isBurst || pages >= SyncWatch.pagesInBurst else { return SQLITE_OK }
                    // Whatever stands in its way: what was committed stays committed.
                    let code = sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
                    if code != SQLITE_OK {
                        own.note(DatabaseError(resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection))))
                    }
                    return SQLITE_OK
                }, Unmanaged.passUnretained(self).toOpaque())
        }
    }
}
