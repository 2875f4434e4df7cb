internal import CommandSupport
internal import Foundation

/// The file that invalid lines go to.
final class RejectsFile {
    private let output: BufferedOutput

    /// Starts the file; one that is there already is left alone.
    ///
    /// - Throws: ``CommandFailure``: `usage` if it is there already, `inputOutput` if it cannot be made.
    init(path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            guard errno != EEXIST else {
                throw CommandFailure(.usage, "\(path) exists already: choose another name for the rejects")
            }
            throw CommandFailure(writing: path, errno)
        }
        output = BufferedOutput(descriptor: descriptor, name: path)
    }

    deinit { close(output.descriptor) }

    /// Adds lines, each with its line feed.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func write(_ lines: [UInt8]) throws {
        for line in lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            try output.write(line: line)
        }
    }

    /// Hands everything to the system.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func finish() throws { try output.flush() }
}
