extension ObjectShape {
    /// What is in this and not in the other.
    func difference(_ other: ObjectShape, in context: SetContext) throws(BeyondSets) -> [SetPiece<ObjectShape>] {
        let names = Set(slots.keys).union(other.slots.keys)
        let theirs = try other.expanded(to: names, in: context)
        return try SetPiece.rest(
            of: try expanded(to: names, in: context), theirs,
            { mine, shape throws(BeyondSets) in
                try mine.breaking(shape, in: context)
            })
    }

    /// The ways to break the other, with the same members told apart in both.
    private func breaking(_ other: ObjectShape, in context: SetContext) throws(BeyondSets) -> [SetPiece<ObjectShape>] {
        try context.spend()
        var pieces: [SetPiece<ObjectShape>] = []
        func add(_ trail: [String] = [], _ change: (inout ObjectShape) -> Void) {
            var piece = self
            change(&piece)
            if !piece.isPlainlyEmpty { pieces.append(SetPiece(shape: piece, trail: trail)) }
        }
        for name in other.slots.keys.sorted() {
            guard let mine = slots[name], let theirs = other.slots[name] else { continue }
            if theirs.isRequired, !mine.isRequired { add([name.text]) { $0.slots[name] = Slot(set: ValueSet.none) } }
            for part in try ValueSet.difference(mine.set, theirs.set, in: context) {
                add([name.text] + part.trail) { $0.slots[name] = Slot(set: part.shape, isRequired: true) }
            }
        }
        for part in try ValueSet.difference(others, other.others, in: context) {
            add { $0.some.append(part.shape) }
        }
        for wanted in other.some {
            let left = try ValueSet.union(of: ValueSet.difference(others, wanted, in: context), in: context)
            add { $0.others = left }
        }
        if other.minimum > 0 { add { $0.maximum = min($0.maximum ?? .max, other.minimum - 1) } }
        if let maximum = other.maximum, maximum < .max { add { $0.minimum = max($0.minimum, maximum + 1) } }
        for atoms in atoms.difference(other.atoms) { add { $0.atoms = atoms } }
        return pieces
    }
}
