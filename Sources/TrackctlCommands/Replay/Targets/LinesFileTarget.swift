internal import CommandSupport
internal import EventLog
internal import Foundation
internal import LogReplay

/// A new file of JSON lines, compressed with gzip if its name ends in .gz. It is written as `<file>.partial` and gets its
/// name when it is complete and on the disk, so nobody reads half a file under that name.
actor LinesFileTarget: ReplaySink {
    private let path: String
    private let isPrompt: Bool
    private let output: BufferedOutput

    private var partialPath: String { output.name }

    /// Starts the file, or goes on with one that a replay left.
    ///
    /// - Parameters:
    ///   - position: Where to go on, in bytes; nil for a new file.
    ///   - isPrompt: Whether each batch is handed over as it comes, if it is not compressed.
    /// - Throws: ``CommandFailure``: `usage` if it is there already, `dataAtFault` if what is to be gone on with is not
    ///   there, `inputOutput` if it cannot be made.
    init(path: String, position: Int64?, isPrompt: Bool) throws {
        let partialPath = NewFile.partialPath(of: path)
        let descriptor = position == nil ? try NewFile.start(path) : open(partialPath, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? Self.isNotAsItWas(partialPath) : CommandFailure(writing: path, errno)
        }
        if let position {
            // What was written after the state is written again.
            guard lseek(descriptor, 0, SEEK_END) >= position, ftruncate(descriptor, off_t(position)) == 0,
                lseek(descriptor, off_t(position), SEEK_SET) == position
            else {
                close(descriptor)
                throw Self.isNotAsItWas(partialPath)
            }
        }
        self.path = path
        let compresses = path.lowercased().hasSuffix(".gz")
        // A few lines at a time are hardly compressed.
        self.isPrompt = isPrompt && !compresses
        output = BufferedOutput(descriptor: descriptor, name: partialPath, compresses: compresses)
    }

    private static func isNotAsItWas(_ path: String) -> CommandFailure {
        CommandFailure(
            .dataAtFault,
            """
            \(path) is not what the replay left that is to go on: start from the first event with another state file
            """)
    }

    func deliver(_ batch: ReplayBatch) throws -> SinkAnswer {
        for index in 0..<batch.count { try output.write(line: batch.line(index)) }
        if isPrompt { try output.flush() }
        return .delivered(ReplayResult(kept: batch.count))
    }

    func checkpoint() throws -> Int64 {
        try output.flush()
        let position = lseek(output.descriptor, 0, SEEK_CUR)
        guard position >= 0, fsync(output.descriptor) == 0 else { throw CommandFailure(writing: path, errno) }
        return Int64(position)
    }

    func finish() throws {
        try output.flush()
        guard fsync(output.descriptor) == 0, close(output.descriptor) == 0 else {
            throw CommandFailure(writing: path, errno)
        }
        try NewFile.publish(path)
    }

    func abandon(isResumable: Bool) {
        close(output.descriptor)
        if !isResumable { unlink(partialPath) }
    }
}
