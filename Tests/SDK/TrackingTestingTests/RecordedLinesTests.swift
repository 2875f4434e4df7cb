import Dispatch
import Foundation
import Testing
import TrackingCore
import TrackingDomainEvents

@testable import TrackingTesting

@Suite("Lines recorded in a test run")
struct RecordedLinesTests {
    private enum NoRoute: RouteCommand { case home }

    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("recorded-\(UUID().uuidString)")

    @Test("are complete lines of all recorders, appended to existing ones")
    func all() throws {
        try Data("there\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }  // a failure only costs disk space
        let location = CodeLocation(#fileID, #filePath, #line, #column)
        let lines = try (0..<2).map { _ in
            RecordedLines(try RunFile(path: file.path, variable: RecordedLines.variable), at: location)
        }
        let recorders = (0..<8).map { _ in TrackingRecorder(exhaustivity: .off) }
        let environments = recorders.map { TrackingEnvironment<NoRoute>.mock(recording: $0) }
        for (index, environment) in environments.enumerated() {
            recorders[index].attach(to: environment, lines: lines[index % 2])
        }
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            for page in 1...50 { environments[index].tracking.send(.search(query: "of \(index)", page: page)) }
        }
        let text = try String(contentsOf: file, encoding: .utf8)
        let found = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(found.first == "there" && found.last == "" && found.count == 402)
        let expected = try environments.indices.flatMap { index in
            // Each line is recorded twice: the mock environment attaches the recorder, too.
            try Set(recorders[index].containers.map { String(decoding: try $0.line(), as: UTF8.self) })
        }
        #expect(found.dropFirst().dropLast().map(String.init).sorted() == expected.sorted())
    }

    @Test("that cannot be written fail with the file and its variable")
    func unwritable() {
        let error = #expect(throws: RunFile.Failure.self) {
            try RunFile(path: "/dev/null/file", variable: RecordedLines.variable)
        }
        #expect(
            error?.description == "cannot write /dev/null/file: Not a directory; check TRACKING_RECORDED_LINES")
    }
}
