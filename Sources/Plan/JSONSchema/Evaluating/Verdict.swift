/// The result of validating a text.
public enum Verdict: Hashable, Sendable {
    /// The text satisfies the schema.
    case valid
    /// The text is JSON and violates the schema.
    case invalid
    /// The text is not JSON, or exceeds the limits of the reader.
    case unreadable(JSONTextError)
    /// A limit was reached before the validation was complete.
    case undecided(ExhaustedLimit)
}

/// A limit that ended a validation without a result: the text is neither valid nor invalid.
public enum ExhaustedLimit: Error, Hashable, Sendable, CustomStringConvertible {
    /// A pattern needed more steps than ``ValidationLimits/patternSteps``.
    case patternSteps
    /// The validation needed more steps than ``ValidationLimits/steps``.
    case steps
    /// References were nested deeper than ``ValidationLimits/depth``.
    case depth

    /// The limit and how to stay within it.
    public var description: String {
        switch self {
        case .patternSteps: "a pattern exceeded its step limit: simplify the pattern, or raise the limit"
        case .steps: "the validation exceeded its step limit: simplify the schema, or raise the limit"
        case .depth: "references exceeded the depth limit: simplify the schema, or raise the limit"
        }
    }
}

/// The limits after which a validation ends as ``Verdict/undecided(_:)``.
public struct ValidationLimits: Hashable, Sendable {
    /// The limits for reading JSON.
    public var text: JSONLimits
    /// The maximum number of steps of one pattern search; 100,000 by default. A step examines one character in one
    /// state.
    public var patternSteps: Int {
        didSet { patternSteps = max(0, patternSteps) }
    }
    /// The maximum number of steps of a text; 10,000,000 by default. Applying a schema to a value is one step, and so
    /// is each step of a pattern. Long values cost a few more steps, and checking the format regex costs four steps per
    /// byte.
    public var steps: Int {
        didSet { steps = max(0, steps) }
    }
    /// The maximum nesting of schemas within schemas; 1,500 by default, which is also the maximum. On a thread with a
    /// small stack, validation stops before the stack overflows.
    public var depth: Int {
        didSet { depth = Self.depth(depth) }
    }

    /// Makes limits.
    public init(
        text: JSONLimits = .standard, patternSteps: Int = 100_000, steps: Int = 10_000_000, depth: Int = 1500
    ) {
        self.text = text
        self.patternSteps = max(0, patternSteps)
        self.steps = max(0, steps)
        self.depth = Self.depth(depth)
    }

    private static func depth(_ depth: Int) -> Int { min(max(0, depth), 1500) }

    /// The standard limits.
    public static let standard = ValidationLimits()
}
