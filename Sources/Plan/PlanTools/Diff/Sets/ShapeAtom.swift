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

    func union(_ other: AtomSet) -> AtomSet {
        AtomSet(required: required.union(other.required), excluded: excluded.union(other.excluded))
    }

    /// What meets this and breaks the other, in one way each.
    func difference(_ other: AtomSet) -> [AtomSet] {
        let breaking = Self.sorted(other.required).map { AtomSet(required: required, excluded: excluded.union([$0])) }
        let meeting = Self.sorted(other.excluded).map { AtomSet(required: required.union([$0]), excluded: excluded) }
        return (breaking + meeting).filter { !$0.isContradictory }
    }

    /// The conditions in the order of their JSON: a set has another one in each run.
    static func sorted(_ atoms: Set<ShapeAtom>) -> [ShapeAtom] {
        atoms.count < 2 ? Array(atoms) : atoms.map { ($0, $0.schema.written()) }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}
