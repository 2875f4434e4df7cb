import Testing
import TrackingCore

@testable import TrackingTesting

/// A helper passes on its caller's location, and failures are reported there.
@Suite("A location that a helper passes on")
struct SourceLocationTests {
    private static let caller = SourceLocation(
        fileID: "ShopTests/Caller.swift", filePath: "/ShopTests/Caller.swift", line: 7, column: 3)

    private func isReportedAtCaller(
        _ app: TestedApp = TestedApp(), sourceLocation: SourceLocation = #_sourceLocation,
        _ expectation: (TrackingRecorder, SourceLocation) -> Void
    ) {
        app.tracking.send(.launch)
        let found = failures { expectation(app.recorder, Self.caller) }
        #expect(found.map(\.line) == [7] && found.map(\.file) == ["Caller.swift"], sourceLocation: sourceLocation)
        app.recorder.skipRecorded()
    }

    @Test("is where expectations fail")
    func expectations() {
        isReportedAtCaller { $0.expect(sourceLocation: $1) }
        isReportedAtCaller { $0.expect(.background, sourceLocation: $1) }
        isReportedAtCaller { $0.expect(contentsOf: [], sourceLocation: $1) }
        isReportedAtCaller { $0.expect(matching: .any(Background.self), sourceLocation: $1) }
        isReportedAtCaller { $0.expect(matching: [.any(Background.self)], sourceLocation: $1) }
        isReportedAtCaller { $0.expect(.background, sourceLocation: $1) {} }
        isReportedAtCaller { $0.expect(matching: .any(Background.self), sourceLocation: $1) {} }
        isReportedAtCaller { $0.expectAtLeast(.background, sourceLocation: $1) }
        isReportedAtCaller { $0.expectAtLeast(contentsOf: [Background()], sourceLocation: $1) }
        isReportedAtCaller { $0.expectAtLeast(matching: [.any(Background.self)], sourceLocation: $1) }
        isReportedAtCaller { $0.expectNone(.launch, sourceLocation: $1) }
        isReportedAtCaller { $0.expectNone(.any(Launch.self), sourceLocation: $1) }
        isReportedAtCaller { $0.expectNone(contentsOf: [Launch()], sourceLocation: $1) }
        isReportedAtCaller { $0.expectCount(2, of: .launch, sourceLocation: $1) }
        isReportedAtCaller { $0.expectCount(2, matching: [.any(Launch.self)], sourceLocation: $1) }
        isReportedAtCaller { $0.expectSteps(.event(.background), sourceLocation: $1) }
        isReportedAtCaller { $0.expectSteps([.event(.background)], sourceLocation: $1) }
        isReportedAtCaller { $0.expectSteps(.event(.background), sourceLocation: $1) {} }
        isReportedAtCaller { $0.expectNothingElse(sourceLocation: $1) }
        isReportedAtCaller { $0.expect(.launch, by: "ada", sourceLocation: $1) }
        isReportedAtCaller { $0.expectHeld(.launch, sourceLocation: $1) }
        isReportedAtCaller { $0.expectReleased(.launch, sourceLocation: $1) }
    }

    @Test("is where a released recorder fails")
    func recorders() {
        let found = failures {
            let recorder = TrackingRecorder(sourceLocation: Self.caller)
            TestedApp(recorder).tracking.send(.launch)
        }
        #expect(found.map(\.line) == [7] && found.map(\.file) == ["Caller.swift"])
    }

    @Test("is where async blocks fail")
    func waiting() async {
        let app = TestedApp()
        nonisolated(unsafe) var found: [CapturedFailure] = []
        await withKnownIssue {
            await app.recorder.expectNone(.launch, sourceLocation: Self.caller) {
                await Task.yield()
                app.tracking.send(.launch)
            }
        } matching: { issue in
            found.append(CapturedFailure(issue))
            return true
        }
        #expect(found.map(\.line) == [7])
    }

    @Test("has its file's name for XCTest, too", arguments: ["/a/Tests.swift", "/größer/Tests.swift", ""])
    func xcTest(path: String) {
        let location = SourceLocation(fileID: "A/Tests.swift", filePath: path, line: 3, column: 4)
        let text = CodeLocation(location, #fileID, #filePath, #line, #column).staticFilePath
        #expect("\(text)" == path && text.utf8CodeUnitCount == path.utf8.count)
        #expect(text.isASCII == path.utf8.allSatisfy { $0 < 0x80 })
        let again = CodeLocation(location, #fileID, #filePath, #line, #column).staticFilePath
        #expect(again.utf8Start == text.utf8Start)
    }
}
