import Foundation
import Testing
import TrackingCore
import TrackingReplay

/// Replays of invalid files.
@Suite("Reading a recording")
struct RecordingReaderTests {
    let folder: SinkFolder

    init() throws { folder = try SinkFolder() }

    private func error(_ text: String) throws -> RecordingError? {
        let path = folder.file("file.jsonl")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return #expect(throws: RecordingError.self) { try replayNotes(path) }
    }

    @Test(
        "a file that is not a recording is rejected",
        arguments: [
            "", "\n", "x", "[]\n", "{}\n", "{\"recording\":\"swift-tracking\"}\n",
            "{\"recording\":\"another\",\"version\":1,\"sdk\":\"s\",\"app\":\"a\"}\n",
            "{\"recording\":\"swift-tracking\",\"version\":1}\n",
            "{\"recording\":\"swift-tracking\",\"version\":1,\"sdk\":\"s\",\"app\":\"a\"}",
        ])
    func noRecording(text: String) throws {
        let error = try error(text)
        #expect(error?.code == .notARecording)
        #expect(
            error?.message.hasSuffix("is not a recording; pass a file written by ActionRecorder") == true)
    }

    @Test("a newer version is rejected, and named in the error")
    func newerVersion() throws {
        let error = try error("{\"recording\":\"swift-tracking\",\"version\":2,\"later\":true}\n")
        #expect(error?.code == .newerVersion)
        #expect(
            error?.message.hasSuffix(
                "has recording version 2, but this program supports up to 1; update this program") == true)
    }

    @Test("a missing file has another error than an unreadable one")
    func missing() {
        let missing = #expect(throws: RecordingError.self) { try replayNotes(folder.file("nothing")) }
        #expect(missing?.code == .notFound)
        let unreadable = #expect(throws: RecordingError.self) { try replayNotes(folder.path) }
        #expect(unreadable?.code == .cannotRead)
    }

    @Test("an invalid line is reported by number, without its content")
    func damagedLine() throws {
        let session = try NotesSession()
        session.play()
        session.recorder.close()
        for line in ["secret", "{\"index\":\"secret\"}", ""] {
            var entries = try session.entries()
            entries[14] = line
            let path = try session.variant(entries)
            let error = #expect(throws: RecordingError.self) { try replayNotes(path) }
            #expect(error?.code == .damaged)
            #expect(error?.message == "line 16 of \(path) is not a recording entry; the file was changed or damaged")
        }
    }

    @Test("nested inputs end a replay before the stack overflows")
    func deepInputs() throws {
        let session = try NotesSession()
        session.app.perform(.signedIn("ada"))
        session.recorder.close()
        var entries = try session.entries()
        let first = try #require(entries.firstIndex { $0.contains(#"{"signedIn""#) })
        entries.removeSubrange(first...)
        let device = session.app.environment.device.store.state.deviceID
        for index in first + 1...first + 20_000 {
            let cause = index == first + 1 ? "" : "\"in\":\(index - 1),"
            entries.append(
                "{\"index\":\(index),\"kind\":\"input\",\"domain\":\"app\",\"environment\":1,\"user\":\"\(device)\",\(cause)"
                    + #""payload":{"answered":{"request":1,"_1":"x"}}}"#)
        }
        let divergence = try #require(try replayNotes(session.variant(entries)).outcome.divergence)
        #expect(divergence.reason == .notTaken)
        #expect(divergence.index == Int64(first + 65))
    }

    @Test("an empty recording equals an app that did nothing")
    func empty() throws {
        let path = folder.file("actions.jsonl")
        try ActionRecorder(path: path, app: "Notes 1.0").close()
        let outcome = try replayNotes(path).outcome
        #expect(outcome.verdict == .equal)
        #expect(outcome.lastIndex == 0)
        #expect(outcome.ending == .closed)
        #expect(outcome.apps == [])
    }
}
