import Foundation
import Testing
import TrackingReplay
import TrackingTesting

@testable import TrackingCore

/// A session's external input comes from the recording in its replay.
@Suite("Dependencies of a recording")
struct RecordedDependenciesTests {
    /// Storage that fails to store.
    private struct ShutStorage: KeyValueStorage {
        struct Refused: Error {}
        func string(forKey key: String) -> String? { nil }
        func set(_ value: String?, forKey key: String) throws { throw Refused() }
    }

    private func expectEqual(_ session: NotesSession) throws {
        session.recorder.close()
        let (outcome, events) = try replayNotes(session.path)
        #expect(outcome.verdict == .equal)
        #expect(outcome.apps.map(\.stores) == [session.stores])
        #expect(events == session.events)
    }

    @Test("a second start continues number, session and user, and so does its replay")
    func secondStart() throws {
        let first = try NotesSession()
        first.app.perform(.signedIn("ada"))
        first.app.perform(.wrote("one"))
        let second = try NotesSession(storage: first.storage, log: first.memory)
        second.app.perform(.wrote("two"))
        second.recorder.close()
        let (outcome, events) = try replayNotes(second.path)
        #expect(outcome.verdict == .equal)
        #expect(outcome.apps.first?.user == "ada")
        #expect(events == [try #require(first.events.last)])
        let sessions = try first.memory.records.map { try JSONParser.parse($0.line)["session_id"] }
        #expect(sessions.count == 2)
        #expect(sessions[0] == sessions[1])
    }

    @Test("a start with a fresh session is replayed")
    func freshSession() throws {
        let session = try NotesSession(session: .fresh)
        session.play()
        try expectEqual(session)
    }

    @Test("storage errors are replayed")
    func refusingStorage() throws {
        let session = try NotesSession(storage: ShutStorage())
        session.play()
        try expectEqual(session)
        let answers = try session.entries().filter { $0.contains(#""kind":"value","domain":"storage""#) }
        #expect(!answers.isEmpty && answers.allSatisfy { $0.hasSuffix(#""payload":false}"#) })
    }

    @Test("a log that rejects events is replayed")
    func closedLog() async throws {
        let session = try NotesSession()
        session.app.perform(.wrote("taken"))
        try await session.log.close()
        session.app.perform(.wrote("dropped"))
        try expectEqual(session)
        #expect(session.events.count == 1)
        #expect(try session.entries().contains { $0.hasSuffix(#""payload":"closed"}"#) })
    }

    @Test("an opt-out is an input of its own")
    func optOut() async throws {
        let session = try NotesSession()
        session.app.perform(.wrote("one"))
        try await session.app.environment.tracking.setConsent(.denied)
        session.app.perform(.wrote("two"))
        try await session.app.environment.tracking.setConsent(.granted)
        session.app.perform(.wrote("three"))
        session.recorder.close()
        let (outcome, events) = try replayNotes(session.path)
        #expect(outcome.verdict == .equal)
        #expect(outcome.apps.map(\.stores) == [session.stores])
        #expect(events.count == 2)
    }

    @Test("the life cycle that the SDK observes is an input of its own")
    func lifeCycle() throws {
        let session = try NotesSession()
        session.app.environment.tracking.process(.becameActive)
        session.app.perform(.wrote("one"))
        session.app.environment.tracking.process(.enteredBackground)
        try expectEqual(session)
        #expect(session.memory.records.map(\.name) == ["launch", "search", "background"])
    }

    @Test("each line names its current user, including those of the start")
    func users() throws {
        let session = try NotesSession()
        let device = session.app.environment.device.store.state.deviceID
        session.play()
        session.recorder.close()
        let entries = try session.entries().dropLast().map { try JSONParser.parse($0.utf8) }
        let renewed = session.app.environment.device.store.state.deviceID
        #expect(entries.allSatisfy { $0["user"] != nil })
        var users: [String] = []
        for user in entries.compactMap({ $0["user"]?.stringValue }) where users.last != user { users.append(user) }
        #expect(users == [device, "ada", renewed])
        for entry in entries where entry["domain"] == "tracking" {
            #expect(entry["payload"]?["user_id"] == entry["user"])
        }
    }

    @Test("without a recording, an environment uses its dependencies directly")
    func off() throws {
        let dependencies = TestDependencies()
        let environment = dependencies.start()
        #expect(environment.recording == nil)
        #expect(environment.clock as? ManualTrackingClock === dependencies.clock)
        let parts = RecordedDependencies(
            dependencies.setup(), log: dependencies.log, storage: dependencies.storage, tape: nil)
        #expect(parts.log as? InMemoryEventStore === dependencies.log)
        #expect(parts.storage as? InMemoryKeyValueStorage === dependencies.storage)
        #expect(parts.setup.ids as? SequentialTrackingIDs === dependencies.ids)
    }
}
