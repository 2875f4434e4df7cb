internal import JSONSchema

/// Formats JSON for people: values that fit are on one line, others are indented by two spaces.
struct JSONPrinter {
    private static let width = 64
    private(set) var tokens: [JSONToken] = []

    /// Formats a value on as many lines as it needs.
    init(_ value: JSONDocument.Value) { add(value, indent: 0, room: Self.width) }

    private init() {}

    /// Returns a value on one line.
    static func line(_ value: JSONDocument.Value) -> String {
        var printer = JSONPrinter()
        printer.addLine(value)
        return printer.text
    }

    var text: String { tokens.map(\.text).joined() }

    private mutating func add(_ kind: JSONToken.Kind, _ text: String) {
        tokens.append(JSONToken(kind: kind, text: text))
    }

    private mutating func add(_ value: JSONDocument.Value, indent: Int, room: Int) {
        guard value.kind == .object || value.kind == .array, Self.line(value).count > room else {
            return addLine(value)
        }
        let isObject = value.kind == .object
        add(.mark, isObject ? "{" : "[")
        let inner = indent + 2
        let lineStart = "\n" + String(repeating: " ", count: inner)
        let parts = isObject ? value.members.map { ($0.name, $0.value) } : value.elements.map { ("", $0) }
        for (index, part) in parts.enumerated() {
            add(.mark, (index == 0 ? "" : ",") + lineStart)
            if isObject { addName(part.0) }
            add(part.1, indent: inner, room: Self.width - inner)
        }
        add(.mark, "\n" + String(repeating: " ", count: indent) + (isObject ? "}" : "]"))
    }

    private mutating func addLine(_ value: JSONDocument.Value) {
        switch value.kind {
        case .object:
            let members = value.members
            add(.mark, members.isEmpty ? "{}" : "{ ")
            for (index, member) in members.enumerated() {
                if index > 0 { add(.mark, ", ") }
                addName(member.name)
                addLine(member.value)
            }
            if !members.isEmpty { add(.mark, " }") }
        case .array:
            add(.mark, "[")
            for (index, element) in value.elements.enumerated() {
                if index > 0 { add(.mark, ", ") }
                addLine(element)
            }
            add(.mark, "]")
        case .string: add(.string, Self.quoted(value.string ?? ""))
        case .number: add(.number, value.number ?? "")
        default: add(.literal, String(decoding: value.source, as: UTF8.self))
        }
    }

    private mutating func addName(_ name: String) {
        add(.name, Self.quoted(name))
        add(.mark, ": ")
    }

    /// Returns a quoted string that escapes only required and invisible characters.
    static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in JSONDocument.quoted(text).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted
    }
}

/// A piece of JSON text with one color.
struct JSONToken {
    /// The kind of token.
    enum Kind {
        /// A member's name.
        case name
        case string
        case number
        /// `true`, `false`, `null`.
        case literal
        /// Brackets, commas, colons, white space.
        case mark
    }

    let kind: Kind
    let text: String
}
