import JSONSchema
import Testing

@Suite("Captured members")
struct CaptureTests {
    private static func captured(_ schema: String, _ texts: [String]) throws -> [String?] {
        let compiled = try SchemaSet.compile(JSONDocument(schema.utf8), options: SchemaOptions(captures: ["a", "b"]))
        var validator = SchemaValidator(compiled)
        for text in texts { _ = Array(text.utf8).withUnsafeBytes { validator.verdict(on: $0) } }
        return (0..<3).map { index in
            validator.captured(index).map { String(decoding: Array((texts.last ?? "").utf8)[$0], as: UTF8.self) }
        }
    }

    @Test(
        "Captured members are found for every kind of schema",
        arguments: [
            "{}", #"{"properties":{"a":true}}"#, #"{"dependentRequired":{"c":[]}}"#, #"{"required":["a"]}"#,
            #"{"maxProperties":5}"#,
        ])
    func finding(_ schema: String) throws {
        #expect(try Self.captured(schema, [#"{"a": 1 ,"c":{"b":2},"b":[]}"#]) == ["1", "[]", nil])
        #expect(try Self.captured(schema, [#"{"a":1,"b":2}"#, #"{"a":[1]}"#]) == ["[1]", nil, nil])
    }

    @Test("Invalid texts have no captured members", arguments: [#"{"a":1,"c":2}"#, #"{"a":1,"b":2"#, "1"])
    func refusing(_ text: String) throws {
        let schema = #"{"type":"object","properties":{"a":true,"b":true},"additionalProperties":false}"#
        #expect(try Self.captured(schema, [#"{"a":1,"b":2}"#, text]) == [nil, nil, nil])
    }
}
