import EventModel
import EventQuery
import Testing

@Suite("Selections")
struct EventSelectionTests {
    private func line(_ user: String, seq: Int = 1, install: String = "i") -> String {
        "{\"install_id\":\"\(install)\",\"seq\":\(seq),\"user_id\":\"\(user)\",\"event\":{\"name\":\"a\"}}"
    }

    private func takes(_ selection: EventSelection, _ line: String) throws -> Bool {
        try QueriedLine.scan(line, selection.members) { selection.accepts($0) }
    }

    @Test("A sample by user selects all events of a user or none, about its share of users, and always the same ones")
    func sample() throws {
        var selection = EventSelection()
        selection.sample = EventSample(share: "10%", key: try EventPath("user_id"))
        let taken = try (0..<5000).filter { try takes(selection, line("user-\($0)")) }
        #expect((400...600).contains(taken.count))
        #expect(taken.prefix(3) == [0, 7, 25])
        for user in taken.prefix(20) { #expect(try takes(selection, line("user-\(user)", seq: 99))) }
        var half = EventSelection()
        half.sample = EventSample(share: "0.5", key: try EventPath("user_id"))
        for user in taken { #expect(try takes(half, line("user-\(user)"))) }
    }

    @Test("A sample of everything selects everything that has the key")
    func wholeSample() throws {
        var selection = EventSelection()
        selection.sample = EventSample(share: "100%", key: try EventPath("user_id"))
        #expect(try takes(selection, line("u")))
        selection.sample = EventSample(share: "1", key: try EventPath("event.value.plan"))
        #expect(try !takes(selection, line("u")))
    }

    @Test("Invalid shares", arguments: ["0", "0%", "101%", "1.5", "-1%", "x", ""])
    func noShare(text: String) throws { #expect(EventSample(share: text, key: try EventPath("id")) == nil) }

    @Test("A cursor is the highest number of each install, whatever the events are read from")
    func cursor() throws {
        var cursor = EventCursor()
        for line in [line("u", seq: 3), line("u", seq: 9, install: "b c"), line("u", seq: 5), line("u", seq: 4)] {
            try QueriedLine.scan(line, [.installID, .seq]) { cursor.advance(to: $0) }
        }
        #expect(cursor.description == "b%20c=9,i=5")
        #expect(EventCursor(cursor.description)?.description == cursor.description)
        var selection = EventSelection()
        selection.after = cursor
        #expect(try !takes(selection, line("u", seq: 5)))
        #expect(try takes(selection, line("u", seq: 6)))
        #expect(try !takes(selection, line("u", seq: 9, install: "b c")))
        #expect(try takes(selection, line("u", seq: 1, install: "new")))
    }

    @Test(
        "Invalid cursors",
        arguments: ["", "a", "a=", "=1", "a=x", "a=-1", "a=1,", "a=1,a=2", "%G0=1", "a=9007199254740992"])
    func noCursor(text: String) { #expect(EventCursor(text) == nil) }
}
