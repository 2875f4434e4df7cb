/// A condition that is not looked into, such as a pattern: two of them are the same, or nothing is known of both.
struct ShapeAtom: Hashable, Sendable {
    /// The condition as a schema of its own.
    let schema: ExactJSON
}

/// The conditions of this kind that a value meets, and those that it must break.
struct AtomSet: Hashable, Sendable {
    var required: Set<ShapeAtom> = []
    var excluded: Set<ShapeAtom> = []

    /// Whether no value can do both.
    var isContradictory: Bool { !required.isDisjoint(with: excluded) }
    /// Whether nothing is asked.
    var isEmpty: Bool { required.isEmpty && excluded.isEmpty }

    func union(_ other: AtomSet) -> AtomSet {
        AtomSet(required: required.union(other.required), excluded: excluded.union(other.excluded))
    }

    /// What meets this and breaks the other, in one way each.
    func difference(_ other: AtomSet) -> [AtomSet] {
        let breaking = other.required.map { AtomSet(required: required, excluded: excluded.union([$0])) }
        let meeting = other.excluded.map { AtomSet(required: required.union([$0]), excluded: excluded) }
        return (breaking + meeting).filter { !$0.isContradictory }
    }
}
