internal import JSONSchema

extension ExactJSON {
    /// The value as JSON in one line, without spaces.
    ///
    /// - Parameter order: The names that come first in objects, in their order; the rest follows in the order of bytes.
    func written(order: [ExactText: Int] = [:]) -> String {
        switch self {
        case .null: return "null"
        case .boolean(let flag): return flag ? "true" : "false"
        case .number(let number): return number.description
        case .string(let text): return Self.quoted(text.text)
        case .array(let elements): return "[" + elements.map { $0.written(order: order) }.joined(separator: ",") + "]"
        case .object(let members):
            let names = members.keys.sorted { left, right in
                (order[left] ?? .max, left) < (order[right] ?? .max, right)
            }
            let written = names.map { name in
                Self.quoted(name.text) + ":" + (members[name]?.written(order: order) ?? "null")
            }
            return "{" + written.joined(separator: ",") + "}"
        }
    }

    /// A string of JSON with its quotes.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..."\u{1F}":
                let digits = String(character.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }
}
