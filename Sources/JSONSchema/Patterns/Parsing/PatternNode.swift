/// A pattern, or a part of one, as it is written.
indirect enum PatternNode {
    /// Nothing, which matches anywhere.
    case empty
    /// One character of a set, by its place in the tree's `sets`.
    case set(Int)
    case sequence([PatternNode])
    case alternation([PatternNode])
    /// A capturing group, by its number from 1.
    case group(Int, PatternNode)
    case repetition(PatternNode, PatternRepetition)
    case assertion(PatternAssertion)
    case look(PatternLook, PatternNode)
    /// What a group matched, by the place in the tree's `references`.
    case backreference(Int)
}

extension PatternNode {
    /// A node of the items, one after the other.
    static func joined(_ items: [PatternNode]) -> PatternNode {
        switch items.count {
        case 0: .empty
        case 1: items[0]
        default: .sequence(items)
        }
    }

    /// A node of the alternatives.
    static func either(_ alternatives: [PatternNode]) -> PatternNode {
        alternatives.count == 1 ? alternatives[0] : .alternation(alternatives)
    }

    /// Whether a match may have no characters.
    var canBeEmpty: Bool {
        switch self {
        case .set: false
        case .sequence(let items): items.allSatisfy(\.canBeEmpty)
        case .alternation(let alternatives): alternatives.contains(where: \.canBeEmpty)
        case .group(_, let body): body.canBeEmpty
        case .repetition(let body, let repetition): repetition.minimum == 0 || body.canBeEmpty
        case .empty, .assertion, .look, .backreference: true
        }
    }

    /// Whether each match has no characters, and the node no groups.
    var isBare: Bool {
        switch self {
        case .empty, .assertion: true
        case .sequence(let items), .alternation(let items): items.allSatisfy(\.isBare)
        case .repetition(let body, _), .look(_, let body): body.isBare
        case .set, .group, .backreference: false
        }
    }

    /// Whether a match can only begin at the text's start.
    var isAnchored: Bool {
        switch self {
        case .assertion(let assertion): assertion == .start
        case .sequence(let items): items.first?.isAnchored ?? false
        case .alternation(let alternatives): alternatives.allSatisfy(\.isAnchored)
        case .group(_, let body): body.isAnchored
        case .empty, .set, .repetition, .look, .backreference: false
        }
    }
}
