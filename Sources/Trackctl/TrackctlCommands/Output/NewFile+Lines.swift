internal import CommandSupport
internal import LogFiles

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
        case .database, .endpoint, .nothing:
            throw CommandFailure(
                .usage, "\(command) writes lines: for another target, pipe them to 'trackctl replay - --to \(path)'")
        }
        defer { file?.discard() }
        do {
            let result = try body(file)
            try file?.finish()
            return result
        } catch let error as LogFileError where error.code == .interrupted {
            throw CommandFailure(error).advising(
                "\(file.map { "\($0.path) was not made" } ?? "the output is not complete"): run the same command again")
        }
    }
}
