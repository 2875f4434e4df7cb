@testable import PlanDiff

/// Generates random schemas of objects and arrays whose strings match patterns outside the search, changes of them, and
/// documents that match such patterns.
struct RandomOpenSchemas: RandomNumberGenerator {
    private var random: RandomSchemas

    init(seed: UInt64) { random = RandomSchemas(seed: seed) }

    mutating func next() -> UInt64 { random.next() }

    private mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    private mutating func pick<T>(_ items: [T]) -> T { items[Int.random(in: items.indices, using: &self)] }

    private static let patterns = ["^[0-9]{12}$", "^[0-9]{12,13}$", "^[0-9]{13}$"]
    private static let names = ["ab", "b", "c"]
    private static let reference = "#/$defs/t"

    /// A recursive schema.
    mutating func schema() -> ExactJSON {
        var members = applied(0)
        members["$defs"] = object(["t": definition()])
        return .object(members)
    }

    private mutating func definition() -> ExactJSON {
        object([
            "type": .string(pick(["object", "object", "array"])),
            "properties": object(["ab": leaf(), "next": object(["$ref": .string(ExactText(Self.reference))])]),
        ])
    }

    private func object(_ members: [ExactText: ExactJSON]) -> ExactJSON { .object(members) }

    private mutating func leaf() -> ExactJSON {
        switch Int.random(in: 0..<8, using: &self) {
        case 0: object(["type": .string("integer")])
        case 1: .boolean(happens(50))
        case 2: object(["$ref": .string(ExactText(Self.reference))])
        default: object(["type": .string("string"), "pattern": .string(ExactText(pick(Self.patterns)))])
        }
    }

    /// A schema of the same value.
    private mutating func part(_ depth: Int) -> ExactJSON {
        happens(10) ? object(["$ref": .string(ExactText(Self.reference))]) : .object(applied(depth + 1))
    }

    private mutating func applied(_ depth: Int) -> [ExactText: ExactJSON] {
        var members: [ExactText: ExactJSON] = [:]
        for _ in 0..<Int.random(in: 1...(depth == 0 ? 4 : 2), using: &self) {
            let (keyword, value) = keyword(depth)
            members[keyword] = value
        }
        return members
    }

    private mutating func keyword(_ depth: Int) -> (ExactText, ExactJSON) {
        let closing: [ExactText] = [
            "additionalProperties", "unevaluatedProperties", "items", "unevaluatedItems",
        ]
        switch Int.random(in: 0..<(depth >= 2 ? 10 : 18), using: &self) {
        case 0...2:
            let names = Self.names.filter { _ in happens(50) }
            return ("properties", object(Dictionary(uniqueKeysWithValues: names.map { (ExactText($0), leaf()) })))
        case 3: return ("patternProperties", object([ExactText(pick(["^a", "b$"])): leaf()]))
        case 4...6: return (pick(closing), happens(50) ? .boolean(false) : leaf())
        case 7: return ("prefixItems", .array([leaf()]))
        case 8: return ("contains", leaf())
        case 9: return ("required", .array([.string(ExactText(pick(Self.names)))]))
        case 10, 11: return ("allOf", .array([part(depth)] + (happens(40) ? [part(depth)] : [])))
        case 12: return ("anyOf", .array([part(depth), part(depth)]))
        case 13: return ("oneOf", .array([part(depth), part(depth)]))
        case 14: return ("not", part(depth))
        case 15: return (pick(["if", "then", "else"]), part(depth))
        case 16: return ("dependentSchemas", object([ExactText(pick(Self.names)): part(depth)]))
        default: return ("$ref", .string(ExactText(Self.reference)))
        }
    }

    /// The schema with one random part removed, added or replaced.
    mutating func changed(_ schema: ExactJSON) -> ExactJSON {
        guard case .object(var members) = schema, !members.isEmpty else { return leaf() }
        let name = pick(members.keys.sorted())
        guard let value = members[name] else { return schema }
        switch Int.random(in: 0..<10, using: &self) {
        case 0 where name != "$defs": members[name] = nil
        case 1 where members["$defs"] != nil || members["properties"] != nil:
            let (keyword, value) = keyword(1)
            if keyword != "$ref" { members[keyword] = value }
        default: members[name] = changedValue(value, of: name)
        }
        return .object(members)
    }

    private mutating func changedValue(_ value: ExactJSON, of keyword: ExactText) -> ExactJSON {
        switch value {
        case .object(var members)
        where ["properties", "patternProperties", "dependentSchemas", "$defs"].contains(keyword):
            guard let name = members.keys.sorted().first, let inner = members[name] else {
                return object(["ab": leaf()])
            }
            if keyword != "$defs", happens(30) {
                members[name] = nil
            } else if keyword == "properties", happens(30) {
                members[ExactText(pick(Self.names))] = leaf()
            } else {
                members[name] = changed(inner)
            }
            return .object(members)
        case .object: return changed(value)
        case .array(var elements) where ["allOf", "anyOf", "oneOf", "prefixItems"].contains(keyword):
            let location = Int.random(in: elements.indices, using: &self)
            if elements.count > 1, happens(30) {
                elements.remove(at: location)
            } else {
                elements[location] = changed(elements[location])
            }
            return .array(elements)
        case .string where keyword == "pattern": return .string(ExactText(pick(Self.patterns)))
        case .boolean: return leaf()
        default: return value
        }
    }

    /// A document whose strings match the patterns.
    mutating func document(_ depth: Int = 0) -> String {
        switch Int.random(in: 0..<(depth >= 2 ? 4 : 8), using: &self) {
        case 0: return "1"
        case 1, 2: return #""123456789012""#
        case 3: return #""1234567890123""#
        case 4:
            let count = Int.random(in: 0...2, using: &self)
            return "[" + (0..<count).map { _ in document(depth + 1) }.joined(separator: ",") + "]"
        default:
            let names = (Self.names + ["next", "other"]).filter { _ in happens(40) }
            return "{" + names.map { "\"\($0)\":\(document(depth + 1))" }.joined(separator: ",") + "}"
        }
    }
}

extension ExactJSON {
    var json: String { written() }
}
