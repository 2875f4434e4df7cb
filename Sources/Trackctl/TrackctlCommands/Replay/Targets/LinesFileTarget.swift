internal import Foundation
internal import LogFiles
internal import LogReplay

/// A new file of JSON lines.
actor LinesFileTarget: ReplaySink {
    private let file: NewFile
    private let isPrompt: Bool

    /// Writes a file that was started, or is gone on with.
    ///
    /// - Parameter isPrompt: Whether each batch is handed over as it comes, if it is not compressed.
    init(_ file: sending UnfinishedFile, isPrompt: Bool) {
        let file = NewFile(file)
        // A few lines at a time are hardly compressed.
        self.isPrompt = isPrompt && !file.isCompressed
        self.file = file
    }

    func deliver(_ batch: ReplayBatch) throws -> SinkAnswer { try file.output.deliver(batch, isPrompt: isPrompt) }

    func checkpoint() throws -> Int64 {
        try file.output.flush()
        let position = lseek(file.output.descriptor, 0, SEEK_CUR)
        guard position >= 0, fsync(file.output.descriptor) == 0 else { throw LogFileError.writing(file.path, errno) }
        return Int64(position)
    }

    func finish() throws { try file.finish() }

    func abandon(isResumable: Bool) { if isResumable { file.keep() } else { file.discard() } }
}
