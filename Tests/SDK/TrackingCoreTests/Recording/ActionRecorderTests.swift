import Foundation
import Testing
import TrackingReplay

@testable import TrackingCore

@Suite("Recording actions")
struct ActionRecorderTests {
    /// A value that JSON can't represent.
    private struct Unencodable: Encodable { let number = Double.nan }

    @Test("inputs of several threads are recorded in one order, each with its effects, and replayed")
    func threads() async throws {
        let session = try NotesSession()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<50 { session.app.perform(.wrote("\(thread) \(number)")) }
                }
            }
        }
        session.recorder.close()
        let entries = try session.entries().map { try JSONParser.parse($0.utf8) }
        #expect(entries.map { $0["index"]?.integerValue } == (1...Int64(entries.count)).map { $0 })
        var input: Int64?
        for entry in entries.dropLast() {
            if entry["kind"] == "input" {
                input = entry["index"]?.integerValue
            } else {
                #expect(entry["in"]?.integerValue == input)
            }
        }
        let (outcome, events) = try replayNotes(session.path)
        #expect(outcome.verdict == .equal)
        #expect(outcome.apps.map(\.stores) == [session.stores])
        #expect(events == session.events)
        #expect(events.count == 200)
    }

    @Test("actions outside any input are recorded completely, too")
    func threadsOutsideInputs() async throws {
        let session = try NotesSession()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<50 { session.app.environment.tracking.send(.background) } }
            }
            group.addTask { for number in 0..<50 { session.app.perform(.wrote("\(number)")) } }
        }
        session.recorder.close()
        let entries = try session.entries().map { try JSONParser.parse($0.utf8) }
        #expect(entries.map { $0["index"]?.integerValue } == (1...Int64(entries.count)).map { $0 })
        let sent = entries.filter { $0["domain"] == "tracking" }.map { $0["payload"]?["seq"]?.integerValue }
        #expect(sent == (1...250).map { $0 })
    }

    @Test("a recording that reaches its limit ends with a mark, and the app goes on")
    func limit() throws {
        var options = ActionRecorder.Options()
        options.maximumBytes = 6000
        let session = try NotesSession(options: options)
        for number in 0..<100 { session.app.perform(.wrote("\(number)")) }
        #expect(session.recorder.status == .full)
        session.recorder.close()
        #expect(session.recorder.status == .full)
        #expect(session.events.count == 100)
        let text = try session.folder.text("actions.jsonl")
        #expect((5000...6000).contains(text.utf8.count))
        #expect(text.hasSuffix("\"payload\":\"full\"}\n"))
        let (outcome, events) = try replayNotes(session.path)
        #expect(outcome.verdict == .equal)
        #expect(outcome.ending == .full)
        #expect(!events.isEmpty && session.events.starts(with: events))
    }

    @Test("an unencodable entry ends the recording with a mark, and the status names its domain")
    func unencodable() throws {
        let session = try NotesSession()
        session.app.perform(.wrote("before"))
        session.app.environment.recording?.request("server", Unencodable())
        session.app.perform(.wrote("after"))
        #expect(session.recorder.status == .failed(reason: "request of server cannot be encoded"))
        let (outcome, events) = try replayNotes(session.path)
        #expect(outcome.verdict == .equal)
        #expect(outcome.ending == .notEncodable)
        #expect(events.count == 1)
    }

    @Test("a truncated recording is replayed to its last complete line")
    func cutOff() throws {
        let session = try NotesSession()
        session.play()
        session.recorder.close()
        let text = Array(try session.folder.text("actions.jsonl").utf8)
        let header = try #require(text.firstIndex(of: UInt8(ascii: "\n")))
        let path = session.folder.file("cut.jsonl")
        for length in stride(from: header + 1, to: text.count, by: 61) {
            try Data(text[..<length]).write(to: URL(fileURLWithPath: path))
            let lines = text[..<length].count { $0 == UInt8(ascii: "\n") }
            let outcome = try replayNotes(path).outcome
            #expect(outcome.verdict == .equal)
            #expect(outcome.ending == .cutShort)
            #expect(outcome.lastIndex == Int64(lines - 1))
        }
    }

    @Test("a recorder is released with its environments, and closes its file")
    func lifetime() throws {
        let folder = try SinkFolder()
        weak var recorder: ActionRecorder?
        do {
            let session = try NotesSession(folder: folder)
            session.app.perform(.wrote("once"))
            recorder = session.recorder
            #expect(recorder != nil)
        }
        #expect(recorder == nil)
        #expect(try replayNotes(folder.file("actions.jsonl")).outcome.ending == .cutShort)
    }

    @Test("the previous recording is kept, readable by its owner only")
    func previous() throws {
        let first = try NotesSession()
        first.app.perform(.wrote("first"))
        let text = try first.folder.text("actions.jsonl")
        let second = try NotesSession(folder: first.folder)
        second.app.perform(.wrote("second"))
        #expect(try first.folder.names() == ["actions.jsonl", "actions.jsonl.previous"])
        #expect(try first.folder.text("actions.jsonl.previous") == text)
        let attributes = try FileManager.default.attributesOfItem(atPath: second.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("a file that is not a recording is rejected and not changed")
    func otherFile() throws {
        let folder = try SinkFolder()
        let path = folder.file("actions.jsonl")
        try "{\"v\":1}\n".write(toFile: path, atomically: true, encoding: .utf8)
        let error = #expect(throws: RecordingError.self) { try NotesSession(folder: folder) }
        #expect(error?.code == .notARecording)
        #expect(error?.message == "\(path) exists and is not a recording; choose another path")
        #expect(try folder.text("actions.jsonl") == "{\"v\":1}\n")
        #expect(try folder.names() == ["actions.jsonl"])
    }

    @Test("a missing folder is reported")
    func noFolder() {
        let error = #expect(throws: RecordingError.self) {
            try ActionRecorder(path: "/nowhere/at/all/actions.jsonl", app: "Notes 1.0")
        }
        #expect(error?.code == .cannotWrite)
        #expect(error?.message.hasSuffix("check the permissions of its folder") == true)
    }
}
