internal import JSONSchema

/// A JSON value without its text: equal to another if JSON Schema says so (`1` is `1.0`, the order of members says
/// nothing).
indirect enum ExactJSON: Hashable, Sendable {
    case null
    case boolean(Bool)
    case number(ScaledDecimal)
    case string(ExactText)
    case array([ExactJSON])
    case object([ExactText: ExactJSON])

    /// Takes a value out of its document.
    ///
    /// - Throws: ``BeyondSets`` for numbers that do not fit, and for halves of surrogate pairs.
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

    private static func text(_ text: String) throws(BeyondSets) -> ExactText {
        guard !text.unicodeScalars.contains("\u{FFFD}") else {
            throw BeyondSets("a string may hold half a surrogate pair")
        }
        return ExactText(text)
    }

    /// A member of an object; nil for any other value.
    subscript(name: ExactText) -> ExactJSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The members; empty for any other value than an object.
    var members: [ExactText: ExactJSON] {
        if case .object(let members) = self { members } else { [:] }
    }

    /// The elements; empty for any other value than an array.
    var elements: [ExactJSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The strings among the elements.
    var texts: [ExactText] { elements.compactMap(\.text) }

    /// The text of a string; nil for any other value.
    var text: ExactText? {
        if case .string(let text) = self { text } else { nil }
    }

    /// A number; nil for any other value.
    var number: ScaledDecimal? {
        if case .number(let number) = self { number } else { nil }
    }

    /// A whole number that fits; nil for any other value.
    var integer: Int? {
        number.flatMap { $0.units % ScaledDecimal.one == 0 ? Int(exactly: $0.units / ScaledDecimal.one) : nil }
    }
}
