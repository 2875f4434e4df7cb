internal import CommandSupport
internal import LogFiles

/// A new file, compressed with gzip if its name ends in .gz. It gets its name when it is complete and synced to the
/// disk.
final class NewFile {
    let output: BufferedOutput
    let isCompressed: Bool
    private let file: UnfinishedFile

    var path: String { file.path }

    /// Creates the file under a temporary name.
    ///
    /// - Throws: `LogFileError`; see `UnfinishedFile`.
    convenience init(path: String) throws { self.init(try UnfinishedFile(path: path)) }

    /// Continues a file.
    init(_ file: UnfinishedFile) {
        self.file = file
        isCompressed = file.path.lowercased().hasSuffix(".gz")
        output = BufferedOutput(descriptor: file.descriptor, name: file.partialPath, compresses: isCompressed)
    }

    /// Completes the file and gives it its name.
    ///
    /// - Throws: `LogFileError`: `cannotWrite`, `interrupted`.
    func finish() throws {
        try output.flush()
        try Interruption.check()
        try file.publish()
    }

    /// Keeps the unfinished file, to continue it later.
    func keep() { file.keep() }

    /// Deletes the file unless it was finished or kept.
    func discard() { file.discard() }
}

extension NewFile {
    /// Calls `body` with the new file that `--to` names, or with nil for standard output. If `body` throws, the file
    /// is deleted.
    ///
    /// - Parameters:
    ///   - path: A new file of lines, or `-`.
    /// - command: The command's name, for messages.
    /// - Throws: ``CommandFailure``: `usage` for a target that is not a file of lines; the advice after an
    ///   interruption; everything that `body` throws.
    static func withLines<Result>(
        to path: String, of command: String, _ body: (NewFile?) throws -> Result
    ) throws -> Result {
        let file: NewFile?
        switch try ReplayDestination(path: path) {
        case .standardOutput: file = nil
        case .newLinesFile(let path): file = try NewFile(path: path)
        case .database, .endpoint, .collector, .nothing:
            throw CommandFailure(
                .usage, "\(command) writes lines only: for other targets, pipe them to 'trackctl replay - --to \(path)'"
            )
        }
        defer { file?.discard() }
        let outcome = file.map { "\($0.path) was not written" } ?? "the output is incomplete"
        return try CommandFailure.advising(ifInterrupted: "\(outcome): run the same command again") {
            let result = try body(file)
            try file?.finish()
            return result
        }
    }
}
