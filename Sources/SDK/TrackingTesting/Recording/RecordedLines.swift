internal import Foundation
internal import Primitives
internal import TrackingCore

/// The file that takes the line of every event that tests record, for `trackctl coverage --tests` and `trackctl validate`.
final class RecordedLines: Sendable {
    /// What names the file, for a whole run of tests.
    static let variable = "TRACKING_RECORDED_LINES"

    private static let run = RunFile.named(by: variable)

    private let file: RunFile
    private let location: CodeLocation

    /// The file of this run; nil if none is wanted, or if it cannot be written, which is then a failure of each test that
    /// records.
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

    /// Adds the line of an event. One that cannot be encoded has none.
    func add(_ container: TrackingContainer) {
        guard let line = try? container.line() else { return }
        do { try file.add(line) } catch {
            TestFailure.report("the line of an event cannot be written: \(error)", at: location)
        }
    }
}

/// A file of JSON lines to which all tests of a run add: an environment variable names it.
///
/// Tests that run at the same time, in one process or in several, may share one: each line is one write at its end.
final class RunFile: Sendable {
    private let file: Locked<FileHandle>

    /// Lines cannot be written.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The file that a variable names; nil if it names none, or is empty.
    static func named(by variable: String) -> Result<RunFile, Failure>? {
        guard let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty else { return nil }
        return Result { () throws(Failure) in try RunFile(path: path, variable: variable) }
    }

    /// Opens a file, which may have lines already.
    init(path: String, variable: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw Failure(
                description: "\(path) cannot be written: \(String(cString: strerror(errno))); \(variable) names it")
        }
        file = Locked(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    /// Adds a line.
    ///
    /// - Throws: What the system answers.
    func add(_ line: [UInt8]) throws {
        try file.withLock { try $0.write(contentsOf: line + [UInt8(ascii: "\n")]) }
    }
}
