internal import EventLog
internal import Foundation

/// The exclusive right to write a sink's files: held by one process at a time, and never by a process whose lease has
/// ended.
///
/// Uses `flock(2)` on a file next to the sink's files. That file has the token of the newest delivery. The system
/// releases the lock when the process ends.
struct SinkLock {
    /// The reason why the process must not write.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private static let patience = Duration.seconds(2)
    private let path: String

    init(for file: URL) {
        path = file.deletingLastPathComponent().appendingPathComponent(".\(file.lastPathComponent).lock").path
    }

    /// Waits for the lock, for at most two seconds.
    ///
    /// - Returns: The handle that holds the lock. Close it to release the lock.
    /// - Throws: ``Refusal``; ``PrivateFile``'s errors.
    func acquire() async throws -> FileHandle {
        let deadline = ContinuousClock.now.advanced(by: Self.patience)
        while true {
            let handle = FileHandle(
                fileDescriptor: try PrivateFile.open(path, O_RDWR | O_CREAT), closeOnDealloc: true)
            if flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 {
                // Another process may have removed the file meanwhile and created a new one.
                if isNamed(handle) { return handle }
                continue
            }
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            guard ContinuousClock.now < deadline else {
                throw Refusal(description: "another process is writing to it")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Stores the token of a delivery. Call it with the lock held.
    ///
    /// - Throws: ``Refusal`` if a newer delivery has stored its token; Foundation's errors.
    func note(_ token: LeaseToken?, _ handle: FileHandle) throws {
        guard let token else { return }
        try handle.seek(toOffset: 0)
        // A damaged token is lost and replaced, as if no other process had delivered.
        let stored = try handle.read(upToCount: 4096).flatMap { try? JSONDecoder().decode(LeaseToken.self, from: $0) }
        guard stored != token else { return }
        if let stored, token.isStale(after: stored) {
            throw Refusal(description: "another process took over its deliveries")
        }
        // Not synced to the disk: after a power failure, no stopped process is left.
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: JSONEncoder().encode(token))
        try handle.truncate(atOffset: handle.offset())
    }

    private func isNamed(_ handle: FileHandle) -> Bool { SinkFiles.isNamed(handle, path) }
}
