/// A parsed pattern.
///
/// Nodes refer to each other by index, so that deep nesting needs no deep stack.
struct PatternTree {
    let nodes: [PatternNode]
    /// The index of the node for the whole pattern.
    let root: Int
    /// The distinct character sets of the nodes.
    let sets: [ScalarSet]
    /// The number of capturing groups.
    let groupCount: Int
    /// The group of each backreference.
    let references: [Int]
    /// Whether the pattern has lookaround.
    let looks: Bool
}

/// A part of a pattern. It refers to its own parts by their index in the tree's `nodes`.
struct PatternNode {
    enum Kind {
        /// One character of a set, by its index in the tree's `sets`.
        case set(Int)
        /// Consecutive parts. An empty sequence matches anywhere.
        case sequence([Int])
        case alternation([Int])
        /// A capturing group, by its number from 1.
        case group(Int, Int)
        case repetition(Int, PatternRepetition)
        case assertion(PatternAssertion)
        case look(PatternLook, Int)
        /// A backreference, by its index in the tree's `references`.
        case backreference(Int)
    }

    let kind: Kind
    /// Whether a match may be empty.
    let canBeEmpty: Bool
    /// Whether it consists only of assertions, so that repeating it changes nothing.
    let isBare: Bool
    /// Whether a match can only start at the start of the text.
    let isAnchored: Bool

    /// Makes a node whose parts are among earlier nodes.
    init(_ kind: Kind, among nodes: [PatternNode]) {
        self.kind = kind
        switch kind {
        case .set:
            canBeEmpty = false
            isBare = false
            isAnchored = false
        case .sequence(let items):
            canBeEmpty = items.allSatisfy { nodes[$0].canBeEmpty }
            isBare = items.allSatisfy { nodes[$0].isBare }
            isAnchored = items.first.map { nodes[$0].isAnchored } ?? false
        case .alternation(let alternatives):
            canBeEmpty = alternatives.contains { nodes[$0].canBeEmpty }
            isBare = alternatives.allSatisfy { nodes[$0].isBare }
            isAnchored = alternatives.allSatisfy { nodes[$0].isAnchored }
        case .group(_, let body):
            canBeEmpty = nodes[body].canBeEmpty
            isBare = false
            isAnchored = nodes[body].isAnchored
        case .repetition(let body, let repetition):
            canBeEmpty = repetition.minimum == 0 || nodes[body].canBeEmpty
            isBare = nodes[body].isBare
            isAnchored = false
        case .assertion(let assertion):
            canBeEmpty = true
            isBare = true
            isAnchored = assertion == .start
        case .look, .backreference:
            canBeEmpty = true
            isBare = false
            isAnchored = false
        }
    }
}

/// An assertion about an offset, which consumes no character.
enum PatternAssertion {
    case start
    case end
    case wordBoundary
    case noWordBoundary

    /// Returns whether the assertion holds between two edges.
    @inline(__always)
    func holds(before: TextEdge, after: TextEdge) -> Bool {
        switch self {
        case .start: before == .boundary
        case .end: after == .boundary
        case .wordBoundary: (before == .word) != (after == .word)
        case .noWordBoundary: (before == .word) == (after == .word)
        }
    }
}

struct PatternRepetition {
    let minimum: Int
    /// The maximum number of rounds, or nil for no limit.
    let maximum: Int?
    /// Whether it prefers more rounds.
    let isGreedy: Bool
    /// The inner groups, which each round resets.
    let groups: Range<Int>
}

/// A lookahead or lookbehind.
enum PatternLook {
    case ahead
    case notAhead
    case behind
    case notBehind

    var isNegative: Bool { self == .notAhead || self == .notBehind }
    var isBehind: Bool { self == .behind || self == .notBehind }
}

/// A group that is not closed yet.
struct OpenGroup {
    enum Kind {
        /// The pattern itself, which no parenthesis closes.
        case whole
        case plain
        case capturing(Int)
        case look(PatternLook)
    }

    let kind: Kind
    /// The offset of its parenthesis.
    let offset: Int
    /// The number of capturing groups that started before it.
    let groupsBefore: Int
    /// The complete alternatives.
    var alternatives: [Int] = []
    /// The items of the incomplete alternative.
    var items: [Int] = []

    init(_ kind: Kind, offset: Int, groupsBefore: Int) {
        self.kind = kind
        self.offset = offset
        self.groupsBefore = groupsBefore
    }
}
