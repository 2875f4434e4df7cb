internal import Foundation

/// A file that is named `<file>.partial` until it is complete, so that no process reads an incomplete file. Other
/// processes cannot write it meanwhile. It is deleted unless it was completed; after a kill, the next run overwrites
/// it.
///
/// Installs the signal handlers of `Interruption`: check for interruptions while writing. Not thread-safe.
package final class UnfinishedFile {
    /// The final path.
    package let path: String
    /// The path until the file is complete.
    package let partialPath: String
    /// Open for writing, and locked for the lifetime of this object.
    package let descriptor: Int32
    /// Whether the file existed: left by a killed process.
    package let wasLeft: Bool
    /// Whether the unfinished file must not be deleted.
    private var isDone = false

    /// Starts a file.
    ///
    /// - Throws: ``LogFileError``: `inUse` if another process writes it, `cannotWrite` if it cannot be created.
    package convenience init(path: String) throws {
        try self.init(path: path, partialPath: Self.partialPath(of: path))
        guard ftruncate(descriptor, 0) == 0 else { throw LogFileError.writing(path) }
    }

    /// Starts or resumes a file. Until it is complete, it is named `<file>.resume.partial`, which is never
    /// overwritten.
    ///
    /// - Parameter position: The offset in bytes to resume at; bytes after it are removed. Nil for a new file.
    /// - Throws: ``LogFileError``: `inUse` if another process writes it, `exists` if a new file exists already,
    ///   `changed` if a file to resume has changed, `cannotWrite` if it cannot be created.
    package convenience init(resumablePath path: String, position: Int64?) throws {
        let partialPath = Self.partialPath(of: "\(path).resume")
        try self.init(path: path, partialPath: partialPath)
        guard let position else {
            guard wasLeft else { return }
            isDone = true
            throw LogFileError(
                .exists,
                "\(partialPath) exists: resume the interrupted replay with --resume, or remove the file")
        }
        guard lseek(descriptor, 0, SEEK_END) >= position, ftruncate(descriptor, off_t(position)) == 0,
            lseek(descriptor, off_t(position), SEEK_SET) == position
        else {
            isDone = wasLeft
            throw LogFileError(
                .changed,
                """
                \(partialPath) has changed since the replay was interrupted: start again with another state file
                """)
        }
    }

    private init(path: String, partialPath: String) throws {
        Interruption.listen()
        self.path = path
        self.partialPath = partialPath
        (descriptor, wasLeft) = try Self.lockedFile(partialPath, for: path)
    }

    deinit {
        discard()
        close(descriptor)
    }

    /// The path of a file until it is complete.
    package static func partialPath(of path: String) -> String { "\(path).partial" }

    /// Syncs the file to the disk and renames it, replacing an existing file.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package func publish() throws {
        try FileNames.publish(partialPath, as: path, syncing: descriptor)
        isDone = true
    }

    /// Keeps the file, to resume it later.
    package func keep() { isDone = true }

    /// Deletes the file, unless it was published or kept.
    package func discard() {
        // If syncing the folder failed, another process may already write a file with this name.
        if !isDone, Self.isNamed(descriptor, partialPath) { unlink(partialPath) }
        isDone = true
    }

    /// Opens a file for writing, unless another process has locked it.
    private static func lockedFile(_ partialPath: String, for path: String) throws -> (descriptor: Int32, wasLeft: Bool)
    {
        while true {
            var descriptor = open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            let wasLeft = descriptor < 0 && errno == EEXIST
            if wasLeft { descriptor = open(partialPath, O_WRONLY | O_CLOEXEC) }
            // Another process has just renamed it.
            if descriptor < 0 && wasLeft && errno == ENOENT { continue }
            guard descriptor >= 0 else { throw LogFileError.writing(path) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(descriptor)
                guard code == EWOULDBLOCK else { throw LogFileError.writing(path, code) }
                throw LogFileError(
                    .inUse, "another command is writing \(partialPath): wait until it ends, or choose another name"
                )
            }
            // The process that held the lock may have renamed or deleted the file since it was opened.
            if isNamed(descriptor, partialPath) { return (descriptor, wasLeft) }
            close(descriptor)
        }
    }

    /// Whether an open file still has this path.
    private static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
        var own = stat()
        var named = stat()
        return fstat(descriptor, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino
    }
}

/// Replaces a file atomically: readers see either the old or the new content, even after a power failure. The old
/// file is unchanged until ``commit(_:)``.
package final class ReplacedFile {
    private let path: String
    private let file: UnfinishedFile

    /// Starts the new file, so that an unwritable folder is reported early.
    ///
    /// - Throws: ``LogFileError``: `notAFile` for a folder or a device; see ``UnfinishedFile``.
    package init(path: String) throws {
        self.path = path
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw LogFileError(.notAFile, "\(path) is a folder or a device: pass a file")
        }
        file = try UnfinishedFile(path: path)
    }

    /// Writes the content, syncs it to the disk, and replaces the file.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package func commit(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try DescriptorBytes.write($0, to: file.descriptor, name: path) }
        try file.publish()
    }

    /// Replaces a small file.
    ///
    /// - Throws: See ``init(path:)`` and ``commit(_:)``.
    package static func write(_ bytes: [UInt8], path: String) throws { try ReplacedFile(path: path).commit(bytes) }
}

/// Writes bytes to a descriptor.
package enum DescriptorBytes {
    /// Writes all bytes, continuing after interruptions.
    ///
    /// - Parameter name: The output's name in messages.
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, name: String) throws {
        var rest = bytes
        while !rest.isEmpty {
            let written = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                throw LogFileError.writing(name)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }
}
