/// What a reader of JSON takes.
public struct JSONLimits: Hashable, Sendable {
    /// How many bytes a text may have: 1 GiB unless set; never more than 2 GiB − 1.
    public var maximumBytes: Int {
        didSet { maximumBytes = Self.bytes(maximumBytes) }
    }
    /// How deep arrays and objects may be nested: 128 unless set; never more than 1,024, which takes a stack of some MiB.
    /// On a thread with a small stack it ends where the stack would.
    public var maximumDepth: Int {
        didSet { maximumDepth = Self.depth(maximumDepth) }
    }
    /// Whether only what every reader understands alike is taken (I-JSON, RFC 7493): no name twice in an object, no
    /// integer beyond ±(2^53 − 1), no number past the range of a double.
    public var isInteroperable: Bool

    /// Makes limits.
    public init(maximumBytes: Int = 1 << 30, maximumDepth: Int = 128, isInteroperable: Bool = false) {
        self.maximumBytes = Self.bytes(maximumBytes)
        self.maximumDepth = Self.depth(maximumDepth)
        self.isInteroperable = isInteroperable
    }

    private static func bytes(_ count: Int) -> Int { min(max(0, count), Int(Int32.max)) }
    private static func depth(_ depth: Int) -> Int { min(max(0, depth), 1024) }

    /// RFC 8259, any text.
    public static let standard = JSONLimits()
    /// RFC 7493, as lines of a log keep it.
    public static let interoperable = JSONLimits(isInteroperable: true)
}

/// A text that is not JSON, or is past a limit.
public struct JSONTextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where, in bytes from the start of the text.
    public let offset: Int
    /// What is wrong, as a short sentence without values of the text.
    public let reason: String

    init(_ issue: JSONSyntaxError, at offset: Int) {
        self.offset = offset
        reason = issue.reason
    }

    /// The reason and the offset.
    public var description: String { "\(reason), at byte \(offset)" }
}

/// What is wrong with a JSON text. Its place is where the cursor stands.
enum JSONSyntaxError: UInt8, Error {
    case expectedValue, expectedName, expectedColon, expectedCommaOrBrace, expectedCommaOrBracket
    case expectedEnd, unfinishedString, controlCharacter, unknownEscape, halfSurrogatePair, notUTF8
    case leadingZero, unfinishedNumber, tooDeep, tooLong, repeatedName, unsafeNumber

    var reason: String {
        switch self {
        case .expectedValue: "expected a value"
        case .expectedName: "expected a name in quotes"
        case .expectedColon: "expected a colon"
        case .expectedCommaOrBrace: "expected a comma or }"
        case .expectedCommaOrBracket: "expected a comma or ]"
        case .expectedEnd: "expected the end of the text"
        case .unfinishedString: "a string has no end"
        case .controlCharacter: "a control character stands in a string without an escape"
        case .unknownEscape: "there is no such escape"
        case .halfSurrogatePair: "half of a surrogate pair"
        case .notUTF8: "not UTF-8"
        case .leadingZero: "a number starts with 0"
        case .unfinishedNumber: "a number has no digits here"
        case .tooDeep: "nested deeper than the limit"
        case .tooLong: "longer than the limit"
        case .repeatedName: "a name stands twice in one object"
        case .unsafeNumber:
            "a number that not every reader keeps: an integer beyond ±(2^53−1), or past the range of a double"
        }
    }
}
