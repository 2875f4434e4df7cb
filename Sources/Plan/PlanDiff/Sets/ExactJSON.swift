internal import Foundation
internal import JSONSchema
internal import Primitives

/// A JSON value that compares as JSON Schema defines equality: `1` equals `1.0`, and the order of members is
/// irrelevant.
indirect enum ExactJSON: Hashable, Sendable {
    case null
    case boolean(Bool)
    case number(ScaledDecimal)
    case string(ExactText)
    case array([ExactJSON])
    case object([ExactText: ExactJSON])

    /// Converts a value of a document.
    ///
    /// - Throws: ``BeyondSets`` for numbers that are too large and for unpaired surrogates.
    init(_ value: JSONDocument.Value) throws(BeyondSets) {
        switch value.kind {
        case .boolean: self = .boolean(value.boolean == true)
        case .number:
            guard let number = value.number.flatMap({ ScaledDecimal($0) }) else {
                throw BeyondSets("a number has more digits than are compared")
            }
            self = .number(number)
        case .string: self = .string(try Self.text(value.string ?? ""))
        case .array:
            var elements: [ExactJSON] = []
            for element in value.elements { elements.append(try ExactJSON(element)) }
            self = .array(elements)
        case .object:
            var members: [ExactText: ExactJSON] = [:]
            for member in value.members { members[try Self.text(member.name)] = try ExactJSON(member.value) }
            self = .object(members)
        default: self = .null
        }
    }

    /// Converts a value of a document; nil if it cannot be compared exactly. Only the reason is lost.
    init?(validating value: JSONDocument.Value) {
        do { try self.init(value) } catch { return nil }
    }

    private static func text(_ text: String) throws(BeyondSets) -> ExactText {
        guard !text.unicodeScalars.contains("\u{FFFD}") else {
            throw BeyondSets("a string may hold half a surrogate pair")
        }
        return ExactText(text)
    }

    /// Returns a member of an object; nil for any other value.
    subscript(name: ExactText) -> ExactJSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The members of an object; empty for any other value.
    var members: [ExactText: ExactJSON] {
        if case .object(let members) = self { members } else { [:] }
    }

    /// The elements of an array; empty for any other value.
    var elements: [ExactJSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The strings among the elements.
    var texts: [ExactText] { elements.compactMap(\.text) }

    /// The text of a string; nil for any other value.
    var text: ExactText? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number; nil for any other value.
    var number: ScaledDecimal? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The number as an `Int` if it is integral and fits; nil for any other value.
    var integer: Int? {
        number.flatMap {
            $0.units % ScaledDecimal.one == 0 ? ($0.units / ScaledDecimal.one).asInt64.flatMap(Int.init(exactly:)) : nil
        }
    }
}

extension ExactJSON {
    /// Returns the value as JSON on one line, without spaces.
    ///
    /// - Parameter order: The names that come first in objects, in their order. The others follow, sorted by bytes.
    func written(order: [ExactText: Int] = [:]) -> String {
        switch self {
        case .null: return "null"
        case .boolean(let flag): return flag ? "true" : "false"
        case .number(let number): return number.description
        case .string(let text): return JSONDocument.quoted(text.text)
        case .array(let elements): return "[" + elements.map { $0.written(order: order) }.joined(separator: ",") + "]"
        case .object(let members):
            let ordered = members.map { (location: order[$0.key] ?? .max, name: $0.key, value: $0.value) }
                .sorted { ($0.location, $0.name) < ($1.location, $1.name) }
            let written = ordered.map { JSONDocument.quoted($0.name.text) + ":" + $0.value.written(order: order) }
            return "{" + written.joined(separator: ",") + "}"
        }
    }
}

extension ExactJSON {
    static func schema(_ keyword: SchemaKeyword, _ value: ExactJSON) -> ExactJSON {
        .object([ExactText(keyword.rawValue): value])
    }

    /// The value of a keyword; nil if the schema does not have it.
    subscript(keyword: SchemaKeyword) -> ExactJSON? { self[ExactText(keyword.rawValue)] }

    /// Whether other schemas apply to the same value.
    var hasApplicators: Bool { SchemaKeyword.allCases.contains { $0.role == .inPlace && self[$0] != nil } }

    /// The members that the schema evaluates in every object that it accepts; nil if they depend on the object.
    var evaluatedNames: Set<ExactText>? {
        guard case .object = self else { return [] }
        let conditional: [SchemaKeyword] = [
            .patternProperties, .additionalProperties, .anyOf, .oneOf, .if, .dependentSchemas,
        ]
        guard conditional.allSatisfy({ self[$0] == nil }) else { return nil }
        var names = Set(self[.properties]?.members.keys.map { $0 } ?? [])
        for part in self[.allOf]?.elements ?? [] {
            // Within a subschema the same keyword evaluates all remaining members.
            guard part[.unevaluatedProperties] == nil, let more = part.evaluatedNames else { return nil }
            names.formUnion(more)
        }
        return names
    }

    /// The keywords of an object schema that apply to member names and patterns.
    var namesAndPatterns: ExactJSON {
        var kept: [ExactText: ExactJSON] = [:]
        for keyword in [SchemaKeyword.patternProperties, .additionalProperties] {
            kept[ExactText(keyword.rawValue)] = self[keyword]
        }
        kept[ExactText(SchemaKeyword.properties.rawValue)] = self[.properties].map {
            .object($0.members.mapValues { _ in .boolean(true) })
        }
        return .object(kept)
    }
}

/// A string that compares by Unicode scalars, as JSON does, unlike Swift's `String`, which uses canonical equivalence.
struct ExactText: Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
    let text: String

    init(_ text: String) { self.text = text }
    init(stringLiteral text: String) { self.text = text }

    var description: String { text }

    /// The length as `minLength` and `maxLength` count it.
    var length: Int { text.unicodeScalars.count }

    static func == (left: ExactText, right: ExactText) -> Bool { left.order(to: right) == 0 }

    static func < (left: ExactText, right: ExactText) -> Bool { left.order(to: right) < 0 }

    func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
        hasher.combine(UInt8(0xFF))
    }

    /// Returns a negative number if this sorts first by bytes, and zero for equal bytes.
    private func order(to other: ExactText) -> Int {
        withBytes { left in
            other.withBytes { right in
                guard let start = left.baseAddress, let other = right.baseAddress else {
                    return left.count - right.count
                }
                let order = memcmp(start, other, min(left.count, right.count))
                return order == 0 ? left.count - right.count : Int(order)
            }
        }
    }

    private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var text = text
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
