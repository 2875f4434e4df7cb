import JSONSchema
import Testing

@Suite("Validation limits")
struct LimitsTests {
    private static func verdict(
        _ schema: String, _ instance: String, _ limits: ValidationLimits = .standard
    ) throws -> Verdict {
        try SchemaSet.compile(JSONDocument(schema.utf8), options: SchemaOptions(assertsFormats: true))
            .verdict(on: Array(instance.utf8), limits: limits)
    }

    /// The result of only the full evaluator.
    private static func verdictByTape(
        _ schema: String, _ instance: String, _ limits: ValidationLimits
    ) throws -> Verdict {
        var validator = SchemaValidator(try SchemaSet.compile(JSONDocument(schema.utf8)), limits: limits)
        return Array(instance.utf8).withUnsafeBytes { validator.verdictByTape(on: $0) }
    }

    private static func nested(_ open: String, _ inside: String, _ close: String, _ count: Int) -> String {
        String(repeating: open, count: count) + inside + String(repeating: close, count: count)
    }

    @Test("A schema that doubles its work with every level runs out of steps")
    func steps() throws {
        let schema = ##"{"allOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}"##
        let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        #expect(try Self.verdict(schema, deep, ValidationLimits(steps: 100_000)) == .undecided(.steps))
        #expect(try Self.verdict(schema, "[[[]]]") == .valid)
    }

    @Test("Deeply nested references reach the depth limit")
    func depth() throws {
        let schema = ##"{"not":{"items":{"$ref":"#"}}}"##
        let deep = String(repeating: "[", count: 120) + String(repeating: "]", count: 120)
        #expect(try Self.verdict(schema, deep, ValidationLimits(depth: 100)) == .undecided(.depth))
    }

    @Test("Limits hold at the deepest readable text")
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

    @Test("Validation stops before a small stack overflows", arguments: [512 << 10, 1 << 20])
    func smallStack(_ size: Int) throws {
        let schema = ##"{"allOf":[{"anyOf":[{"not":{"not":{"if":true,"then":{"items":{"$ref":"#"}}}}}]}]}"##
        let compiled = try SchemaSet.compile(JSONDocument(schema.utf8))
        let deep = Array((String(repeating: "[", count: 120) + String(repeating: "]", count: 120)).utf8)
        #expect(OnThread.run(stackSize: size) { compiled.verdict(on: deep) } == .undecided(.depth))
        #expect(OnThread.run(stackSize: size) { compiled.verdict(on: Array("[[[]]]".utf8)) } == .valid)
    }

    @Test("Comparing deep values stops before a small stack overflows", arguments: [128, 1024])
    func smallStackOfComparison(_ maximumDepth: Int) throws {
        let deep = Self.nested("[", "", "]", maximumDepth - 6)
        let limits = ValidationLimits(text: JSONLimits(maximumDepth: maximumDepth))
        for count in [40, 55, 80, 140] {
            let chain = (0..<count).map { ##""d\##($0)":{"$ref":"#/$defs/d\##($0 + 1)","minLength":1},"## }.joined()
            let last = #""d\#(count)":{"uniqueItems":true,"not":{"const":[\#(deep)]}}"#
            let compiled = try SchemaSet.compile(
                JSONDocument(
                    ##"{"$ref":"#/$defs/d0","$defs":{\##(chain)\##(last)}}"##.utf8,
                    limits: JSONLimits(maximumDepth: 1024)))
            for text in ["[\(deep),\(deep)]", "[\(deep)]"] {
                // Whether it was decided depends on the frame sizes of the build. What matters is that the thread
                // continues.
                let verdict = OnThread.run(stackSize: 512 << 10) {
                    compiled.verdict(on: Array(text.utf8), limits: limits)
                }
                guard verdict != .invalid else { continue }
                guard case .unreadable = verdict else {
                    #expect(verdict == .undecided(.depth))
                    continue
                }
                #expect(maximumDepth == 1024)
            }
        }
    }

    @Test("Names that match two patterns on every level run out of steps, in one pass too")
    func patternsInPatterns() throws {
        let schema = ##"{"patternProperties":{"a":{"$ref":"#"},"b":{"$ref":"#"}}}"##
        #expect(try SchemaSet.compile(JSONDocument(schema.utf8)).isStreamed)
        let deep = String(repeating: #"{"ab":"#, count: 60) + "1" + String(repeating: "}", count: 60)
        #expect(try Self.verdict(schema, deep, ValidationLimits(steps: 100_000)) == .undecided(.steps))
    }

    @Test("Values that are read repeatedly run out of steps, and so do unvisited values on tapes")
    func bytesAndMembers() throws {
        let text = "\"" + String(repeating: "x", count: 100_000) + "\""
        let patterns = ##"{"patternProperties":{"a":{"$ref":"#"},"b":{"$ref":"#"}}}"##
        let deep = Self.nested(#"{"ab":"#, text, "}", 8)
        var validator = SchemaValidator(
            try SchemaSet.compile(JSONDocument(patterns.utf8)), limits: ValidationLimits(steps: 100_000))
        #expect(Array(deep.utf8).withUnsafeBytes { !validator.isValidInOnePass($0) })
        let limits = ValidationLimits(steps: 20_000)
        for open in ["{", "["] {
            let members = (0..<10_000).map { open == "{" ? "\"\($0)\":0" : "0" }.joined(separator: ",")
            let wide = Self.nested("[", open + members + (open == "{" ? "}" : "]"), "]", 6)
            let schema =
                ##"{"maxProperties":100000,"maxItems":100000,"allOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}"##
            #expect(try Self.verdict(schema, wide, limits) == .undecided(.steps))
            #expect(try Self.verdict(schema, open == "{" ? "{}" : "[]", limits) == .valid)
        }
        let unevaluated = ##"{"anyOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}],"unevaluatedProperties":true}"##
        let names = (0..<10_000).map { "\"\($0)\":0" }.joined(separator: ",")
        #expect(
            try Self.verdict(unevaluated, Self.nested("[", "{\(names)}", "]", 6), limits) == .undecided(.steps))
    }

    @Test("Repeated comparisons of long strings run out of steps", arguments: ["const", "uniqueItems", "type"])
    func lengths(_ keyword: String) throws {
        let long = String(repeating: "1", count: 100_000)
        let schemas = [
            "const": ##"{"not":{"const":"\##(long)"}}"##, "uniqueItems": #"{"uniqueItems":true}"#,
            "type": #"{"type":["array","integer"]}"#,
        ]
        let schema = ##"{"allOf":[\##(schemas[keyword] ?? ""),{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}"##
        let value = keyword == "type" ? long + ".0" : "\"\(long.dropLast())2\",0"
        let text = Self.nested("[", value, "]", 6)
        #expect(try Self.verdictByTape(schema, text, ValidationLimits(steps: 20_000)) == .undecided(.steps))
    }

    @Test("Divisions and constants cost steps, in one pass too")
    func numbersOfWork() throws {
        let divisor = "1" + String(repeating: "3", count: 800) + "7"
        let limits = ValidationLimits(steps: 10_000)
        #expect(try Self.verdict(#"{"multipleOf":\#(divisor)}"#, "1e99999", limits) == .undecided(.steps))
        let constants = (0..<1000).map { "\($0).5" }.joined(separator: ",")
        let numbers = (0..<100).map { _ in "0.25" }.joined(separator: ",")
        let schema = try SchemaSet.compile(JSONDocument(#"{"items":{"not":{"enum":[\#(constants)]}}}"#.utf8))
        #expect(schema.verdict(on: Array("[\(numbers)]".utf8), limits: limits) == .undecided(.steps))
        let last = try SchemaSet.compile(JSONDocument(#"{"items":{"enum":[\#(constants),0.25]}}"#.utf8))
        var validator = SchemaValidator(last, limits: limits)
        #expect(Array("[\(numbers)]".utf8).withUnsafeBytes { !validator.isValidInOnePass($0) })
        #expect(last.verdict(on: Array("[0.25]".utf8), limits: limits) == .valid)
    }

    @Test("Limits that are changed stay within their bounds")
    func bounds() {
        var limits = ValidationLimits(patternSteps: .min, steps: .min, depth: .min)
        #expect(limits == ValidationLimits(patternSteps: 0, steps: 0, depth: 0))
        limits.depth = .max
        limits.steps = -1
        limits.patternSteps = -1
        limits.text.maximumBytes = .max
        limits.text.maximumDepth = .max
        #expect(limits.depth == 1500 && limits.steps == 0 && limits.patternSteps == 0)
        #expect(limits.text == JSONLimits(maximumBytes: 1 << 31 - 1, maximumDepth: 1024))
        limits.text.maximumBytes = -1
        limits.text.maximumDepth = -1
        #expect(limits.text == JSONLimits(maximumBytes: 0, maximumDepth: 0))
    }

    @Test("The length of a text with format regex costs steps")
    func regexes() throws {
        let text = "\"" + String(repeating: "a", count: 10_000) + "\""
        #expect(try Self.verdict(#"{"format":"regex"}"#, text) == .valid)
        #expect(try Self.verdict(#"{"format":"regex"}"#, text, ValidationLimits(steps: 10_000)) == .undecided(.steps))
    }

    @Test("One limit applies to all parts of a text and their patterns")
    func sharedSteps() throws {
        let parts = "[" + Array(repeating: "[1,2,3]", count: 1000).joined(separator: ",") + "]"
        let unique = #"{"items":{"uniqueItems":true}}"#
        #expect(try Self.verdict(unique, parts, ValidationLimits(steps: 2000)) == .undecided(.steps))
        let texts = "[" + Array(repeating: "\"aaaaaaaaaaaaaaab\"", count: 100).joined(separator: ",") + "]"
        let pattern = #"{"items":{"pattern":"^(?=a)a*b$"}}"#
        #expect(try Self.verdict(pattern, texts) == .valid)
        #expect(try Self.verdict(pattern, texts, ValidationLimits(steps: 500)) == .undecided(.steps))
    }

    @Test("Nested schemas leave room on the stack")
    func stack() throws {
        let schema = ##"{"allOf":[{"anyOf":[{"not":{"not":{"if":true,"then":{"items":{"$ref":"#"}}}}}]}]}"##
        let deep = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
        let limits = ValidationLimits(text: JSONLimits(maximumDepth: 1024))
        #expect(try Self.verdict(schema, deep, limits) == .undecided(.depth))
        #expect(try Self.verdict(schema, "[[[[]]]]") == .valid)
    }

    @Test("Comparisons of adversarial values run out of steps")
    func comparisons() throws {
        let elements = (0..<3000).map { #"{"a":[\#($0),{"b":[]}],"c":"x"}"# }.joined(separator: ",")
        #expect(try Self.verdict(#"{"uniqueItems":true}"#, "[\(elements)]") == .valid)
        #expect(
            try Self.verdict(#"{"uniqueItems":true}"#, "[\(elements)]", ValidationLimits(steps: 5000))
                == .undecided(.steps))
    }

    @Test(
        "The length of a number doesn't matter",
        arguments: [("1e400", true), ("1e-400", false), ("-1e1000000000", false)])
    func numbers(_ number: String, _ isValid: Bool) throws {
        #expect(try Self.verdict(#"{"minimum":1}"#, number) == (isValid ? .valid : .invalid))
    }

    @Test(
        "Step limits are exact for multipleOf",
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
