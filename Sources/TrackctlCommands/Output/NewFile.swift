internal import CommandSupport
internal import LogFiles

/// A new file, which gets its name when it is complete and on the disk.
final class NewFile {
    let path: String
    let output: BufferedOutput
    private let file: UnfinishedFile

    /// Starts the file.
    ///
    /// - Throws: ``CommandFailure``, as `UnfinishedFile`.
    init(path: String) throws {
        self.path = path
        file = try UnfinishedFile(path: path)
        output = BufferedOutput(descriptor: file.descriptor, name: file.partialPath)
    }

    /// Gives it its name, for good.
    ///
    /// - Throws: ``CommandFailure``: `inputOutput`, `interrupted`.
    func finish() throws {
        try output.flush()
        try Interruption.check()
        try file.publish()
    }

    /// Leaves nothing of it, unless it is finished.
    func discard() { file.discard() }
}
