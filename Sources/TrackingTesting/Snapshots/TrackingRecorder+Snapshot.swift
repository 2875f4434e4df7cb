internal import Foundation
internal import Tracking

extension TrackingRecorder {
    /// Expects that the lines of all events since the last expectation are those of a golden file:
    /// `__Snapshots__/TESTFILE/NAME.jsonl` beside the test's source.
    ///
    /// ```swift
    /// recorder.expectSnapshot()
    /// ```
    ///
    /// If the environment variable `TRACKING_RECORD_SNAPSHOTS` is 1, the file is written instead of compared. In a mock
    /// environment ids and times are the same in each run; of a live one they are masked.
    ///
    /// - Parameters:
    ///   - name: The file's name; the test function's unless given. Two snapshots of one test need two names.
    ///   - masks: The members that are masked.
    public func expectSnapshot(
        _ name: String? = nil, masking masks: [SnapshotMask] = [], function: StaticString = #function,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let place = SourcePlace(fileID, filePath, line, column)
        let containers = withSteps { steps in
            let events = steps.unassertedEvents()
            steps.assert(events.map(\.place))
            return events.map(\.container)
        }
        let snapshot = Snapshot(name: name ?? "\(function)", of: place)
        do {
            var masking = SnapshotMasking(masks)
            let lines = try containers.map { try masking.line($0) }
            if ProcessInfo.processInfo.environment[Snapshot.variable] == "1" { return try snapshot.write(lines) }
            guard let golden = try snapshot.lines() else {
                return TestFailure.report(
                    "there is no snapshot \(snapshot.path): run the test with \(Snapshot.variable)=1 to write it",
                    at: place)
            }
            guard golden != lines else { return }
            let diff = LineDiff(expected: golden, actual: lines) { golden[$0] == lines[$1] }
            TestFailure.report(
                """
                the events are not those of \(snapshot.name) (- snapshot, + fired); if they are right, run the test with \
                \(Snapshot.variable)=1:
                \(diff.text)
                """, at: place)
        } catch {
            TestFailure.report("\(snapshot.path) cannot be used: \(error)", at: place)
        }
    }
}

/// A golden file beside a test's source.
struct Snapshot {
    /// What says, as 1, that snapshots are written.
    static let variable = "TRACKING_RECORD_SNAPSHOTS"

    let url: URL
    var path: String { url.path }
    var name: String { url.lastPathComponent }

    init(name: String, of place: SourcePlace) {
        let source = URL(fileURLWithPath: "\(place.filePath)")
        let kept = name.prefix { $0 != "(" }.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
        url = source.deletingLastPathComponent().appendingPathComponent("__Snapshots__")
            .appendingPathComponent(source.deletingPathExtension().lastPathComponent)
            .appendingPathComponent(String(kept) + ".jsonl")
    }

    /// The lines of the file; nil if there is none.
    func lines() throws -> [String]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    func write(_ lines: [String]) throws {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: url, options: .atomic)
    }
}
