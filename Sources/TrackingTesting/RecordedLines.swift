internal import Foundation
internal import Locking
internal import Testing
internal import Tracking

/// A file that takes the line of every event that tests record, for `trackctl coverage --tests` and `trackctl validate`.
///
/// Tests that run at the same time, in one process or in several, may share one: each line is one write at its end.
final class RecordedLines: Sendable {
    /// What names the file, for a whole run of tests.
    static let variable = "TRACKING_RECORDED_LINES"

    /// The file of this run; nil if none is wanted, or if it cannot be written, which is then an issue of each test that
    /// records.
    static func ofThisRun() -> RecordedLines? {
        switch run {
        case nil: return nil
        case .success(let lines)?: return lines
        case .failure(let error)?:
            Issue.record("\(error)")
            return nil
        }
    }

    private static let run: Result<RecordedLines, Failure>? = ProcessInfo.processInfo.environment[variable].map {
        path in
        Result { () throws(Failure) in try RecordedLines(path: path) }
    }

    /// Lines cannot be written.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let file: Locked<FileHandle>

    /// Opens a file, which may have lines already.
    init(path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw Failure(
                description: "\(path) cannot be written: \(String(cString: strerror(errno))); \(Self.variable) names it"
            )
        }
        file = Locked(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    /// Adds the line of an event. One that cannot be encoded has none.
    func add(_ container: TrackingContainer) {
        guard let line = try? container.line() else { return }
        do { try file.withLock { try $0.write(contentsOf: line + [UInt8(ascii: "\n")]) } } catch {
            Issue.record("the line of an event cannot be written: \(error)")
        }
    }
}
