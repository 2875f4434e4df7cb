internal import Foundation
internal import Primitives
internal import TrackingCore

/// The file that receives the line of every recorded event, for `trackctl coverage --tests` and `trackctl validate`.
final class RecordedLines: Sendable {
    /// The environment variable with the file's path, for a whole test run.
    static let variable = "TRACKING_RECORDED_LINES"

    private static let run = RunFile.named(by: variable)

    private let file: RunFile
    private let location: CodeLocation

    /// The file of this run; nil if none is requested, or if it cannot be written, which fails each test that records.
    static func ofThisRun(at location: CodeLocation) -> RecordedLines? {
        switch run {
        case nil: return nil
        case .success(let file)?: return RecordedLines(file, at: location)
        case .failure(let error)?:
            TestFailure.report("\(error)", at: location)
            return nil
        }
    }

    init(_ file: RunFile, at location: CodeLocation) {
        self.file = file
        self.location = location
    }

    /// Adds the line of an event, unless the event cannot be encoded.
    func add(_ container: TrackingContainer) {
        // Only the line is lost: the pipeline drops an event that cannot be encoded, and reports it.
        guard let line = try? container.line() else { return }
        do { try file.add(line) } catch {
            TestFailure.report("cannot write the line of an event: \(error)", at: location)
        }
    }
}

/// A file of JSON lines for a whole test run, named by an environment variable.
///
/// Tests that run at the same time, in one process or in several, may share a file: each line is appended in one write.
final class RunFile: Sendable {
    private let file: Locked<FileHandle>

    /// An error that prevents writing lines.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The file named by a variable; nil if the variable is missing or empty.
    static func named(by variable: String) -> Result<RunFile, Failure>? {
        guard let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty else { return nil }
        return Result { () throws(Failure) in try RunFile(path: path, variable: variable) }
    }

    /// Opens a file, which may already have lines.
    init(path: String, variable: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw Failure(
                description: "cannot write \(path): \(String(cString: strerror(errno))); check \(variable)")
        }
        file = Locked(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    /// Adds a line.
    ///
    /// - Throws: The system's error.
    func add(_ line: [UInt8]) throws {
        try file.withLock { try $0.write(contentsOf: line + [UInt8(ascii: "\n")]) }
    }
}
