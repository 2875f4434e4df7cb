/// What a new property takes.
enum PropertyType: Hashable {
    case boolean, integer, number, string
    /// Text in a form of its own: `uuid`, `date`, `date-time`.
    case formatted(String)
    /// One of these words.
    case words([String])

    /// The names of the types, as people type them.
    static let names = ["boolean", "integer", "number", "string"] + formats
    private static let formats = ["uuid", "date", "date-time"]
    /// In Unicode scalars, until somebody knows better.
    private static let maximumLength = 256
    /// What every reader of JSON keeps exactly: ±(2^53 − 1).
    private static let largestInteger = 9_007_199_254_740_991

    /// Reads a name, or words with `|` between them; nil for anything else.
    init?(_ text: some StringProtocol) {
        switch text {
        case "boolean": self = .boolean
        case "integer": self = .integer
        case "number": self = .number
        case "string": self = .string
        case _ where Self.formats.contains(String(text)): self = .formatted(String(text))
        default:
            let words = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            let isPlain = words.allSatisfy { word in
                !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
            }
            guard words.count > 1, isPlain, Set(words).count == words.count else { return nil }
            self = .words(words)
        }
    }

    /// The keywords of its schema, as JSON without braces. The limits are the widest that the rules of a plan allow.
    var keywords: String {
        switch self {
        case .boolean: #""type": "boolean""#
        case .integer: #""type": "integer", "minimum": -\#(Self.largestInteger), "maximum": \#(Self.largestInteger)"#
        case .number: #""type": "number""#
        case .string: #""type": "string", "maxLength": \#(Self.maximumLength)"#
        case .formatted(let format): #""type": "string", "format": "\#(format)""#
        case .words(let words): #""enum": [\#(words.map { #""\#($0)""# }.joined(separator: ", "))]"#
        }
    }

    /// A value, as JSON.
    var example: String {
        switch self {
        case .boolean: "true"
        case .integer: "1"
        case .number: "1.5"
        case .string: #""text""#
        case .formatted("uuid"): #""00000000-0000-4000-8000-000000000001""#
        case .formatted("date"): #""2018-09-12""#
        case .formatted: #""2018-09-12T11:54:07Z""#
        case .words(let words): #""\#(words[0])""#
        }
    }
}
