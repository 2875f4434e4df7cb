internal import CommandSupport
internal import Foundation
internal import LogFiles
internal import LogReplay

/// A new file of JSON lines, compressed with gzip if its name ends in .gz. It gets its name when it is complete and on the
/// disk.
actor LinesFileTarget: ReplaySink {
    private let file: UnfinishedFile
    private let isPrompt: Bool
    private let output: BufferedOutput

    /// Writes a file that was started, or is gone on with.
    ///
    /// - Parameter isPrompt: Whether each batch is handed over as it comes, if it is not compressed.
    init(_ file: sending UnfinishedFile, isPrompt: Bool) {
        let compresses = file.path.lowercased().hasSuffix(".gz")
        // A few lines at a time are hardly compressed.
        self.isPrompt = isPrompt && !compresses
        output = BufferedOutput(descriptor: file.descriptor, name: file.partialPath, compresses: compresses)
        self.file = file
    }

    func deliver(_ batch: ReplayBatch) throws -> SinkAnswer { try output.deliver(batch, isPrompt: isPrompt) }

    func checkpoint() throws -> Int64 {
        try output.flush()
        let position = lseek(output.descriptor, 0, SEEK_CUR)
        guard position >= 0, fsync(output.descriptor) == 0 else { throw CommandFailure(writing: file.path, errno) }
        return Int64(position)
    }

    func finish() throws {
        try output.flush()
        try Interruption.check()
        try file.publish()
    }

    func abandon(isResumable: Bool) { if isResumable { file.keep() } else { file.discard() } }
}
