internal import JSONSchema

/// What a new property takes.
enum PropertyType: Hashable {
    case boolean, number
    /// A whole number in a range.
    case integer(ClosedRange<Int>)
    /// Text whose length is in a range, in Unicode scalars.
    case string(ClosedRange<Int>)
    /// Text in a form of its own: `uuid`, `date`, `date-time`.
    case formatted(String)
    /// One of these words.
    case words([String])

    /// The names of the types, as people type them.
    static let names = ["boolean", "integer", "number", "string"] + formats
    static let formats = ["uuid", "date", "date-time"]
    /// Until somebody knows better.
    static let anyLength = 0...256
    /// Longer than any text that an event carries, and short enough to be written as an example.
    static let greatestLength = 1_000_000
    /// What every reader of JSON keeps exactly: ±(2^53 − 1).
    static let anyInteger = -9_007_199_254_740_991...9_007_199_254_740_991

    /// The keywords of its schema, as JSON without braces.
    var keywords: String { schema.map { "\"\($0.rawValue)\": \($1)" }.joined(separator: ", ") }

    /// The keywords of its schema, each with the JSON of its value.
    private var schema: [(SchemaKeyword, String)] {
        switch self {
        case .boolean: return [(.type, #""boolean""#)]
        case .number: return [(.type, #""number""#)]
        case .integer(let range):
            return [(.type, #""integer""#), (.minimum, "\(range.lowerBound)"), (.maximum, "\(range.upperBound)")]
        case .string(let length):
            let lower: [(SchemaKeyword, String)] =
                length.lowerBound > 0 ? [(.minLength, "\(length.lowerBound)")] : []
            return [(.type, #""string""#)] + lower + [(.maxLength, "\(length.upperBound)")]
        case .formatted("date-time"):
            // With any number of decimals a time would have no end.
            return [(.type, #""string""#), (.format, #""date-time""#), (.maxLength, "64")]
        case .formatted(let format): return [(.type, #""string""#), (.format, #""\#(format)""#)]
        case .words(let words): return [(.enum, JSONText.array(words))]
        }
    }

    /// A value, as JSON.
    var example: String {
        switch self {
        case .boolean: return "true"
        case .number: return "1.5"
        case .integer(let range): return "\(min(max(1, range.lowerBound), range.upperBound))"
        case .string(let length):
            let text = String(repeating: "text", count: (length.lowerBound + 3) / 4 + 1)
            return JSONText.string(String(text.prefix(min(max(4, length.lowerBound), length.upperBound))))
        case .formatted("uuid"): return #""00000000-0000-4000-8000-000000000001""#
        case .formatted("date"): return #""2018-09-12""#
        case .formatted: return #""2018-09-12T11:54:07Z""#
        case .words(let words): return JSONText.string(words[0])
        }
    }

    /// Whether it is text of any kind.
    var isFreeText: Bool { if case .string = self { true } else { false } }
}
