import Foundation
import Testing
import TrackingCore
import TrackingDomainEvents

@testable import TrackingTesting

@Suite("Snapshots")
struct SnapshotTests {
    private static let isRecording = ProcessInfo.processInfo.environment["TRACKING_RECORD_SNAPSHOTS"] == "1"

    @Test("The lines of a mock environment are those of the golden file, byte for byte")
    func golden() {
        let app = TestedApp()
        app.tracking.send(.launch)
        app.recorder.clock.advance(by: .seconds(2))
        app.tracking.send(.search(query: "flux", page: 1))
        app.recorder.expectSnapshot()
    }

    @Test("Values that differ between runs are masked; equal values keep their number")
    func masked() {
        let recorder = TrackingRecorder(now: EventTime(seconds: Int64(Date().timeIntervalSince1970)))
        let app = TestedApp(recorder)
        app.tracking.send(.launch)
        #expect(app.tracking.identify(UUID().uuidString))
        recorder.clock.advance(by: .seconds(3600))
        app.tracking.send(.launch)
        recorder.expectSnapshot(masking: SnapshotMask.allCases)
    }

    @Test("A different line fails with the difference and how to record it", .enabled(if: !isRecording))
    func different() throws {
        let found = failures {
            let app = TestedApp()
            app.tracking.send(.background)
            app.recorder.expectSnapshot("golden")
        }
        #expect(found.count == 1)
        let lines = try #require(found.first).text.split(separator: "\n")
        #expect(
            lines.first == """
                the events differ from golden.jsonl (- snapshot, + fired); to accept them, run the test with \
                TRACKING_RECORD_SNAPSHOTS=1:
                """)
        #expect(
            lines.count == 4 && lines[1].hasPrefix("  - {") && lines[3].hasSuffix(#""event":{"name":"background"}}"#))
    }

    @Test("A missing snapshot fails with its path and how to write it", .enabled(if: !isRecording))
    func missing() {
        let found = failures {
            let app = TestedApp()
            app.tracking.send(.launch)
            app.recorder.expectSnapshot("none")
        }
        #expect(found.count == 1)
        #expect(found.first?.text.hasPrefix("there is no snapshot /") == true)
        #expect(
            found.first?.text.hasSuffix(
                "/__Snapshots__/SnapshotTests/none.jsonl: run the test with TRACKING_RECORD_SNAPSHOTS=1 to write it")
                == true)
    }

    @Test("A snapshot without events fails")
    func empty() {
        let found = failures { TestedApp().recorder.expectSnapshot("nothing") }
        #expect(
            found.map(\.text) == [
                "no event fired since the last expectation, so the snapshot would be empty; remove it, or expect no event with "
                    + "expect()"
            ])
    }

    @Test("Two snapshots with the same name are written only if they are equal, and none in CI")
    func recording() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let snapshot = Snapshot(name: "search (empty)", in: folder)
        let other = Snapshot(name: "search (full)", in: folder)
        #expect(snapshot.name == "search--empty-.jsonl" && other.name == "search--full-.jsonl")
        let recording = SnapshotRecording(isAllowed: true)
        #expect(try recording.write(["1"], to: snapshot) == nil)
        #expect(try recording.write(["1"], to: snapshot) == nil)
        #expect(
            try recording.write(["2"], to: snapshot)
                == #"two snapshots of this run are named search--empty-.jsonl: rename one of them, expectSnapshot("…")"#
        )
        #expect(try recording.write(["2"], to: other) == nil)
        #expect(try snapshot.lines() == ["1"] && other.lines() == ["2"])
        #expect(
            try SnapshotRecording(isAllowed: false).write(["3"], to: other)
                == "snapshots are not written when CI is set: unset TRACKING_RECORD_SNAPSHOTS")
        #expect(try other.lines() == ["2"])
    }

    @Test("Line ends of editors are accepted")
    func lineEnds() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let snapshot = Snapshot(name: "a", in: folder)
        try snapshot.write(["1\r", "2"])
        #expect(try snapshot.lines() == ["1", "2"])
    }
}
