extension ValueSet {
    /// What is in one of them.
    func union(_ other: ValueSet, in context: SetContext) throws(BeyondSets) -> ValueSet {
        try Self.union([self, other], in: context)
    }

    /// The pieces of a difference as one set.
    static func union(of pieces: [SetPiece<ValueSet>], in context: SetContext) throws(BeyondSets) -> ValueSet {
        try union(pieces.map(\.shape), in: context)
    }

    /// What is in one of them; listed numbers and strings become one list.
    static func union(_ sets: [ValueSet], in context: SetContext) throws(BeyondSets) -> ValueSet {
        var all = ValueSet(
            hasNull: sets.contains(where: \.hasNull), booleans: sets.reduce(into: []) { $0.formUnion($1.booleans) })
        all.numbers = try joined(sets.flatMap(\.numbers), in: context)
        all.strings = try joined(sets.flatMap(\.strings), in: context)
        let numbers = all.numbers.filter { $0.values != nil && $0 == NumberShape(values: $0.values) }
        if numbers.count > 1 {
            all.numbers.removeAll { $0.values != nil && $0 == NumberShape(values: $0.values) }
            all.numbers.append(NumberShape(values: numbers.reduce(into: []) { $0.formUnion($1.values ?? []) }))
        }
        let strings = all.strings.filter { $0.values != nil && $0 == StringShape(values: $0.values) }
        if strings.count > 1 {
            all.strings.removeAll { $0.values != nil && $0 == StringShape(values: $0.values) }
            all.strings.append(StringShape(values: strings.reduce(into: []) { $0.formUnion($1.values ?? []) }))
        }
        all.arrays = try joined(sets.flatMap(\.arrays), in: context)
        all.objects = try joined(sets.flatMap(\.objects), in: context)
        return all
    }

    /// Each shape once.
    private static func joined<Shape: Hashable>(
        _ shapes: [Shape], in context: SetContext
    ) throws(BeyondSets) -> [Shape] {
        guard shapes.count > 1 else { return shapes }
        try context.spend(shapes.count)
        var seen: Set<Shape> = []
        return shapes.filter { seen.insert($0).inserted }
    }
}
