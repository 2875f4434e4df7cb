import JSONSchema
import Testing

@Suite("JSON documents")
struct JSONDocumentTests {
    private static let text = """
        {"b": [1, 2.50, {"x": "a\\u00e9\\n\\ud83c\\udf0a"}],
          "a/~": null, "": true}
        """

    @Test("Values keep their order, exact numbers and offsets")
    func lookingIn() throws {
        let root = try JSONDocument(Self.text.utf8).root
        #expect(root.members.map(\.name) == ["b", "a/~", ""])
        #expect(root[pointer: "/b/1"]?.number == "2.50")
        #expect(root[pointer: "/b/0"]?.integer == 1)
        #expect(root[pointer: "/b/2/x"]?.string == "aé\n🌊")
        #expect(root[pointer: "/b/03"] == nil)
        #expect(root[pointer: "/a~1~0"]?.kind == .null)
        #expect(root[pointer: "/"]?.boolean == true)
        let location = try #require(root["a/~"]).offset
        #expect(root.document.position(ofOffset: location) == (line: 2, column: 10))
        #expect(JSONPointer(["a/~", "é"]).description == "/a~1~0/é")
        #expect(JSONPointer("/a~2") == nil && JSONPointer("a") == nil)
    }

    @Test(
        "Invalid JSON is rejected with its offset",
        arguments: [
            ("", 0, "expected a value"), ("{", 1, "expected a name in quotes"), ("[1,]", 3, "expected a value"),
            ("[1 2]", 3, "expected a comma or ]"), ("01", 0, "leading zero in a number"),
            ("1.", 2, "expected a digit"),
            ("\"\\x\"", 1, "unknown escape"), ("\"a", 2, "unterminated string"),
            ("\"\u{1}\"", 1, "unescaped control character in a string"),
            ("\"\\ud800\"", 1, "unpaired surrogate"),
            ("{\"a\":1,\"\\u0061\":2}", 7, "duplicate name in an object"),
            ("1 1", 2, "expected the end of the text"), ("tru", 0, "expected a value"),
            ("-", 1, "expected a digit"),
            ("{\"a\" 1}", 5, "expected a colon"), ("nul\u{0}", 0, "expected a value"),
            ("1\u{0}", 1, "expected the end of the text"),
        ])
    func refusing(_ text: String, _ offset: Int, _ reason: String) throws {
        let error = try #require(throws: JSONTextError.self) { try JSONDocument(text.utf8) }
        #expect(error.reason == reason && error.offset == offset)
    }

    @Test(
        "Bytes that are not UTF-8 are rejected",
        arguments: [[0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xE2, 0x82]] as [[UInt8]])
    func refusing(_ bytes: [UInt8]) throws {
        let error = try #require(throws: JSONTextError.self) { try JSONDocument([0x22] + bytes + [0x22]) }
        #expect(error.reason == "not UTF-8" && error.offset == 1)
    }

    @Test("Limits are enforced")
    func limits() throws {
        let deep = String(repeating: "[", count: 9) + String(repeating: "]", count: 9)
        #expect(throws: JSONTextError.self) { try JSONDocument(deep.utf8, limits: JSONLimits(maximumDepth: 8)) }
        #expect(try JSONDocument(deep.utf8, limits: JSONLimits(maximumDepth: 9)).root.kind == .array)
        #expect(throws: JSONTextError.self) { try JSONDocument("123".utf8, limits: JSONLimits(maximumBytes: 2)) }
        #expect(throws: JSONTextError.self) { try JSONDocument("9007199254740992".utf8, limits: .interoperable) }
        #expect(
            try JSONDocument("-9007199254740991".utf8, limits: .interoperable).root.integer == -9_007_199_254_740_991)
    }
}
