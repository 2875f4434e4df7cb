import Foundation
import Testing
import TrackingCore
import TrackingTesting

/// Failures show the original text next to each hash.
@Suite("Hashed properties in failures")
struct HashedPropertyTests {
    /// As generated for `"x-pii": "hash"`: a property, elements, and the app's own type.
    private struct SignIn: TrackingEvent, Equatable {
        struct Account: Hashable, Sendable { let rawValue: String }

        static let name = "sign-in"
        var email: String
        var friends: [String] = []
        var account: Account?

        func writeValue(to json: inout JSONWriter) throws {
            json.beginObject()
            json.key("email")
            json.hash(email)
            json.key("friends")
            json.beginArray()
            for friend in friends { json.hash(friend) }
            json.endArray()
            if let account {
                json.key("account")
                json.string(Redaction.hash(account.rawValue))
            }
            json.endObject()
        }

        func encode(to encoder: any Encoder) throws {}
    }

    /// A hash of a text that the event doesn't have.
    private struct Imported: TrackingEvent, Equatable {
        static let name = "imported"
        var email: String

        func writeValue(to json: inout JSONWriter) throws {
            json.beginObject()
            json.key("email")
            json.hash(email.lowercased())
            json.endObject()
        }

        func encode(to encoder: any Encoder) throws {}
    }

    private func hash(_ text: String) -> String { #""\#(Redaction.hash(text))""# }

    private func texts(_ body: (TestedApp) -> Void) -> [String] {
        let app = TestedApp(TrackingRecorder(exhaustivity: .off))
        return failures { body(app) }.map(\.text)
    }

    @Test("show the original text of expected and fired events")
    func difference() {
        let found = texts { app in
            app.tracking.send(SignIn(email: "bob@example.org", friends: ["é", "eve"], account: .init(rawValue: "7")))
            app.recorder.expect(SignIn(email: "ada@example.org"))
        }
        #expect(
            found == [
                """
                events differ (- expected, + fired):
                  - {"name":"sign-in","value":{"email":\(hash("ada@example.org")) (hash of "ada@example.org"),"friends":[]}}
                  + {"name":"sign-in","value":{"email":\(hash("bob@example.org")) (hash of "bob@example.org"),\
                "friends":[\(hash("é")) (hash of "é"),\(hash("eve")) (hash of "eve")],\
                "account":\(hash("7")) (hash of "7")}}
                """
            ])
    }

    @Test("are shown in counts, steps and unasserted events, too")
    func others() {
        let text = #"{"name":"sign-in","value":{"email":\#(hash("ada")) (hash of "ada"),"friends":[]}}"#
        let found = texts { app in
            app.tracking.send(SignIn(email: "ada"))
            app.recorder.expectNone(.any(SignIn.self, \.email, is: "ada"))
            app.tracking.send(SignIn(email: "ada"))
            app.recorder.expectSteps()
            app.tracking.send(SignIn(email: "ada"))
            app.recorder.expectNothingElse()
        }
        #expect(found.count == 3)
        for failure in found { #expect(failure.contains("\n  + \(text)")) }
        #expect(EventPattern.event(SignIn(email: "ada")).description == text)
        // The compared text stays as on the wire.
        #expect(
            FiredEvent(SignIn(email: "ada")).description
                == #"{"name":"sign-in","value":{"email":\#(hash("ada")),"friends":[]}}"#)
    }

    @Test("explain how to compare a hash if the event lacks its text")
    func unknown() {
        let found = texts { app in
            app.tracking.send(Imported(email: "Ada"))
            app.recorder.expect()
        }
        #expect(
            found.first?.contains(
                #""email":\#(hash("ada")) (perhaps a hash: compare it with Redaction.hash("…"))"#) == true)
    }

    @Test("ignore text that only looks like a hash")
    func plain() {
        struct Build: TrackingEvent, Equatable {
            static let name = "build"
            var digest: String
        }
        let digest = String(repeating: "0123456789abcdef", count: 4)
        let found = texts { app in
            app.tracking.send(Build(digest: digest))
            app.recorder.expect()
        }
        #expect(
            found == [
                "expected no events (+ fired):\n  + "
                    + #"{"name":"build","value":{"digest":"\#(digest)"}}"#
            ])
    }

    @Test("are shown in the diff with a snapshot")
    func snapshot() throws {
        let source = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())/HashTests.swift")
        let folder = source.deletingLastPathComponent()
        let golden = folder.appendingPathComponent("__Snapshots__/HashTests/signed-in.jsonl")
        try FileManager.default.createDirectory(
            at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(#"{"email":\#(hash("bob"))}"#.utf8).write(to: golden)
        let location = SourceLocation(fileID: "A/HashTests.swift", filePath: source.path, line: 1, column: 1)
        let found = texts { app in
            app.tracking.send(SignIn(email: "ada", friends: ["bob"]))
            app.recorder.expectSnapshot("signed-in", sourceLocation: location)
        }
        #expect(found.first?.contains(#"- {"email":\#(hash("bob")) (hash of "bob")}"#) == true)
        #expect(found.first?.contains(#""email":\#(hash("ada")) (hash of "ada")"#) == true)
    }
}
