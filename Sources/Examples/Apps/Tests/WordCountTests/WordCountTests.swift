import AppsTesting
import Foundation
import Testing
import TrackingTesting

@testable import WordCount

@Suite("A command-line program")
struct WordCountTests {
    private func write(_ text: String) throws -> String {
        let path = NSTemporaryDirectory() + UUID().uuidString
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test("one event has the words of all readable files")
    func counting() async throws {
        let files = [try write("one two\nthree"), try write(" four "), "/no/such/file"]
        // "/no/such/file" cannot be removed; the others are temporary.
        defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
        let recorder = try TrackingRecorder(validatingAgainst: .ofSchemas(in: "WordCount"))
        await WordCount(tracker: .mock(recording: recorder)).run(files)
        recorder.expect(.wordsCounted(files: 2, words: 4))
    }

    @Test("a call without files sends an event, too")
    func nothing() async throws {
        let recorder = try TrackingRecorder(validatingAgainst: .ofSchemas(in: "WordCount"))
        await WordCount(tracker: .mock(recording: recorder)).run([])
        recorder.expect(.wordsCounted(files: 0, words: 0))
    }
}
