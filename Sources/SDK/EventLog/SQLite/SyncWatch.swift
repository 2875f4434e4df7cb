import GRDB
import GRDBSQLite

/// Detects failed writes to the disk, whether in a commit or in the checkpoint after it, whose errors SQLite hides.
///
/// After a failure, the result of a later fsync cannot be trusted: the system marks pages that it could not write as
/// clean, so the next fsync succeeds without them. Confined to the log's queue.
final class SyncWatch {
    /// Whether written bytes may be missing on the disk, and may stay missing.
    private(set) var hasFailed = false
    /// The number of write-ahead log pages that triggers a checkpoint; SQLite's default.
    private static let pagesOfWriteAheadLog: CInt = 1000
    /// The number during a burst. It is higher because a checkpoint syncs twice, and the mover waits for the disk.
    private static let pagesInBurst: CInt = 4000
    /// Whether many events wait for the mover.
    var isBurst = false

    func note(_ error: any Error) {
        switch (error as? DatabaseError)?.extendedResultCode {
        case .SQLITE_IOERR_FSYNC?, .SQLITE_IOERR_DIR_FSYNC?: hasFailed = true
        default: break
        }
    }

    /// Call after everything was written to the disk again.
    func wasRepaired() { hasFailed = false }

    /// Replaces a connection's automatic checkpoints. The watch must outlive the connection's use.
    func attach(to database: DatabaseQueue) {
        database.inDatabase { db in
            _ = sqlite3_wal_hook(
                db.sqliteConnection,
                { watch, connection, name, pages in
                    guard pages >= SyncWatch.pagesOfWriteAheadLog, let watch else { return SQLITE_OK }
                    let own = Unmanaged<SyncWatch>.fromOpaque(watch).takeUnretainedValue()
                    guard !own.isBurst || pages >= SyncWatch.pagesInBurst else { return SQLITE_OK }
                    // The commit is safe, whatever prevents the checkpoint.
                    let code = sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
                    if code != SQLITE_OK {
                        own.note(DatabaseError(resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection))))
                    }
                    return SQLITE_OK
                }, Unmanaged.passUnretained(self).toOpaque())
        }
    }
}
