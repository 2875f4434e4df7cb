import Foundation
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

/// Encodes each standard event in every variant through the whole SDK. Keeps the lines in
/// `.build/encoded-events.jsonl`, where CI validates them with an independent validator.
@Suite("Encoded events")
struct EncodedEventsTests {
    private enum NoRoute: RouteCommand { case home }

    private static func send(_ tracking: Tracker) {
        tracking.send(.launch)
        tracking.send(.background)
        tracking.send(PageView(page: "repository-search"))
        tracking.send(PageView(page: "repository-detail", additional: "https://github.com/apple/swift"))
        tracking.send(.search(query: "flux", page: 1))
        tracking.send(.search(query: "„Flüsse“ 🌊 \"q\" \\ \u{1}\u{7F}\n", page: .max >> 10))
        tracking.send(.notification(identifier: "new-release", userInfo: [:]))
        tracking.send(
            .notification(
                identifier: "issue",
                userInfo: [
                    "null": nil, "bool": true, "integer": -7, "number": 0.1, "text": "é",
                    "list": [1, "two", [3]], "object": ["nested": ["deep": false]],
                ]))
    }

    @Test("every standard event in every variant becomes a line")
    func everyVariant() throws {
        var lines = Data()
        var events: Set<String> = []
        let contexts: [TrackingContext?] = [
            nil, TrackingContext(app: nil, os: nil), TrackingContext(app: "App 1.0", os: "Linux 6.1"),
        ]
        for context in contexts {
            let recorder = TrackingRecorder()
            let environment = TrackingEnvironment<NoRoute>.mock(recording: recorder, context: context)
            Self.send(environment.tracking)
            recorder.clock.advance(by: .microseconds(351_338))
            environment.tracking.identify("ada@example.org")
            Self.send(environment.tracking)
            #expect(recorder.diagnostics.isEmpty)
            let stored = recorder.log.records
            #expect(stored.map(\.seq) == Array(1...16))
            #expect(try recorder.containers.map { try $0.line() } == stored.map(\.line))
            recorder.skipRecorded()
            events.formUnion(stored.map(\.name))
            for record in stored { lines += Data(record.line) + Data("\n".utf8) }
        }
        #expect(events == ["launch", "background", "page-view", "search", "notification"])
        let build = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../.build").standardized
        try FileManager.default.createDirectory(at: build, withIntermediateDirectories: true)
        try lines.write(to: build.appendingPathComponent("encoded-events.jsonl"))
    }
}
