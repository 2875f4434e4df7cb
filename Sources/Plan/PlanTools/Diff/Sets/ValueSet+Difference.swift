extension ValueSet {
    /// What is in this and not in the other, in sets of one shape each.
    func difference(_ other: ValueSet, in context: SetContext) throws(BeyondSets) -> [SetPiece<ValueSet>] {
        var pieces: [SetPiece<ValueSet>] = []
        for shape in strings {
            for piece in try Self.rest(
                of: shape, other.strings, in: context,
                { left, right throws(BeyondSets) in
                    left.difference(right).map { SetPiece(shape: $0) }
                })
            { pieces.append(SetPiece(shape: ValueSet(strings: [piece.shape]))) }
        }
        for shape in numbers {
            for piece in try Self.rest(
                of: shape, other.numbers, in: context,
                { left, right throws(BeyondSets) in
                    try left.difference(right).map { SetPiece(shape: $0) }
                })
            { pieces.append(SetPiece(shape: ValueSet(numbers: [piece.shape]))) }
        }
        for flag in [true, false] where booleans.contains(flag) && !other.booleans.contains(flag) {
            pieces.append(SetPiece(shape: ValueSet(booleans: [flag])))
        }
        for shape in objects {
            for piece in try Self.rest(
                of: shape, other.objects, in: context,
                { left, right throws(BeyondSets) in
                    try left.difference(right, in: context)
                })
            { pieces.append(SetPiece(shape: ValueSet(objects: [piece.shape]), trail: piece.trail)) }
        }
        for shape in arrays {
            for piece in try Self.rest(
                of: shape, other.arrays, in: context,
                { left, right throws(BeyondSets) in
                    try left.difference(right, in: context)
                })
            { pieces.append(SetPiece(shape: ValueSet(arrays: [piece.shape]), trail: piece.trail)) }
        }
        if hasNull && !other.hasNull { pieces.append(SetPiece(shape: ValueSet(hasNull: true))) }
        return pieces
    }

    /// What is in one and not in the other; nil is every value.
    static func difference(
        _ left: ValueSet?, _ right: ValueSet?, in context: SetContext
    ) throws(BeyondSets) -> [SetPiece<ValueSet>] {
        guard let right else { return [] }
        return try (left ?? .everything).difference(right, in: context)
    }

    /// What is left of a shape when others are taken away one after the other.
    private static func rest<Shape: Hashable>(
        of shape: Shape, _ others: [Shape], in context: SetContext,
        _ subtract: (Shape, Shape) throws(BeyondSets) -> [SetPiece<Shape>]
    ) throws(BeyondSets) -> [SetPiece<Shape>] {
        guard !others.contains(shape) else { return [] }
        return try SetPiece.rest(
            of: [shape], others,
            { mine, other throws(BeyondSets) in
                let found = try subtract(mine, other)
                try context.spend(found.count)
                return found
            })
    }
}
