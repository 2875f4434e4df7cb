extension ArrayShape {
    /// What is in this and not in the other.
    func difference(_ other: ArrayShape, in context: SetContext) throws(BeyondSets) -> [SetPiece<ArrayShape>] {
        let count = max(prefix.count, other.prefix.count)
        let theirs = try other.expanded(to: count, in: context)
        return try SetPiece.rest(
            of: try expanded(to: count, in: context), theirs,
            { mine, shape throws(BeyondSets) in
                try mine.breaking(shape, in: context)
            })
    }

    /// The ways to break the other, with as many first elements told apart in both.
    private func breaking(_ other: ArrayShape, in context: SetContext) throws(BeyondSets) -> [SetPiece<ArrayShape>] {
        try context.spend()
        var pieces: [SetPiece<ArrayShape>] = []
        func add(_ trail: [String] = [], _ change: (inout ArrayShape) -> Void) {
            var piece = self
            change(&piece)
            if !piece.isPlainlyEmpty { pieces.append(SetPiece(shape: piece, trail: trail)) }
        }
        if other.minimum > 0 { add { $0.maximum = min($0.maximum ?? .max, other.minimum - 1) } }
        if let maximum = other.maximum, maximum < .max { add { $0.minimum = max($0.minimum, maximum + 1) } }
        for (place, theirs) in other.prefix.enumerated() {
            for part in try ValueSet.difference(prefix[place], theirs, in: context) {
                add([String(place)] + part.trail) {
                    $0.prefix[place] = part.shape
                    $0.minimum = max($0.minimum, place + 1)
                }
            }
        }
        for part in try ValueSet.difference(rest, other.rest, in: context) {
            add([String(prefix.count)] + part.trail) {
                $0.some.append(part.shape)
                $0.minimum = max($0.minimum, prefix.count + 1)
            }
        }
        for wanted in other.some {
            let left = try ValueSet.union(of: ValueSet.difference(rest, wanted, in: context), in: context)
            add { $0.rest = left }
        }
        if let isUnique = other.isUnique, self.isUnique != isUnique {
            if self.isUnique == nil { add { $0.isUnique = !isUnique } } else { add { _ in } }
        }
        for entry in other.contained {
            if entry.minimum == 1 {
                let none = try without(entry.set, in: context)
                add { $0 = none }
            } else if entry.minimum > 1 {
                add { $0.contained.append(Contained(set: entry.set, minimum: 0, maximum: entry.minimum - 1)) }
            }
            if let maximum = entry.maximum, maximum < .max {
                add { $0.contained.append(Contained(set: entry.set, minimum: maximum + 1)) }
            }
        }
        for atoms in atoms.difference(other.atoms) { add { $0.atoms = atoms } }
        return pieces
    }

    /// The arrays of which no element is in a set.
    private func without(_ set: ValueSet, in context: SetContext) throws(BeyondSets) -> ArrayShape {
        var shape = self
        for place in prefix.indices {
            shape.prefix[place] = try ValueSet.union(
                of: ValueSet.difference(prefix[place], set, in: context), in: context)
        }
        shape.rest = try ValueSet.union(of: ValueSet.difference(rest, set, in: context), in: context)
        return shape
    }
}
