internal import Foundation

/// A file that is written until it is complete, under the name `<file>.partial`: nobody reads half a file under its own
/// name, and nobody else writes it meanwhile. Nothing of it is left but by a kill, and what a killed process has left is
/// overwritten.
///
/// Signals are listened to from then on: whoever writes it looks at `Interruption` and gives it up. For one thread at a
/// time.
package final class UnfinishedFile {
    /// What it is called when it is complete.
    package let path: String
    /// What it is called until then.
    package let partialPath: String
    /// Open for writing, and locked as long as this object lives.
    package let descriptor: Int32
    /// Whether it was there before: a process was killed that wrote it.
    package let wasLeft: Bool
    /// Whether the name for unfinished files is not ours to remove.
    private var isDone = false

    /// Starts a file.
    ///
    /// - Throws: ``LogFileError``: `inUse` if another process writes it, `cannotWrite` if it cannot be made.
    package convenience init(path: String) throws {
        try self.init(path: path, partialPath: Self.partialPath(of: path))
        guard ftruncate(descriptor, 0) == 0 else { throw LogFileError.writing(path) }
    }

    /// Starts a file that may be gone on with later, or goes on with it. Until then it is `<file>.resume.partial`, which
    /// nobody overwrites.
    ///
    /// - Parameter position: Where to go on, in bytes: what stands behind it goes. Nil for a new file.
    /// - Throws: ``LogFileError``: `inUse` if another process writes it, `exists` if a new one is there already, `changed`
    ///   if one to go on with is not what was left, `cannotWrite` if it cannot be made.
    package convenience init(resumablePath path: String, position: Int64?) throws {
        let partialPath = Self.partialPath(of: "\(path).resume")
        try self.init(path: path, partialPath: partialPath)
        guard let position else {
            guard wasLeft else { return }
            isDone = true
            throw LogFileError(
                .exists,
                "\(partialPath) exists: a replay with --resume left it; run that again, or remove the file")
        }
        guard lseek(descriptor, 0, SEEK_END) >= position, ftruncate(descriptor, off_t(position)) == 0,
            lseek(descriptor, off_t(position), SEEK_SET) == position
        else {
            isDone = wasLeft
            throw LogFileError(
                .changed,
                """
                \(partialPath) is not what the replay left that is to go on: start from the first event with another \
                state file
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

    /// What a file is called until it is complete.
    package static func partialPath(of path: String) -> String { "\(path).partial" }

    /// Brings it to the disk and gives it its name, in the place of a file that has it.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package func publish() throws {
        guard fsync(descriptor) == 0, rename(partialPath, path) == 0 else { throw LogFileError.writing(path) }
        isDone = true
        try FolderSync.sync(folderOf: path)
    }

    /// Leaves it as it is, to be gone on with.
    package func keep() { isDone = true }

    /// Leaves nothing of it, unless it is published or kept.
    package func discard() {
        if !isDone { unlink(partialPath) }
        isDone = true
    }

    /// Opens a file for writing that no other process has locked.
    private static func lockedFile(_ partialPath: String, for path: String) throws -> (descriptor: Int32, wasLeft: Bool)
    {
        while true {
            var descriptor = open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            let wasLeft = descriptor < 0 && errno == EEXIST
            if wasLeft { descriptor = open(partialPath, O_WRONLY | O_CLOEXEC) }
            // Somebody has just given it its name.
            if descriptor < 0 && wasLeft && errno == ENOENT { continue }
            guard descriptor >= 0 else { throw LogFileError.writing(path) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(descriptor)
                guard code == EWOULDBLOCK else { throw LogFileError.writing(path, code) }
                throw LogFileError(
                    .inUse, "another command is writing \(partialPath): wait until it has ended, or choose another name"
                )
            }
            // Whoever had it locked may have given it its name, or removed it, since it was opened.
            var (own, named) = (stat(), stat())
            if fstat(descriptor, &own) == 0, stat(partialPath, &named) == 0, own.st_ino == named.st_ino {
                return (descriptor, wasLeft)
            }
            close(descriptor)
        }
    }
}

/// A file that is written whole, in the place of the one before: a reader finds one or the other, even after a power
/// failure. Until ``commit(_:)`` what is there stays as it is.
package final class ReplacedFile {
    private let path: String
    private let file: UnfinishedFile

    /// Begins the file beside its place, so that a place where none can be written shows at once.
    ///
    /// - Throws: ``LogFileError``: `notAFile` for a folder or a device, which no file may replace; as ``UnfinishedFile``.
    package init(path: String) throws {
        self.path = path
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw LogFileError(.notAFile, "\(path) is a folder or a device: name a file")
        }
        file = try UnfinishedFile(path: path)
    }

    /// Puts the file in its place, with this content, and brings it to the disk.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package func commit(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try DescriptorBytes.write($0, to: file.descriptor, name: path) }
        try file.publish()
    }

    /// Writes a small file in the place of the one before.
    ///
    /// - Throws: As ``init(path:)`` and ``commit(_:)``.
    package static func write(_ bytes: [UInt8], path: String) throws { try ReplacedFile(path: path).commit(bytes) }
}
