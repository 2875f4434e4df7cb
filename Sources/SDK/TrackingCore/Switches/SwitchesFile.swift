internal import DeliveryProtocol
internal import EventLog
internal import Foundation
package import Primitives

/// The newest signed document that an app accepted, in a private file in the tracker's folder. Several processes may
/// use the file.
package struct SwitchesFile: Sendable {
    let path: String
    private let files: any FileCalls

    package init(path: String, files: any FileCalls = SystemCalls(toleratesUnsyncedFolders: true)) {
        self.path = path
        self.files = files
    }

    /// The stored bytes; nil if there is no file.
    ///
    /// - Throws: ``/EventLog/PrivateFile``'s errors; Foundation's errors.
    func read() throws -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let handle = FileHandle(fileDescriptor: try PrivateFile.open(path, O_RDONLY), closeOnDealloc: true)
        // One byte more than allowed, so that a longer file is recognized.
        return Array(try handle.read(upToCount: SignedSwitches.maximumBytes + 1) ?? Data())
    }

    /// Replaces the file, unless another process has stored a newer document meanwhile. Atomic: after a crash, the file
    /// has the old or the new content.
    ///
    /// - Parameter isNewer: Returns whether the stored bytes are a newer document. Called with the lock held.
    /// - Returns: Whether the file was replaced.
    /// - Throws: ``SinkLock/Refusal``; ``/EventLog/PrivateFile``'s errors; Foundation's errors.
    func replace(with bytes: [UInt8], unless isNewer: ([UInt8]) -> Bool) async throws -> Bool {
        let lock = try await SinkLock(for: URL(fileURLWithPath: path)).acquire()
        defer { try? lock.close() }  // the lock ends with the handle in any case
        // A file that can't be read is replaced.
        if let stored = try? read(), isNewer(stored) { return false }
        try files.replace(path, with: bytes, draft: path + ".new")
        return true
    }
}
