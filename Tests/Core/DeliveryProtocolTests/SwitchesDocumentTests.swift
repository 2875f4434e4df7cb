import DeliveryProtocol
import EventModel
import Foundation
import JSONLines
import JSONSchema
import Primitives
import Testing

@Suite("Documents with remote switches")
struct SwitchesDocumentTests {
    private static let path = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../Schemas/switches/1-0-0.json").standardized

    private static func schema() throws -> CompiledSchema {
        try SchemaSet.compile(JSONDocument(Array(Data(contentsOf: path))))
    }

    private static func accepts(_ text: String) -> Bool { (try? SwitchesDocument(Array(text.utf8))) != nil }

    @Test("All members are read, and absent members change nothing")
    func members() throws {
        let full = try SwitchesDocument(
            Array(
                #"""
                {"version": 12, "issued_at": 1000, "expires_at": 2000.0, "enabled": false, "off": ["search", "a-1", "search"],
                 "flush": {"event_count": 500, "interval": 300, "on_background": false, "later": 1}, "sending_limit": 1e2,
                 "later": {"x": [null]}}
                """#.utf8))
        #expect(full.version == 12 && full.issuedAt == EventTime(seconds: 1000))
        #expect(full.expiresAt == EventTime(seconds: 2000) && !full.isEnabled)
        #expect(full.off == ["search", "a-1"] && full.sendingLimit == 100)
        #expect(full.flush?.eventCount == 500 && full.flush?.interval == 300)
        #expect(full.flush?.onBackground == false)
        #expect(!full.isExpired(at: EventTime(microseconds: 1_999_999_999)))
        #expect(full.isExpired(at: EventTime(seconds: 2000)))
        let small = try SwitchesDocument(Array(#"{"version":1,"expires_at":0}"#.utf8))
        #expect(small.isEnabled && small.off.isEmpty && small.flush == nil && small.sendingLimit == nil)
        #expect(small.issuedAt == nil)
    }

    @Test(
        "The error names the member and the requirement",
        arguments: [
            (#"{"expires_at":1}"#, "version is missing"), (#"{"version":1}"#, "expires_at is missing"),
            (#"{"version":0,"expires_at":1}"#, "version must be a whole number from 1 to 9007199254740991"),
            (#"{"version":1,"expires_at":1,"off":["a",7]}"#, "off[1] must be an event name, such as order-placed"),
            (
                #"{"version":1,"expires_at":1,"flush":{"interval":4}}"#,
                "flush.interval must be a whole number from 5 to 86400"
            ),
            (#"{"version":1,"expires_at":1,"enabled":1}"#, "enabled must be true or false"),
            ("[]", "it is not a JSON object"), ("{", "it is not JSON: expected a name in quotes at byte 1"),
            (
                #"{"version":1,"version":2,"expires_at":1}"#,
                "it is not JSON: duplicate name in an object at byte 13"
            ),
        ])
    func errors(text: String, reason: String) {
        let error = #expect(throws: SwitchesDocument.Invalid.self) { try SwitchesDocument(Array(text.utf8)) }
        #expect(error?.description == reason)
    }

    @Test("A document has at most 64 KiB")
    func length() {
        let document = #"{"version":1,"expires_at":1}"#
        let room = SwitchesDocument.maximumBytes - document.utf8.count
        #expect(Self.accepts(document + String(repeating: " ", count: room)))
        #expect(!Self.accepts(document + String(repeating: " ", count: room + 1)))
    }

    /// Values of each member: valid ones, and every kind of invalid one.
    private static let values: [(name: String, values: [String])] = {
        func integers(_ low: Int64, _ high: Int64) -> [String] {
            [
                "\(low)", "\(high)", "\(low - 1)", "\(high + 1)", "\(low + 1).0", "\(low).5", "1e1", "-0", "-1e2",
                "1E3", "100e-1", "1e300", "null", "true", "\"\(low)\"", "[\(low)]", "{}",
            ]
        }
        let booleans = ["true", "false", "0", "\"true\"", "null", "[]"]
        let name = String(repeating: "a", count: 64)
        let list = { (count: Int) in "[" + (0..<count).map { "\"e\($0)\"" }.joined(separator: ",") + "]" }
        return [
            ("version", integers(1, (1 << 53) - 1)), ("expires_at", integers(0, 253_402_300_799)),
            ("issued_at", integers(0, 253_402_300_799)), ("enabled", booleans),
            (
                "off",
                [
                    "[]", #"["search"]"#, #"["search","page-view","search"]"#, #"["\#(name)"]"#, #"["\#(name)a"]"#,
                    #"["Search"]"#, #"["a--b"]"#, #"["a-"]"#, #"["-a"]"#, #"["1a"]"#, #"["a1-1"]"#, #"[""]"#, "[1]",
                    #"["é"]"#, #"["a\n"]"#, #"["\u0061"]"#, "null", "{}", #""search""#, list(1000), list(1001),
                ]
            ), ("sending_limit", integers(1, 1_000_000)), ("flush", ["{}", "null", "[]", "1", #"{"later":null}"#]),
            ("later", ["1", "null", #"{"off":1}"#]),
        ]
    }()

    private static let flush: [(name: String, values: [String])] = [
        ("event_count", ["10", "9", "100000", "100001", "10.0", "10.5", "\"10\"", "null"]),
        ("interval", ["5", "4", "86400", "86401", "6e1", "60.25", "true"]),
        ("on_background", ["true", "false", "1", "null"]), ("later", ["[]"]),
    ]

    /// A random document. Most members are valid, so that a good part of the documents is.
    private static func document(_ random: inout SplitMix64) -> String {
        func object(_ members: [(name: String, values: [String])], _ random: inout SplitMix64) -> String {
            let chosen = members.compactMap { name, values -> String? in
                let isRequired = name == "version" || name == "expires_at"
                guard random.happens(isRequired ? 97 : 40) else { return nil }
                let value = random.happens(85) ? values[0] : random.one(of: values) ?? values[0]
                return "\"\(name)\":\(value)"
            }
            return "{\(chosen.joined(separator: ","))}"
        }
        var members = values
        if random.happens(60), let index = members.firstIndex(where: { $0.name == "flush" }) {
            members[index].values = [object(flush, &random)]
        }
        return object(members, &random)
    }

    @Test("The decoder accepts exactly the documents that the schema accepts")
    func agreement() throws {
        let schema = try Self.schema()
        var random = SplitMix64(seed: 25)
        var (accepted, rejected) = (0, 0)
        func compare(_ text: [UInt8]) {
            // Before the schema comes the parser, which is stricter than RFC 8259: I-JSON.
            let isValid = (try? JSONParser.parse(text)) != nil && schema.isValid(text)
            let isRead = (try? SwitchesDocument(text)) != nil
            #expect(isRead == isValid, "\(String(decoding: text.prefix(400), as: UTF8.self))")
            if isValid { accepted += 1 } else { rejected += 1 }
        }
        for (name, values) in Self.values {
            for value in values {
                let others = ["version", "expires_at"].filter { $0 != name }.map { "\"\($0)\":7" }
                compare(Array("{\((others + ["\"\(name)\":\(value)"]).joined(separator: ","))}".utf8))
            }
        }
        for (name, values) in Self.flush {
            for value in values { compare(Array(#"{"version":7,"expires_at":7,"flush":{"\#(name)":\#(value)}}"#.utf8)) }
        }
        for root in ["[]", "null", "1", "\"\"", "{}", "", " {}", "{}}"] { compare(Array(root.utf8)) }
        for _ in 0..<3000 {
            var text = Array(Self.document(&random).utf8)
            compare(text)
            // The same document with one byte changed, removed or repeated.
            let position = random.below(text.count)
            switch random.below(3) {
            case 0: text[position] = UInt8(random.below(128))
            case 1: text.remove(at: position)
            default: text.insert(text[position], at: position)
            }
            compare(text)
        }
        #expect(accepted > 1000 && rejected > 1000)
    }

    @Test("The schema's examples are valid documents")
    func examples() throws {
        let schema = try JSONParser.parse(Data(contentsOf: Self.path))
        guard case .array(let examples)? = schema["examples"] else { throw CocoaError(.fileReadCorruptFile) }
        #expect(examples.count == 3)
        for example in examples {
            var json = JSONWriter()
            try example.write(to: &json)
            _ = try SwitchesDocument(json.bytes)
        }
    }
}
