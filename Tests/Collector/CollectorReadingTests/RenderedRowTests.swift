import CollectorFixtures
import CollectorReading
import CollectorStore
import DeliveryProtocol
import JSONLines
import Testing

@Suite("Rows of the live page", .timeLimit(.minutes(10)))
struct RenderedRowTests {
    private let folder: FeedFolder

    init() throws { folder = try FeedFolder() }

    @Test("A batch gives a row for each line, rejected line, duplicate and held range, in this order")
    func kinds() async throws {
        try await folder.send(1, 1...2, [folder.order(1, #""label":"a""#), folder.order(2, #""label":"b""#)])
        let unknown = folder.sender.line(4).replacing("search", with: "checkout")
        try await folder.send(
            2, 2...9,
            [
                folder.order(2, #""label":"b""#), folder.order(3, #""label":"c""#), unknown,
                folder.order(5, #""label":7"#), "no JSON", folder.order(9, "\"label\":\"d\""),
            ], missing: [.init(7...8, .held)])
        let rows = try folder.feed().rows()
        #expect(
            rows.map { "\($0.cursor) \($0.kind)" } == [
                "1.0.1 accepted", "1.0.2 accepted", "2.0.3 accepted", "2.0.4 unvalidated", "2.0.9 accepted",
                "2.1.5 rejected", "2.1.6 rejected", "2.2.2 duplicate", "2.3.7 held",
            ])
        let json = try JSONParser.parse(rows[5].json)
        #expect(json["code"]?.stringValue == "schema")
        #expect(json["path"]?.stringValue == "/event/value/label")
        #expect(json["line"]?["event"]?["value"]?["label"]?.integerValue == 7)
        let held = try JSONParser.parse(rows[8].json)
        #expect(held["seq"]?.integerValue == 7 && held["last"]?.integerValue == 8)
        let accepted = try JSONParser.parse(rows[0].json)
        #expect(accepted["received"]?.integerValue == 1_700_000_100)
        #expect(accepted["sent"]?.integerValue == 1_700_000_090)
        #expect(accepted["time"]?.integerValue == 1_700_000_001)
        #expect(accepted["user"]?.stringValue == "user-1")
    }

    @Test("Personal values are redacted at any depth, in unknown versions and in rejected lines")
    func redaction() async throws {
        let secret = #""query":"secret","label":"open","items":[{"name":"secret","count":3}]"#
        try await folder.send(
            1, 1...4,
            [
                folder.order(1, secret), folder.order(2, secret, version: "9-0-0"),
                folder.order(3, secret + #","other":1"#), folder.order(4, secret) + "}",
            ])
        let rows = try folder.feed().rows()
        #expect(rows.map(\.kind) == [.accepted, .unvalidated, .rejected, .rejected])
        for row in rows { #expect(!row.text.contains("secret"), "\(row.text)") }
        let value = try #require(JSONParser.parse(rows[0].json)["line"]?["event"]?["value"])
        #expect(value["query"]?.stringValue == "[redacted]")
        #expect(value["label"]?.stringValue == "open")
        #expect(value["items"] == .array([.object(["name": .string("[redacted]"), "count": .integer(3)])]))
    }

    @Test("A filter on a personal value is refused, also by a shorter, longer or starred path")
    func refusal() throws {
        for path in [
            "event.value.query == \"a\"", "exists(event.value)", "event.value.query.x == 1",
            "event.value.items[3].name ~ \"a*\"", "!(event.name == \"a\" && event.value.query == \"b\")",
        ] {
            let error = #expect(throws: RowFilter.Invalid.self) { try folder.filter(("where", path)) }
            #expect(error?.message.contains("is personal and redacted here") == true, "\(path)")
        }
        _ = try folder.filter(("where", "event.value.label == \"a\" && event.value.items[0].count > 2"))
    }

    @Test("Text that a filter searches is redacted, too")
    func search() async throws {
        try await folder.send(1, 1...1, [folder.order(1, #""query":"secret","label":"Open""#)])
        let feed = folder.feed()
        #expect(try feed.rows(folder.filter(("text", "secret"))).isEmpty)
        #expect(try feed.rows(folder.filter(("text", "oPEN"))).count == 1)
        #expect(try feed.rows(folder.filter(("not-text", "open"))).isEmpty)
    }

    @Test(
        "Filters select and exclude; values of one criterion are alternatives",
        arguments: [
            ([("name", "order")], [1, 2]), ([("not-name", "order")], [3]),
            ([("name", "or*"), ("name", "search")], [1, 2, 3]),
            ([("kind", "accepted"), ("user", "user-?")], [1, 2, 3]), ([("kind", "rejected")], []),
            ([("schema", "order/*"), ("not-text", "beta")], [1]), ([("install", "install-b")], []),
            ([("where", "event.value.label == \"beta\"")], [2]),
            ([("not-where", "event.value.label == \"beta\"")], [1, 3]),
            ([("session", "*0001")], [1, 2, 3]), ([("app", "*")], []),
        ] as [([(String, String)], [Int64])])
    func filters(_ parameters: [(String, String)], _ expected: [Int64]) async throws {
        try await folder.send(
            1, 1...3,
            [folder.order(1, #""label":"alpha""#), folder.order(2, #""label":"beta""#), folder.sender.line(3)])
        let feed = folder.feed()
        let filter = try RowFilter(
            parameters.map { (name: $0.0, value: $0.1) }, feed.redaction, now: .ofSystem())
        #expect(try feed.rows(filter).map(\.cursor.number) == expected)
    }

    @Test("An invalid filter is an error that says what to do")
    func invalid() throws {
        for (name, value, part) in [
            ("nmae", "a", "unknown parameter 'nmae'"), ("kind", "lost", "use accepted, unvalidated"),
            ("name", "", "1 to 1024 bytes"), ("where", "event.value.label ==", "where: "),
            ("text", String(repeating: "x", count: 1025), "1 to 1024 bytes"),
        ] {
            let error = #expect(throws: RowFilter.Invalid.self) { try folder.filter((name, value)) }
            #expect(error?.message.contains(part) == true, "\(name): \(error?.message ?? "")")
        }
    }

    @Test("A cursor's text is read back", arguments: ["0", "17", "17.0.4", "17.3.9007199254740991"])
    func cursors(_ text: String) throws {
        #expect(try #require(RowCursor(text)).description == text)
    }

    @Test("Other texts are not cursors", arguments: ["", "a", "-1", "1.4", "1.9.1", "1.0.-1", "1.0.1.2", "1..2"])
    func invalidCursors(_ text: String) { #expect(RowCursor(text) == nil) }
}
