internal import Foundation
import GRDB

/// Disk space that is put aside for the time when there is no other: for what frees space and what follows a delivery.
/// Under the control file's lock.
struct DiskReserve {
    static let size = 1 << 20
    /// A file system with less room than that is handled with small transactions, so that neither the write-ahead log nor
    /// the database has much to grow before a full disk shows.
    static let tightness = 16 << 20
    static let name = "reserve"
    private let path: String

    init(folder: String) { path = folder + "/" + Self.name }

    /// Puts it aside, if it is not and there is room for twice as much.
    func restore() {
        guard held < Self.size, Self.room(beside: path) >= 2 * Self.size else { return }
        hold(Self.size)
    }

    /// Puts half of what is left aside, if it is not much: whoever had given it up was killed before it was back.
    func keepHalf() {
        let room = Self.room(beside: path)
        guard held == 0, room < 2 * Self.size else { return }
        hold(room / 2 & ~4095)
    }

    /// Puts aside what is left of it after it was used, before anybody else takes that.
    func keepRest() { hold(min(Self.size, Self.room(beside: path) & ~4095)) }

    /// The bytes that are put aside.
    private var held: Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    private func hold(_ size: Int) {
        guard size > 0 else { return }
        guard let descriptor = try? PrivateFile.open(path, O_RDWR | O_CREAT) else { return }  // as below
        defer { close(descriptor) }
        // Others may have taken some of it meanwhile. Without it a full disk is harder to get out of, and nothing is lost.
        var size = size
        while size >= 64 << 10 {
            if (try? MappedFile.preallocate(descriptor, size: size, path: path)) != nil { return }
            _ = ftruncate(descriptor, 0)
            size = size / 2 & ~4095
        }
        unlink(path)
    }

    /// Gives it back to the file system.
    func giveUp() { unlink(path) }

    /// The bytes that a file system has left for us; none if that can't be told.
    static func room(beside path: String) -> Int {
        var status = statvfs()
        let folder = (path as NSString).deletingLastPathComponent
        guard statvfs(folder.isEmpty ? "." : folder, &status) == 0 else { return 0 }
        return Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    }

    /// Whether an error says that there is no room.
    static func isFull(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError:
            // The shared memory of the write-ahead log is a file, too.
            error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
        case let error as SystemError: error.code == ENOSPC || error.code == EDQUOT
        default: false
        }
    }
}
