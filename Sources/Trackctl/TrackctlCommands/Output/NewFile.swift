internal import CommandSupport
internal import LogFiles

/// A new file, compressed with gzip if its name ends in .gz. It gets its name when it is complete and on the disk.
final class NewFile {
    let output: BufferedOutput
    let isCompressed: Bool
    private let file: UnfinishedFile

    var path: String { file.path }

    /// Starts the file.
    ///
    /// - Throws: `LogFileError`, as `UnfinishedFile`.
    convenience init(path: String) throws { self.init(try UnfinishedFile(path: path)) }

    /// Writes a file that was started, or is gone on with.
    init(_ file: UnfinishedFile) {
        self.file = file
        isCompressed = file.path.lowercased().hasSuffix(".gz")
        output = BufferedOutput(descriptor: file.descriptor, name: file.partialPath, compresses: isCompressed)
    }

    /// Gives it its name, for good.
    ///
    /// - Throws: `LogFileError`: `cannotWrite`, `interrupted`.
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

extension NewFile {
    /// Calls `body` with the new file that `--to` names, or with nil if that is standard output. Afterwards the file has its
    /// name, or nothing is left of it if `body` throws.
    ///
    /// - Parameters:
    ///   - path: A new file of lines, or `-`.
    ///   - command: The command that writes, for what it says.
    /// - Throws: ``CommandFailure``: `usage` for a target that takes no lines; what to do after an interruption; what `body`
    ///   throws.
    static func withLines<Result>(
        to path: String, of command: String, _ body: (NewFile?) throws -> Result
    ) throws -> Result {
        let file: NewFile?
        switch try ReplayDestination(path: path) {
        case .standardOutput: file = nil
        case .newLinesFile(let path): file = try NewFile(path: path)
        case .database, .endpoint, .collector, .nothing:
            throw CommandFailure(
                .usage, "\(command) writes lines: for another target, pipe them to 'trackctl replay - --to \(path)'")
        }
        defer { file?.discard() }
        let outcome = file.map { "\($0.path) was not made" } ?? "the output is not complete"
        return try CommandFailure.advising(ifInterrupted: "\(outcome): run the same command again") {
            let result = try body(file)
            try file?.finish()
            return result
        }
    }
}
