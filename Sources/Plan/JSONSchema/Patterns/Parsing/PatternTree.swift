/// A parsed pattern.
///
/// Nodes name each other by their places, so that no work on a deeply nested pattern needs a deep stack.
struct PatternTree {
    let nodes: [PatternNode]
    /// The place of the node that is the whole pattern.
    let root: Int
    /// The sets of characters that the nodes name, each once.
    let sets: [ScalarSet]
    /// How many capturing groups there are.
    let groupCount: Int
    /// The group that each backreference means.
    let references: [Int]
    /// Whether the pattern looks ahead or behind.
    let looks: Bool
}

/// A part of a pattern, as it is written. Parts of it are named by their place in the tree's `nodes`.
struct PatternNode {
    enum Kind {
        /// One character of a set, by its place in the tree's `sets`.
        case set(Int)
        /// Parts one after the other; without any, nothing, which matches anywhere.
        case sequence([Int])
        case alternation([Int])
        /// A capturing group, by its number from 1.
        case group(Int, Int)
        case repetition(Int, PatternRepetition)
        case assertion(PatternAssertion)
        case look(PatternLook, Int)
        /// What a group matched, by the place in the tree's `references`.
        case backreference(Int)
    }

    let kind: Kind
    /// Whether a match may have no characters.
    let canBeEmpty: Bool
    /// Whether it consists of checks only, which hold twice if they hold once.
    let isBare: Bool
    /// Whether a match can only begin at the text's start.
    let isAnchored: Bool

    /// Makes a node whose parts are among the nodes that came before.
    init(_ kind: Kind, among nodes: [PatternNode]) {
        self.kind = kind
        switch kind {
        case .set: (canBeEmpty, isBare, isAnchored) = (false, false, false)
        case .sequence(let items):
            canBeEmpty = items.allSatisfy { nodes[$0].canBeEmpty }
            isBare = items.allSatisfy { nodes[$0].isBare }
            isAnchored = items.first.map { nodes[$0].isAnchored } ?? false
        case .alternation(let alternatives):
            canBeEmpty = alternatives.contains { nodes[$0].canBeEmpty }
            isBare = alternatives.allSatisfy { nodes[$0].isBare }
            isAnchored = alternatives.allSatisfy { nodes[$0].isAnchored }
        case .group(_, let body):
            (canBeEmpty, isBare, isAnchored) = (nodes[body].canBeEmpty, false, nodes[body].isAnchored)
        case .repetition(let body, let repetition):
            canBeEmpty = repetition.minimum == 0 || nodes[body].canBeEmpty
            (isBare, isAnchored) = (nodes[body].isBare, false)
        case .assertion(let assertion): (canBeEmpty, isBare, isAnchored) = (true, true, assertion == .start)
        case .look, .backreference: (canBeEmpty, isBare, isAnchored) = (true, false, false)
        }
    }
}

/// What must hold at a place, without any character being taken.
enum PatternAssertion {
    case start
    case end
    case wordBoundary
    case noWordBoundary

    /// Whether it holds between two neighbours.
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

/// How often a part of a pattern matches.
struct PatternRepetition {
    let minimum: Int
    /// The most often it matches, or nil for without end.
    let maximum: Int?
    /// Whether it rather matches more often than less.
    let isGreedy: Bool
    /// The groups inside of it, which each round forgets.
    let groups: Range<Int>
}

/// A look at what follows or precedes a place.
enum PatternLook {
    case ahead
    case notAhead
    case behind
    case notBehind

    var isNegative: Bool { self == .notAhead || self == .notBehind }
    var isBehind: Bool { self == .behind || self == .notBehind }
}

/// A group whose end was not yet read.
struct OpenGroup {
    enum Kind {
        /// The pattern itself, which no parenthesis closes.
        case whole
        case plain
        case capturing(Int)
        case look(PatternLook)
    }

    let kind: Kind
    /// Where its parenthesis is.
    let offset: Int
    /// How many capturing groups began before it.
    let groupsBefore: Int
    /// The alternatives that are complete.
    var alternatives: [Int] = []
    /// What was read of the alternative that is not.
    var items: [Int] = []

    init(_ kind: Kind, offset: Int, groupsBefore: Int) {
        self.kind = kind
        self.offset = offset
        self.groupsBefore = groupsBefore
    }
}
