internal import EventLog
internal import Foundation

/// The right to write to a sink's files: for one process at a time, and for none whose lease has ended.
///
/// `flock(2)` on a file beside them, which holds the newest token of a delivery. The system gives the lock back when its
/// process ends.
struct SinkLock {
    /// Why nothing may be written.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private static let patience = Duration.seconds(2)
    private let path: String

    init(beside file: URL) {
        path = file.deletingLastPathComponent().appendingPathComponent(".\(file.lastPathComponent).lock").path
    }

    /// Waits for the lock, for at most two seconds.
    ///
    /// - Returns: What the lock is held by: closing it gives the lock back.
    /// - Throws: ``Refusal``; ``PrivateFile``'s errors.
    func take() async throws -> FileHandle {
        let deadline = ContinuousClock.now.advanced(by: Self.patience)
        while true {
            let handle = FileHandle(
                fileDescriptor: try PrivateFile.open(path, O_RDWR | O_CREAT), closeOnDealloc: true)
            if flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 {
                // Somebody may have removed the file meanwhile, and another one have made it anew.
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

    /// Notes the token of a delivery. Under the lock.
    ///
    /// - Throws: ``Refusal``, if a newer delivery was here; Foundation's errors.
    func note(_ token: LeaseToken?, _ handle: FileHandle) throws {
        guard let token else { return }
        try handle.seek(toOffset: 0)
        let stored = try handle.read(upToCount: 4096).flatMap { try? JSONDecoder().decode(LeaseToken.self, from: $0) }
        guard stored != token else { return }
        if let stored, token.isStale(after: stored) {
            throw Refusal(description: "another process has taken its deliveries over")
        }
        // Not put on the disk: after a power failure there is nobody who was stopped.
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: JSONEncoder().encode(token))
        try handle.truncate(atOffset: handle.offset())
    }

    private func isNamed(_ handle: FileHandle) -> Bool { SinkFiles.isNamed(handle, path) }
}
