/// The limits of a JSON reader.
public struct JSONLimits: Hashable, Sendable {
    /// The maximum length of a text in bytes: 1 GiB by default; at most 2 GiB − 1.
    public var maximumBytes: Int {
        didSet { maximumBytes = Self.bytes(maximumBytes) }
    }
    /// The maximum nesting of arrays and objects: 128 by default; at most 1,024, which needs several MiB of stack. On a
    /// thread with a small stack, reading stops before the stack overflows.
    public var maximumDepth: Int {
        didSet { maximumDepth = Self.depth(maximumDepth) }
    }
    /// Whether to accept only I-JSON (RFC 7493), which every reader interprets alike: no duplicate names, no integer
    /// beyond ±(2^53 − 1), and no number outside the range of a double.
    public var isInteroperable: Bool

    /// Makes limits.
    public init(maximumBytes: Int = 1 << 30, maximumDepth: Int = 128, isInteroperable: Bool = false) {
        self.maximumBytes = Self.bytes(maximumBytes)
        self.maximumDepth = Self.depth(maximumDepth)
        self.isInteroperable = isInteroperable
    }

    private static func bytes(_ count: Int) -> Int { min(max(0, count), Int(Int32.max)) }
    private static func depth(_ depth: Int) -> Int { min(max(0, depth), 1024) }

    /// Any text of RFC 8259.
    public static let standard = JSONLimits()
    /// I-JSON of RFC 7493, as in the lines of a log.
    public static let interoperable = JSONLimits(isInteroperable: true)
}

/// An error in a text that is not JSON, or exceeds a limit.
public struct JSONTextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset in the text, in bytes.
    public let offset: Int
    /// The error as a short clause, without values of the text.
    public let reason: String

    init(_ issue: JSONSyntaxError, at offset: Int) {
        self.offset = offset
        reason = issue.reason
    }

    /// The reason and the offset.
    public var description: String { "\(reason), at byte \(offset)" }
}

/// A syntax error. Its location is the cursor's position.
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
        case .unfinishedString: "unterminated string"
        case .controlCharacter: "unescaped control character in a string"
        case .unknownEscape: "unknown escape"
        case .halfSurrogatePair: "unpaired surrogate"
        case .notUTF8: "not UTF-8"
        case .leadingZero: "leading zero in a number"
        case .unfinishedNumber: "expected a digit"
        case .tooDeep: "nested deeper than the limit"
        case .tooLong: "longer than the limit"
        case .repeatedName: "duplicate name in an object"
        case .unsafeNumber:
            "number is not interoperable: an integer beyond ±(2^53−1), or outside the range of a double"
        }
    }
}
