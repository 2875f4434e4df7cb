internal import Tracking

/// The file that takes the line of every event that tests record, for `trackctl coverage --tests` and `trackctl validate`.
final class RecordedLines: Sendable {
    /// What names the file, for a whole run of tests.
    static let variable = "TRACKING_RECORDED_LINES"

    private static let run = RunFile.named(by: variable)

    private let file: RunFile
    private let place: SourcePlace

    /// The file of this run; nil if none is wanted, or if it cannot be written, which is then a failure of each test that
    /// records.
    static func ofThisRun(at place: SourcePlace) -> RecordedLines? {
        switch run {
        case nil: return nil
        case .success(let file)?: return RecordedLines(file, at: place)
        case .failure(let error)?:
            TestFailure.report("\(error)", at: place)
            return nil
        }
    }

    init(_ file: RunFile, at place: SourcePlace) {
        self.file = file
        self.place = place
    }

    /// Adds the line of an event. One that cannot be encoded has none.
    func add(_ container: TrackingContainer) {
        guard let line = try? container.line() else { return }
        do { try file.add(line) } catch {
            TestFailure.report("the line of an event cannot be written: \(error)", at: place)
        }
    }
}
