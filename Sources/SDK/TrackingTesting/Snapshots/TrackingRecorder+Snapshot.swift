public import Testing
internal import TrackingCore

extension TrackingRecorder {
    /// Expects that the lines of all events since the last expectation equal those of a golden file:
    /// `__Snapshots__/TESTFILE/NAME.jsonl` next to the test's source.
    ///
    /// ```swift
    /// recorder.expectSnapshot()
    /// ```
    ///
    /// If the environment variable `TRACKING_RECORD_SNAPSHOTS` is 1, the file is written instead of compared, unless
    /// `CI` is set. In a mock environment, ids and times are the same in each run, unless you pass your own. Exclude
    /// the folder from the target: `exclude: ["__Snapshots__"]`.
    ///
    /// - Parameters:
    ///   - name: The file's name. Default: the test function's name. Pass a name if a test has several snapshots, or is
    ///     parameterized.
    ///   - masks: The members to mask.
    public func expectSnapshot(
        _ name: String? = nil, masking masks: [SnapshotMask] = [], function: StaticString = #function,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        let location = CodeLocation(sourceLocation, fileID, filePath, line, column)
        let events = withSteps { steps in
            let events = steps.unassertedEvents()
            steps.assert(events.map(\.location))
            steps.passOver(from: 0)
            return events
        }
        let snapshot = Snapshot(name: name ?? "\("\(function)".prefix { $0 != "(" })", of: location)
        guard !events.isEmpty else {
            return fail(
                "no event fired since the last expectation, so the snapshot would be empty; remove it, or expect no event "
                    + "with expect()" + reportDrops(from: 0), at: location)
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
            // Compares bytes: Swift strings can be equal with different scalars.
            let kept = golden.map { Array($0.utf8) }
            let fired = lines.map { Array($0.utf8) }
            guard kept != fired else { return note(events, at: location) }
            let text = EventText(of: events.map { $0.container.event })
            let diff = LineDiff(expected: text.annotated(golden), actual: text.annotated(lines)) {
                kept[$0] == fired[$1]
            }
            fail(
                """
                the events differ from \(snapshot.name) (- snapshot, + fired); to accept them, run the test with \
                \(SnapshotRecording.variable)=1:
                \(diff.text)\(reportDrops(from: 0))
                """, at: location)
        } catch {
            fail("cannot use \(snapshot.path): \(error)", at: location)
        }
    }
}
