import Foundation
import JSONLines
import Testing
import TrackingCore
import TrackingReplay

/// What a replay must reproduce, and which differences it must detect.
@Suite("Replaying a recording")
struct ReplayTests {
    let session: NotesSession

    init() throws { session = try NotesSession() }

    @Test("a session with a real clock and random ids is replayed: same stores, same events, byte for byte")
    func equal() throws {
        session.play()
        session.recorder.close()
        let (outcome, events) = try replayNotes(session.path)
        #expect(outcome.verdict == .equal)
        #expect(outcome.ending == .closed)
        #expect(outcome.apps.map(\.stores) == [session.stores])
        #expect(session.events.count == 4)
        #expect(events == session.events)
        #expect(try Int(outcome.lastIndex) == session.entries().count - 1)
        #expect(outcome.recordedApp == "Notes 1.0")
        #expect(outcome.recordedSDK == TrackingContext.sdk)
    }

    @Test("a stopped replay has the stores' states after that entry")
    func until() throws {
        session.play()
        session.recorder.close()
        let entries = try session.entries().dropLast()
        var notes: [JSONValue] = []
        var last = JSONValue.null
        for (offset, entry) in entries.enumerated() {
            let json = try JSONParser.parse(entry.utf8)
            if json["domain"] == "notes", let text = json["payload"]?["added"]?["_0"] { notes.append(text) }
            if json["domain"] == "tracking", let line = json["payload"] { last = line }
            let (outcome, _) = try replayNotes(session.path, until: Int64(offset + 1))
            #expect(outcome.lastIndex == Int64(offset + 1))
            #expect(outcome.verdict == .stopped)
            guard offset >= 10 else { continue }  // the app exists from here on
            let stores = try #require(outcome.apps.first?.stores)
            func state(_ name: String) throws -> JSONValue {
                try JSONParser.parse(try #require(stores.first { $0.name == name }?.json))
            }
            #expect(try state("notes") == .array(notes))
            #expect(try state("tracking")["last"] ?? .null == last)
        }
        #expect(notes.count == 8)
    }

    @Test("an index past the end replays everything and reports the last index")
    func untilPastTheEnd() throws {
        session.play()
        session.recorder.close()
        let (outcome, _) = try replayNotes(session.path, until: 100_000)
        #expect(outcome.verdict == .equal)
        #expect(try Int(outcome.lastIndex) == session.entries().count - 1)
    }

    @Test("a changed app is detected at its first different entry")
    func changedApp() throws {
        session.play()
        session.recorder.close()
        let entries = try session.entries()
        func index(_ text: String) throws -> Int64 {
            Int64(try #require(entries.firstIndex { $0.contains(text) }) + 1)
        }
        let wrote = try index(#"{"wrote":"#)
        let added = try index(#"{"added":"#)
        let asked = try index(#""kind":"request","domain":"server""#)
        let locations: [NotesApp.Change: Int64] = [
            .firesLess: wrote + 1, .firesMore: added, .asksElsewhere: asked, .reducesOtherwise: added,
        ]
        for change in NotesApp.Change.allCases {
            let divergence = try #require(try replayNotes(session.path, change: change).outcome.divergence)
            #expect(divergence.index == locations[change], "\(change)")
            #expect(divergence.reason == .different)
            #expect(divergence.expected == Array(entries[Int(divergence.index) - 1].utf8))
            #expect(divergence.actual != nil && divergence.actual != divergence.expected)
        }
    }

    @Test("an app that does more or less in its last input is detected", arguments: [true, false])
    func lastInput(doesMore: Bool) throws {
        session.app.perform(.wrote("once"))
        session.recorder.close()
        var entries = try session.entries()
        let end = entries.removeLast()
        if doesMore {
            entries.removeLast()
        } else {
            entries.append(entries[entries.count - 1])
        }
        let path = try session.variant(Self.renumbered(entries + [end]))
        let divergence = try #require(try replayNotes(path).outcome.divergence)
        #expect(divergence.reason == (doesMore ? .different : .missing))
        #expect((divergence.actual == nil) == !doesMore)
    }

    @Test("a missing line is detected at its index, even if the recording was renumbered")
    func deletedLine() throws {
        session.play()
        session.recorder.close()
        let entries = try session.entries()
        for offset in entries.indices.dropLast() {
            var fewer = entries
            fewer.remove(at: offset)
            let gap = try #require(try replayNotes(session.variant(fewer)).outcome.divergence)
            #expect(gap.index == Int64(offset + 1))
            #expect(gap.reason == .gap)
            #expect(gap.expected == nil)
            let hidden = try #require(try replayNotes(session.variant(Self.renumbered(fewer))).outcome.divergence)
            // Without its request, a response arrives too early, which the next entry shows.
            let isAnswered = entries[offset].contains(#""payload":"known""#)
            #expect(hidden.index == Int64(offset + (isAnswered ? 3 : 1)), "\(entries[offset])")
        }
    }

    @Test("a changed recorded action is detected, with both lines")
    func changedLine() throws {
        session.play()
        session.recorder.close()
        var entries = try session.entries()
        for offset in entries.indices where entries[offset].contains(#""kind":"action","domain":"tracking""#) {
            let line = entries[offset]
            entries[offset] = line.replacing(#""seq":"#, with: #""seq":1"#)
            let divergence = try #require(try replayNotes(session.variant(entries)).outcome.divergence)
            #expect(divergence.index == Int64(offset + 1))
            #expect(divergence.reason == .different)
            #expect(divergence.expected == Array(entries[offset].utf8))
            #expect(divergence.actual == Array(line.utf8))
            entries[offset] = line
        }
    }

    @Test("an event outside any input is reported as such")
    func outsideInput() throws {
        session.app.perform(.wrote("inside"))
        session.app.environment.tracking.send(.background)
        session.recorder.close()
        let divergence = try #require(try replayNotes(session.path).outcome.divergence)
        #expect(divergence.reason == .outsideInput)
        let stray = try #require(try session.entries().firstIndex { $0.contains(#""name":"background""#) })
        #expect(divergence.index == Int64(stray - 2))  // preceded by its clock reading, number and id
    }

    @Test("an input that the app no longer has is reported")
    func unknownInput() throws {
        session.app.perform(.rolled)
        session.recorder.close()
        let entries = try session.entries().map { $0.replacing(#"{"rolled":{}}"#, with: #"{"shaken":{}}"#) }
        let divergence = try #require(try replayNotes(session.variant(entries)).outcome.divergence)
        #expect(divergence.reason == .notTaken)
        #expect(divergence.index == 12)
    }

    @Test("a value that the app can no longer decode is reported, with its index")
    func unknownValue() throws {
        session.app.perform(.rolled)
        session.recorder.close()
        var entries = try session.entries()
        let dice = try #require(entries.firstIndex { $0.contains(#""domain":"dice""#) })
        let start = try #require(entries[dice].range(of: #""payload":"#)).upperBound
        entries[dice] = entries[dice][..<start] + "\"six\"}"
        let divergence = try #require(try replayNotes(session.variant(entries)).outcome.divergence)
        #expect(divergence.reason == .notTaken)
        #expect(divergence.index == Int64(dice + 1))
        #expect(divergence.expected == Array(entries[dice].utf8))
    }

    /// The entries with consecutive indices and adjusted references.
    static func renumbered(_ entries: [String]) throws -> [String] {
        var indices: [Int64: Int] = [:]
        return try entries.enumerated().map { offset, entry in
            let json = try JSONParser.parse(entry.utf8)
            let index = try #require(json["index"]?.integerValue)
            indices[index] = offset + 1
            var line = entry.replacing("{\"index\":\(index),", with: "{\"index\":\(offset + 1),", maxReplacements: 1)
            if let cause = json["in"]?.integerValue {
                line = line.replacing("\"in\":\(cause),", with: "\"in\":\(indices[cause] ?? 0),", maxReplacements: 1)
            }
            return line
        }
    }
}

extension ReplayOutcome {
    /// The difference that ended the replay, if any.
    var divergence: ReplayDivergence? {
        if case .diverged(let divergence) = verdict { divergence } else { nil }
    }
}
