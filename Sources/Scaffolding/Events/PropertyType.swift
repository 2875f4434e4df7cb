internal import Foundation

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
    private static let formats = ["uuid", "date", "date-time"]
    /// Until somebody knows better.
    private static let anyLength = 0...256
    /// What every reader of JSON keeps exactly: ±(2^53 − 1).
    private static let anyInteger = -9_007_199_254_740_991...9_007_199_254_740_991

    /// Reads a name, with `=1...999` behind it for a range; or words with `|` between them. nil for anything else.
    init?(_ text: some StringProtocol) {
        let parts = text.components(separatedBy: "=")
        let range = parts.count > 1 ? Self.range(parts[1]) : nil
        guard parts.count == 1 || parts.count == 2 && range != nil, let name = parts.first else { return nil }
        switch name {
        case "integer":
            guard let range = Self.range(range, within: Self.anyInteger) else { return nil }
            self = .integer(range)
        case "string":
            let length = range ?? Self.anyLength
            guard length.lowerBound >= 0, length.upperBound > 0 else { return nil }
            self = .string(length)
        case _ where range != nil: return nil
        case "boolean": self = .boolean
        case "number": self = .number
        case _ where Self.formats.contains(name): self = .formatted(name)
        default:
            guard let words = Self.words(name) else { return nil }
            self = .words(words)
        }
    }

    /// `1...999`; nil for anything else.
    private static func range(_ text: some StringProtocol) -> ClosedRange<Int>? {
        let ends = text.components(separatedBy: "...").map { Int($0) }
        guard ends.count == 2, let lower = ends[0], let upper = ends[1], lower <= upper else { return nil }
        return lower...upper
    }

    private static func range(_ range: ClosedRange<Int>?, within widest: ClosedRange<Int>) -> ClosedRange<Int>? {
        guard let range else { return widest }
        return range.clamped(to: widest) == range ? range : nil
    }

    private static func words(_ text: some StringProtocol) -> [String]? {
        let words = text.components(separatedBy: "|")
        let isPlain = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        }
        return words.count > 1 && isPlain && Set(words).count == words.count ? words : nil
    }

    /// The keywords of its schema, as JSON without braces.
    var keywords: String {
        switch self {
        case .boolean: return #""type": "boolean""#
        case .number: return #""type": "number""#
        case .integer(let range):
            return #""type": "integer", "minimum": \#(range.lowerBound), "maximum": \#(range.upperBound)"#
        case .string(let length):
            let lower = length.lowerBound > 0 ? #""minLength": \#(length.lowerBound), "# : ""
            return #""type": "string", \#(lower)"maxLength": \#(length.upperBound)"#
        case .formatted("date-time"):
            // With any number of decimals a time would have no end.
            return #""type": "string", "format": "date-time", "maxLength": 64"#
        case .formatted(let format): return #""type": "string", "format": "\#(format)""#
        case .words(let words): return #""enum": \#(JSONText.array(words))"#
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
