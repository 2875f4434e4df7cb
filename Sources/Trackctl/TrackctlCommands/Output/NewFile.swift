internal import LogFiles

/// A new file, compressed with gzip if its name ends in .gz. It gets its name when it is complete and on the disk.
final class NewFile {
    let output: BufferedOutput
    let isCompressed: Bool
    private let file: UnfinishedFile

    var path: String { file.path }

    /// Starts the file.
    ///
    /// - Throws: ``CommandFailure``, as `UnfinishedFile`.
    convenience init(path: String) throws { self.init(try UnfinishedFile(path: path)) }

    /// Writes a file that was started, or is gone on with.
    init(_ file: UnfinishedFile) {
        self.file = file
        isCompressed = file.path.lowercased().hasSuffix(".gz")
        output = BufferedOutput(descriptor: file.descriptor, name: file.partialPath, compresses: isCompressed)
    }

    /// Gives it its name, for good.
    ///
    /// - Throws: ``CommandFailure``: `inputOutput`, `interrupted`.
    func finish() throws {
        try output.flush()
        try Interruption.check()
        try file.publish()
    }

    /// Leaves it as it is, to be gone on with.
    func keep() { file.keep() }

    /// Leaves nothing of it, unless it is finished or kept.
    func discard() { file.discard() }
}
