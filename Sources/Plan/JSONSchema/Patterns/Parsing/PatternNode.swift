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
