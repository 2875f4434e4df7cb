/// Generates random schemas from the keywords that sets support, and documents near their values.
struct RandomSchemas: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    /// The xorshift64* generator.
    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 2_685_821_657_736_338_717
    }

    private mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    private mutating func pick<T>(_ items: [T]) -> T { items[Int.random(in: items.indices, using: &self)] }

    private mutating func number() -> String { pick(["-2", "-1", "0", "0.5", "1", "1.5", "2", "3", "4", "6", "1e1"]) }

    /// A schema as JSON.
    mutating func schema(_ depth: Int = 0) -> String {
        var keywords: [String] = []
        if happens(3) { return pick(["true", "false"]) }
        if happens(60) {
            keywords.append(
                pick([
                    #""type":"object""#, #""type":"array""#, #""type":"integer""#, #""type":"string""#,
                    #""type":["string","null"]"#, #""type":["number","boolean"]"#, #""type":"number""#,
                ]))
        }
        for _ in 0..<Int.random(in: 0...3, using: &self) { keywords.append(keyword(depth)) }
        var seen: Set<Substring> = []
        let once = keywords.filter { seen.insert($0.prefix { $0 != ":" }).inserted }
        return "{" + once.joined(separator: ",") + "}"
    }

    private mutating func keyword(_ depth: Int) -> String {
        let isDeep = depth >= 2
        switch Int.random(in: 0..<(isDeep ? 11 : 27), using: &self) {
        case 0: return "\"minimum\":\(number())"
        case 1: return "\"maximum\":\(number())"
        case 2: return "\"exclusiveMinimum\":\(number())"
        case 3: return "\"exclusiveMaximum\":\(number())"
        case 4: return "\"multipleOf\":\(pick(["0.5", "1", "2", "3"]))"
        case 5: return "\"minLength\":\(pick(["0", "1", "2"]))"
        case 6: return "\"maxLength\":\(pick(["0", "1", "2", "3"]))"
        case 7: return "\"enum\":[\(value(0)),\(value(0)),\(value(1))]"
        case 8: return "\"const\":\(value(1))"
        case 9: return "\"pattern\":\(pick([#""^a""#, #""b$""#]))"
        case 10: return "\"required\":[\(pick([#""a""#, #""b""#, #""a","b""#]))]"
        case 11: return "\"minItems\":\(pick(["0", "1", "2"]))"
        case 12: return "\"maxItems\":\(pick(["0", "1", "2"]))"
        case 13: return "\"uniqueItems\":\(pick(["true", "false"]))"
        case 14: return "\"items\":\(schema(depth + 1))"
        case 15: return "\"prefixItems\":[\(schema(depth + 1))]"
        case 16: return "\"contains\":\(schema(depth + 1)),\"maxContains\":2"
        case 17, 18:
            return "\"properties\":{\"a\":\(schema(depth + 1)),\"\(pick(["b", "c"]))\":\(schema(depth + 1))}"
        case 19: return "\"additionalProperties\":\(pick(["false", "true", schema(depth + 1)]))"
        case 20: return "\"minProperties\":\(pick(["1", "2"]))"
        case 21: return "\"maxProperties\":\(pick(["0", "1", "2"]))"
        case 22: return "\"allOf\":[\(schema(depth + 1)),\(schema(depth + 1))]"
        case 23: return "\"anyOf\":[\(schema(depth + 1)),\(schema(depth + 1))]"
        case 24: return "\"oneOf\":[\(schema(depth + 1)),\(schema(depth + 1))]"
        case 25: return "\"not\":\(schema(depth + 1))"
        default:
            return pick([
                "\"if\":\(schema(depth + 1)),\"then\":\(schema(depth + 1)),\"else\":\(schema(depth + 1))",
                "\"dependentRequired\":{\"a\":[\"b\"]}", "\"dependentSchemas\":{\"b\":\(schema(depth + 1))}",
                "\"patternProperties\":{\"^a\":\(schema(depth + 1))}", "\"propertyNames\":\(schema(depth + 1))",
                "\"unevaluatedProperties\":\(pick(["false", schema(depth + 1)]))",
                "\"unevaluatedItems\":\(pick(["false", schema(depth + 1)]))",
            ])
        }
    }

    /// A value as JSON.
    mutating func value(_ depth: Int = 0) -> String {
        switch Int.random(in: 0..<(depth >= 2 ? 6 : 10), using: &self) {
        case 0: return "null"
        case 1: return pick(["true", "false"])
        case 2, 3: return number()
        case 4, 5: return pick([#""""#, #""a""#, #""b""#, #""ab""#, #""aab""#, #""ba""#, #""cccc""#])
        case 6, 7:
            let count = Int.random(in: 0...3, using: &self)
            return "[" + (0..<count).map { _ in value(depth + 1) }.joined(separator: ",") + "]"
        default:
            let names = ["a", "b", "c", "aa"].filter { _ in happens(40) }
            return "{" + names.map { "\"\($0)\":\(value(depth + 1))" }.joined(separator: ",") + "}"
        }
    }

    /// A schema that differs in one random choice.
    mutating func neighbour(of schema: String) -> String {
        let changes = [
            ("\"minimum\":", "\"exclusiveMinimum\":"), ("\"anyOf\"", "\"allOf\""), ("\"oneOf\"", "\"anyOf\""),
            ("\"integer\"", "\"number\""), ("\"minLength\":1", "\"minLength\":0"), ("\"maximum\":", "\"minimum\":"),
            ("\"a\":", "\"c\":"), ("false", "true"), ("\"maxItems\":1", "\"maxItems\":2"), ("2", "3"),
            ("\"prefixItems\":[", "\"anyOf\":["), ("\"items\"", "\"unevaluatedItems\""), ("\"b\"", "\"a\""),
        ]
        for _ in 0..<20 {
            let (from, to) = pick(changes)
            guard let range = schema.firstRange(of: from) else { continue }
            var other = schema
            other.replaceSubrange(range, with: to)
            return other
        }
        return self.schema()
    }
}
