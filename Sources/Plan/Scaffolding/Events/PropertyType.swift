internal import JSONLines
internal import JSONSchema

/// The type of a new property.
enum PropertyType: Hashable {
    case boolean, number
    /// An integer in a range.
    case integer(ClosedRange<Int>)
    /// A string whose length is in a range, in Unicode scalars.
    case string(ClosedRange<Int>)
    /// A string with a format: `uuid`, `date`, `date-time`.
    case formatted(String)
    /// One of several words.
    case words([String])

    /// The names of the types on the command line.
    static let names = ["boolean", "integer", "number", "string"] + formats
    static let formats = ["uuid", "date", "date-time"]
    /// The default length of a string.
    static let anyLength = 0...256
    /// The limit of a string's length: longer than any event, and short enough for an example.
    static let greatestLength = 1_000_000
    /// The range that every JSON reader keeps exactly: ±(2^53 − 1).
    static let anyInteger = -9_007_199_254_740_991...9_007_199_254_740_991

    /// The keywords of its schema, as JSON without braces.
    var keywords: String { schema.map { "\"\($0.rawValue)\": \($1)" }.joined(separator: ", ") }

    /// The keywords of its schema, each with its value as JSON.
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
            // The number of decimals in a time is unlimited, so limit the length.
            return [(.type, #""string""#), (.format, #""date-time""#), (.maxLength, "64")]
        case .formatted(let format): return [(.type, #""string""#), (.format, #""\#(format)""#)]
        case .words(let words): return [(.enum, JSONText.array(words))]
        }
    }

    /// An example value, as JSON.
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

    /// Whether it is a string with any content.
    var isFreeText: Bool { if case .string = self { true } else { false } }
}

/// JSON text for templates.
enum JSONText {
    /// Returns a quoted and escaped string.
    static func string(_ text: String) -> String {
        var json = JSONWriter()
        json.string(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Returns an array of strings on one line.
    static func array(_ texts: [String]) -> String { "[\(texts.map(string).joined(separator: ", "))]" }
}
