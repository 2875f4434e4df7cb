/// What a validator says of a text.
public enum Verdict: Hashable, Sendable {
    /// It satisfies the schema.
    case valid
    /// It is JSON and breaks the schema.
    case invalid
    /// It is not JSON, or past the limits of what is read.
    case unreadable(JSONTextError)
    /// A limit was reached before the question was decided.
    case undecided(ExhaustedLimit)
}

/// A limit that ends a validation without an answer: neither valid nor invalid.
public enum ExhaustedLimit: Error, Hashable, Sendable, CustomStringConvertible {
    /// A pattern took more steps than ``ValidationLimits/patternSteps``.
    case patternSteps
    /// The whole took more steps than ``ValidationLimits/steps``.
    case steps
    /// Schemas referred to each other deeper than ``ValidationLimits/depth``.
    case depth

    /// The limit and what it means.
    public var description: String {
        switch self {
        case .patternSteps: "a pattern needs more steps than it may take: simplify the pattern, or raise the limit"
        case .steps: "the validation needs more steps than it may take: simplify the schema, or raise the limit"
        case .depth: "references are nested deeper than they may be: simplify the schema, or raise the limit"
        }
    }
}

/// How much a validation may cost before it ends as ``Verdict/undecided(_:)``.
public struct ValidationLimits: Hashable, Sendable {
    /// What is read as JSON.
    public var text: JSONLimits
    /// How many steps one search of a pattern may take; a step looks at one character in one state. 100,000 unless set.
    public var patternSteps: Int {
        didSet { patternSteps = max(0, patternSteps) }
    }
    /// How many steps a text may take in all: a schema applied to a value is one, and so is each step of a pattern. What
    /// is long or wide takes a few more; a text that is to be a regex takes four a byte. 10,000,000 unless set.
    public var steps: Int {
        didSet { steps = max(0, steps) }
    }
    /// How deep schemas may be applied within schemas; 1,500 unless set, which is also the most. On a thread
    /// with a small stack it ends where the stack would.
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
