public import Testing
internal import TrackingCore

extension TrackingRecorder {
    /// Expects that the lines of all events since the last expectation are those of a golden file:
    /// `__Snapshots__/TESTFILE/NAME.jsonl` beside the test's source.
    ///
    /// ```swift
    /// recorder.expectSnapshot()
    /// ```
    ///
    /// If the environment variable `TRACKING_RECORD_SNAPSHOTS` is 1, the file is written instead of compared; not where `CI`
    /// is set. In a mock environment ids and times are the same in each run, unless the test's own differ. Leave the folder
    /// out of the target: `exclude: ["__Snapshots__"]`.
    ///
    /// - Parameters:
    ///   - name: The file's name; the test function's unless given. Two snapshots of one test, and the cases of a
    ///     parametrised one, need names.
    ///   - masks: The members that are masked.
    public func expectSnapshot(
        _ name: String? = nil, masking masks: [SnapshotMask] = [], function: StaticString = #function,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        let location = CodeLocation(sourceLocation, fileID, filePath, line, column)
        let (events, drops) = withSteps { steps in
            let events = steps.unassertedEvents()
            steps.assert(events.map(\.location))
            steps.passOver(from: 0)
            return (events, steps.drops(from: 0))
        }
        let snapshot = Snapshot(name: name ?? "\("\(function)".prefix { $0 != "(" })", of: location)
        guard !events.isEmpty else {
            return fail(
                "nothing fired since the last expectation: a snapshot would show nothing; take it away, or expect nothing "
                    + "with expect()" + report(drops), at: location)
        }
        do {
            var masking = SnapshotMasking(masks)
            let lines = try events.map { try masking.line($0.container) }
            if let recording = SnapshotRecording.ofThisRun {
                if let refusal = try recording.write(lines, to: snapshot) { fail(refusal, at: location) }
                return
            }
            guard let golden = try snapshot.lines() else {
                return fail(
                    "there is no snapshot \(snapshot.path): run the test with \(SnapshotRecording.variable)=1 to write it",
                    at: location)
            }
            // By bytes: strings are equal that have other characters.
            let (kept, fired) = (golden.map { Array($0.utf8) }, lines.map { Array($0.utf8) })
            guard kept != fired else { return note(events, at: location) }
            let text = EventText(of: events.map { $0.container.event })
            let diff = LineDiff(expected: text.annotated(golden), actual: text.annotated(lines)) {
                kept[$0] == fired[$1]
            }
            fail(
                """
                the events are not those of \(snapshot.name) (- snapshot, + fired); if they are right, run the test with \
                \(SnapshotRecording.variable)=1:
                \(diff.text)\(report(drops))
                """, at: location)
        } catch {
            fail("\(snapshot.path) cannot be used: \(error)", at: location)
        }
    }
}
