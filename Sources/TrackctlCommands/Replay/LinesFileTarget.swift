internal import CommandSupport
internal import EventLog
internal import Foundation
internal import Tracking

/// A new file of JSON lines. It is written as `<file>.partial` and gets its name when it is complete and on the
/// disk, so nobody reads half a file under that name.
struct LinesFileTarget: ReplayTarget {
    private let path: String
    private let output: BufferedOutput

    private var partialPath: String { output.name }

    /// Starts the file.
    ///
    /// - Throws: ``CommandFailure``: `usage` if it is there already, `inputOutput` if it cannot be made.
    init(path: String) throws {
        let partialPath = "\(path).partial"
        let descriptor = open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            guard errno != EEXIST else {
                throw CommandFailure(
                    .usage,
                    """
                    \(partialPath) exists: another replay is writing it, or one was cut short; remove it, or choose \
                    another name
                    """)
            }
            throw CommandFailure(writing: path, errno)
        }
        self.path = path
        output = BufferedOutput(descriptor: descriptor, name: partialPath)
    }

    func store(_ batch: [RecordedContainer]) throws -> ReplayResult {
        for container in batch { try output.write(line: container.line) }
        var result = ReplayResult()
        result.kept = batch.count
        return result
    }

    func finish() throws {
        try output.flush()
        guard fsync(output.descriptor) == 0, close(output.descriptor) == 0, rename(partialPath, path) == 0 else {
            throw CommandFailure(writing: path, errno)
        }
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw CommandFailure(writing: path, errno) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw CommandFailure(writing: path, errno) }
    }

    func abandon() {
        unlink(partialPath)
    }

    var adviceAfterFailure: String { "\(path) was not made: run the same command again" }
}
