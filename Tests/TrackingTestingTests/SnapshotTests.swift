import Foundation
import Testing
import Tracking
import TrackingTesting

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

    @Test("What differs from run to run is masked; equal values keep their number")
    func masked() {
        let recorder = TrackingRecorder(now: EventTime(seconds: Int64(Date().timeIntervalSince1970)))
        let app = TestedApp(recorder)
        app.tracking.send(.launch)
        #expect(app.tracking.identify(UUID().uuidString))
        recorder.clock.advance(by: .seconds(3600))
        app.tracking.send(.launch)
        recorder.expectSnapshot(masking: SnapshotMask.allCases)
    }

    @Test("Another line fails with the difference and how to record it", .enabled(if: !isRecording))
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
                the events are not those of golden.jsonl (- snapshot, + fired); if they are right, run the test with \
                TRACKING_RECORD_SNAPSHOTS=1:
                """)
        #expect(
            lines.count == 4 && lines[1].hasPrefix("  - {") && lines[3].hasSuffix(#""event":{"name":"background"}}"#))
    }

    @Test("A snapshot that is not there fails with its path and how to write it", .enabled(if: !isRecording))
    func missing() {
        let found = failures { TestedApp().recorder.expectSnapshot("none") }
        #expect(found.count == 1)
        #expect(found.first?.text.hasPrefix("there is no snapshot /") == true)
        #expect(
            found.first?.text.hasSuffix(
                "/__Snapshots__/SnapshotTests/none.jsonl: run the test with TRACKING_RECORD_SNAPSHOTS=1 to write it")
                == true)
    }
}
