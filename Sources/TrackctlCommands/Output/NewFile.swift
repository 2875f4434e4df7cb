internal import CommandSupport
internal import Foundation

/// A new file. It is written as `<file>.partial` and gets its name when it is complete and on the disk, so nobody reads
/// half a file under that name.
final class NewFile {
    let path: String
    let output: BufferedOutput

    /// Starts the file.
    ///
    /// - Throws: ``CommandFailure``: `usage` if somebody has started it already, `inputOutput` if it cannot be made.
    init(path: String) throws {
        self.path = path
        output = BufferedOutput(descriptor: try Self.start(path), name: Self.partialPath(of: path))
    }

    /// Gives it its name, for good.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func finish() throws {
        try output.flush()
        guard fsync(output.descriptor) == 0, close(output.descriptor) == 0 else {
            throw CommandFailure(writing: path, errno)
        }
        try Self.publish(path)
    }

    /// Leaves nothing of it.
    func abandon() { unlink(Self.partialPath(of: path)) }

    // MARK: For files that are written in another way

    /// What a file is called until it is complete.
    static func partialPath(of path: String) -> String { "\(path).partial" }

    /// Makes a file under the name for incomplete ones, open for writing.
    ///
    /// - Throws: ``CommandFailure``: `usage` if somebody has started it already, `inputOutput` if it cannot be made.
    static func start(_ path: String) throws -> Int32 {
        let partialPath = partialPath(of: path)
        let descriptor = open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            guard errno != EEXIST else {
                throw CommandFailure(
                    .usage,
                    """
                    \(partialPath) exists: another command is writing it, or one was cut short; remove it, or choose \
                    another name
                    """)
            }
            throw CommandFailure(writing: path, errno)
        }
        return descriptor
    }

    /// Gives a complete file, which is on the disk, its name.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    static func publish(_ path: String) throws {
        guard rename(partialPath(of: path), path) == 0 else { throw CommandFailure(writing: path, errno) }
        try ReplacedFile.syncFolder(of: path)
    }
}
