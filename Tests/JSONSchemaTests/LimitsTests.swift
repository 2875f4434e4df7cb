import JSONSchema
import Testing

@Suite("Limits of a validation")
struct LimitsTests {
    private static func verdict(
        _ schema: String, _ instance: String, _ limits: ValidationLimits = .standard
    ) throws -> Verdict {
        try SchemaSet.compile(JSONDocument(schema.utf8)).verdict(on: Array(instance.utf8), limits: limits)
    }

    @Test("end a schema that doubles its work with every level")
    func steps() throws {
        let schema = ##"{"allOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}"##
        let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        #expect(try Self.verdict(schema, deep, ValidationLimits(steps: 100_000)) == .undecided(.steps))
        #expect(try Self.verdict(schema, "[[[]]]") == .valid)
    }

    @Test("end references that go too deep")
    func depth() throws {
        let schema = ##"{"not":{"items":{"$ref":"#"}}}"##
        let deep = String(repeating: "[", count: 120) + String(repeating: "]", count: 120)
        #expect(try Self.verdict(schema, deep, ValidationLimits(depth: 100)) == .undecided(.depth))
    }

    @Test("hold at the deepest text that can be read")
    func deepest() throws {
        let deep = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        #expect(try Self.verdict(##"{"items":{"$ref":"#"}}"##, deep) == .valid)
        #expect(try Self.verdict(##"{"items":{"$ref":"#"},"uniqueItems":true}"##, deep) == .valid)
        #expect(
            try Self.verdict("true", "[" + deep + "]")
                == .unreadable(
                    #require(throws: JSONTextError.self) {
                        try JSONDocument(("[" + deep + "]").utf8)
                    }))
    }

    @Test("end where a small stack does", arguments: [512 << 10, 1 << 20])
    func smallStack(_ size: Int) throws {
        let schema = ##"{"allOf":[{"anyOf":[{"not":{"not":{"if":true,"then":{"items":{"$ref":"#"}}}}}]}]}"##
        let compiled = try SchemaSet.compile(JSONDocument(schema.utf8))
        let deep = Array((String(repeating: "[", count: 120) + String(repeating: "]", count: 120)).utf8)
        #expect(OnThread.run(stackSize: size) { compiled.verdict(on: deep) } == .undecided(.depth))
        #expect(OnThread.run(stackSize: size) { compiled.verdict(on: Array("[[[]]]".utf8)) } == .valid)
    }

    @Test("end a name that two patterns find on every level, in one pass too")
    func patternsInPatterns() throws {
        let schema = ##"{"patternProperties":{"a":{"$ref":"#"},"b":{"$ref":"#"}}}"##
        #expect(try SchemaSet.compile(JSONDocument(schema.utf8)).isStreamed)
        let deep = String(repeating: #"{"ab":"#, count: 60) + "1" + String(repeating: "}", count: 60)
        #expect(try Self.verdict(schema, deep, ValidationLimits(steps: 100_000)) == .undecided(.steps))
    }

    @Test("hold for a text as a whole: for its parts and the patterns in them together")
    func sharedSteps() throws {
        let parts = "[" + Array(repeating: "[1,2,3]", count: 1000).joined(separator: ",") + "]"
        let unique = #"{"items":{"uniqueItems":true}}"#
        #expect(try Self.verdict(unique, parts, ValidationLimits(steps: 2000)) == .undecided(.steps))
        let texts = "[" + Array(repeating: "\"aaaaaaaaaaaaaaab\"", count: 100).joined(separator: ",") + "]"
        let pattern = #"{"items":{"pattern":"^(?=a)a*b$"}}"#
        #expect(try Self.verdict(pattern, texts) == .valid)
        #expect(try Self.verdict(pattern, texts, ValidationLimits(steps: 500)) == .undecided(.steps))
    }

    @Test("leave room on the stack, however deep schemas are applied in schemas")
    func stack() throws {
        let schema = ##"{"allOf":[{"anyOf":[{"not":{"not":{"if":true,"then":{"items":{"$ref":"#"}}}}}]}]}"##
        let deep = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
        let limits = ValidationLimits(text: JSONLimits(maximumDepth: 1024))
        #expect(try Self.verdict(schema, deep, limits) == .undecided(.depth))
        #expect(try Self.verdict(schema, "[[[[]]]]") == .valid)
    }

    @Test("end comparisons of values that are made to take long")
    func comparisons() throws {
        let elements = (0..<3000).map { #"{"a":[\#($0),{"b":[]}],"c":"x"}"# }.joined(separator: ",")
        #expect(try Self.verdict(#"{"uniqueItems":true}"#, "[\(elements)]") == .valid)
        #expect(
            try Self.verdict(#"{"uniqueItems":true}"#, "[\(elements)]", ValidationLimits(steps: 5000))
                == .undecided(.steps))
    }

    @Test(
        "are no matter of how long a number is",
        arguments: [("1e400", true), ("1e-400", false), ("-1e1000000000", false)])
    func numbers(_ number: String, _ isValid: Bool) throws {
        #expect(try Self.verdict(#"{"minimum":1}"#, number) == (isValid ? .valid : .invalid))
    }

    @Test(
        "are exact for multiples",
        arguments: [
            ("0.01", "0.07", true), ("0.01", "0.075", false), ("0.0001", "0.0075", true),
            ("3", "9007199254740993", true),
            ("3", "9007199254740992", false), ("1e-8", "12391239123", true), ("0.123456789", "1e308", false),
            ("2", "1e308", true),
            ("123456789012345678901234567890", "246913578024691357802469135780", true),
            ("123456789012345678901234567890", "246913578024691357802469135781", false), ("7", "7e5", true),
            ("7", "1e5", false),
            ("2.5", "7.5", true), ("2.5", "1e1", true), ("4", "0", true), ("1e400", "1e401", true),
            ("1e401", "1e400", false),
        ])
    func multiples(_ divisor: String, _ number: String, _ isMultiple: Bool) throws {
        #expect(try Self.verdict(#"{"multipleOf":\#(divisor)}"#, number) == (isMultiple ? .valid : .invalid))
    }
}
