internal import Foundation
import GRDB
internal import Primitives

/// Disk space reserved for a full disk, for transactions that free space or record a delivery. Call with the control
/// file's lock held.
struct DiskReserve {
    static let size = 1 << 20
    /// On a file system with less free space, transactions are small, so that the write-ahead log and the database grow
    /// little before the disk is full.
    static let tightness = 16 << 20
    static let name = "reserve"
    private let path: String

    init(folder: String) { path = folder + "/" + Self.name }

    /// Reserves the space, unless it is reserved already or less than twice the space is free.
    func restore() {
        guard held < Self.size, Self.freeBytes(at: path) >= 2 * Self.size else { return }
        hold(Self.size)
    }

    /// If a process was killed before it restored the reserve, and little space is left, reserves half of that space.
    func keepHalf() {
        let room = Self.freeBytes(at: path)
        guard held == 0, room < 2 * Self.size else { return }
        hold(room / 2 & ~4095)
    }

    /// Restores the reserve from the remaining space, before other programs use that space.
    func keepRest() { hold(min(Self.size, Self.freeBytes(at: path) & ~4095)) }

    /// The reserved bytes.
    private var held: Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    private func hold(_ size: Int) {
        guard size > 0 else { return }
        // Without the file there is no reserve, see below.
        guard let descriptor = try? PrivateFile.open(path, O_RDWR | O_CREAT) else { return }
        defer { close(descriptor) }
        // Other programs may have used some of the space. Without the reserve, recovering from a full disk is harder,
        // but no event is lost.
        var size = size
        while size >= 64 << 10 {
            // The reason is lost; a smaller reserve is tried.
            if (try? MappedFile.preallocate(descriptor, size: size, path: path)) != nil { return }
            _ = ftruncate(descriptor, 0)
            size = size / 2 & ~4095
        }
        unlink(path)
    }

    /// Releases the space to the file system.
    func giveUp() { unlink(path) }

    /// The free bytes that this process can use on a file system; 0 if unknown.
    static func freeBytes(at path: String) -> Int {
        var status = statvfs()
        let folder = (path as NSString).deletingLastPathComponent
        guard statvfs(folder.isEmpty ? "." : folder, &status) == 0 else { return 0 }
        return Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    }

    /// Whether an error means that the disk is full.
    static func isFull(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError:
            // The shared memory of the write-ahead log is also a file.
            error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
        case let error as SystemError: error.code == ENOSPC || error.code == EDQUOT
        default: false
        }
    }
}
