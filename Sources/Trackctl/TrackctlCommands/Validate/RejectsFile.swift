internal import CommandSupport
internal import Foundation
internal import LogFiles

/// The file that invalid lines go to. It is made when the first one comes, or at the end if everything was read: without
/// it a run that failed can be tried again.
final class RejectsFile {
    private let path: String
    private var output: BufferedOutput?

    /// Plans a file; one that is there already is left alone.
    ///
    /// - Throws: ``CommandFailure``, `usage`, if it is there already.
    init(path: String) throws {
        self.path = path
        guard access(path, F_OK) != 0 else { throw Self.exists(path) }
    }

    deinit {
        if let output { close(output.descriptor) }
    }

    /// Adds lines, each with its line feed.
    ///
    /// - Throws: ``CommandFailure``: `inputOutput`, or `usage` if the file is there already.
    func write(_ lines: [UInt8]) throws {
        guard !lines.isEmpty else { return }
        let output = try started()
        for line in lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            try output.write(line: line)
        }
    }

    /// Hands everything to the system.
    ///
    /// - Parameter isComplete: Whether everything was read, so that a file without a line says that all are valid.
    /// - Throws: ``CommandFailure``: `inputOutput`, or `usage` if the file is there already.
    func finish(isComplete: Bool) throws {
        if isComplete { try started().flush() } else { try output?.flush() }
    }

    private func started() throws -> BufferedOutput {
        if let output { return output }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            guard errno != EEXIST else { throw Self.exists(path) }
            throw LogFileError.writing(path, errno)
        }
        let made = BufferedOutput(descriptor: descriptor, name: path)
        output = made
        return made
    }

    private static func exists(_ path: String) -> CommandFailure {
        CommandFailure(.usage, "\(path) exists already: choose another name for the rejects")
    }
}
