import JSONLines
import Testing
import TrackingCore
import TrackingReplay

/// Recordings of an environment that sends events of users.
@Suite("Recording users of a server")
struct UserRecordingTests {
    let session: NotesSession

    init() throws { session = try NotesSession() }

    @Test("a session with users is replayed byte for byte, and each event's entry names its user")
    func replay() async throws {
        session.app.perform(.opened(.list))
        for user in ["ada", "bob", "ada"] { session.app.perform(.served(user: user, "by \(user)")) }
        try await session.app.environment.tracking.as(user: "bob")?.setConsent(.denied)
        session.app.perform(.signedIn("carl"))
        for user in ["bob", "ada"] { session.app.perform(.served(user: user, "again by \(user)")) }
        session.app.perform(.wrote("by carl"))
        session.recorder.close()
        let (outcome, events) = try replayNotes(session.path)
        #expect(outcome.verdict == .equal)
        // The denial has removed an event from the log.
        #expect(events.filter { !$0.contains("by bob") } == session.events && events.count == 6)
        var users: [String] = []
        for entry in try session.entries().map({ try JSONParser.parse($0.utf8) }) {
            let user = entry["user"]?.stringValue
            let answer = entry["payload"]?["consent"]
            if answer != nil { #expect(user == "bob") }
            guard entry["domain"] == "tracking" else { continue }
            #expect(entry["payload"]?["user_id"]?.stringValue == user)
            users.append(user ?? "")
        }
        #expect(users.dropFirst() == ["ada", "bob", "ada", "ada", "carl"])
        #expect(try session.entries().contains { $0.contains(#""of":"bob""#) })
    }
}
