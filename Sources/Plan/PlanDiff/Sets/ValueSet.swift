/// A set of JSON values: for each type, a union of shapes.
///
/// ``SetReader`` turns a schema into the set of values that it accepts. The difference of two sets contains the values
/// that one schema accepts and the other rejects; a sample of it is a witness.
struct ValueSet: Hashable, Sendable {
    var hasNull = false
    var booleans: Set<Bool> = []
    var numbers: [NumberShape] = []
    var strings: [StringShape] = []
    var arrays: [ArrayShape] = []
    var objects: [ObjectShape] = []

    /// The empty set.
    static let none = ValueSet()

    static let everything = ValueSet(
        hasNull: true, booleans: [true, false], numbers: [.everything], strings: [.everything], arrays: [.everything],
        objects: [.everything])

    static func exactly(_ value: ExactJSON) -> ValueSet {
        switch value {
        case .null: ValueSet(hasNull: true)
        case .boolean(let flag): ValueSet(booleans: [flag])
        case .number(let number): ValueSet(numbers: [NumberShape(values: [number])])
        case .string(let text): ValueSet(strings: [StringShape(values: [text])])
        case .array(let elements): ValueSet(arrays: [.exactly(elements)])
        case .object(let members): ValueSet(objects: [.exactly(members)])
        }
    }

    /// Whether the set is obviously empty.
    var isPlainlyEmpty: Bool {
        !hasNull && booleans.isEmpty && numbers.allSatisfy(\.isPlainlyEmpty) && strings.allSatisfy(\.isPlainlyEmpty)
            && arrays.allSatisfy(\.isPlainlyEmpty) && objects.allSatisfy(\.isPlainlyEmpty)
    }

    /// Returns the values in both sets.
    func intersection(_ other: ValueSet, in context: SetContext) throws(BeyondSets) -> ValueSet {
        try context.spend()
        var common = ValueSet(hasNull: hasNull && other.hasNull, booleans: booleans.intersection(other.booleans))
        for left in numbers {
            for right in other.numbers { common.numbers.append(try left.intersection(right)) }
        }
        for left in strings { common.strings += other.strings.map(left.intersection) }
        for left in arrays {
            for right in other.arrays { common.arrays += try left.intersection(right, in: context) }
        }
        for left in objects {
            for right in other.objects { common.objects += try left.intersection(right, in: context) }
        }
        common.numbers.removeAll(where: \.isPlainlyEmpty)
        common.strings.removeAll(where: \.isPlainlyEmpty)
        try context.spend(common.numbers.count + common.strings.count)
        return common
    }

    /// Returns the values in both sets; nil is the set of all values.
    static func intersection(
        _ left: ValueSet?, _ right: ValueSet?, in context: SetContext
    ) throws(BeyondSets) -> ValueSet? {
        guard let left, let right else { return left ?? right }
        return try left.intersection(right, in: context)
    }
}

extension ValueSet {
    /// Returns the values in either set.
    func union(_ other: ValueSet, in context: SetContext) throws(BeyondSets) -> ValueSet {
        try Self.union([self, other], in: context)
    }

    /// Returns the union of a difference's pieces.
    static func union(of pieces: [SetPiece<ValueSet>], in context: SetContext) throws(BeyondSets) -> ValueSet {
        try union(pieces.map(\.shape), in: context)
    }

    /// Returns the union of sets; listed numbers and strings are merged into one list.
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

    /// Returns the shapes without duplicates.
    private static func joined<Shape: Hashable>(
        _ shapes: [Shape], in context: SetContext
    ) throws(BeyondSets) -> [Shape] {
        guard shapes.count > 1 else { return shapes }
        try context.spend(shapes.count)
        var seen: Set<Shape> = []
        return shapes.filter { seen.insert($0).inserted }
    }
}

extension ValueSet {
    /// Returns the values that are in this set and not in the other, one piece for each shape.
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

    /// Returns the difference of two sets; nil is the set of all values.
    static func difference(
        _ left: ValueSet?, _ right: ValueSet?, in context: SetContext
    ) throws(BeyondSets) -> [SetPiece<ValueSet>] {
        guard let right else { return [] }
        return try (left ?? .everything).difference(right, in: context)
    }

    /// Subtracts shapes one after the other.
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

extension ValueSet {
    /// Returns a simple value; nil only if there is none.
    ///
    /// - Throws: ``BeyondSets`` if no value was found, but some may exist.
    func sample(in context: SetContext) throws(BeyondSets) -> ExactJSON? { try samples(1, in: context).first }

    /// Returns whether the set is empty.
    ///
    /// - Throws: ``BeyondSets`` if that is unknown.
    func isEmpty(in context: SetContext) throws(BeyondSets) -> Bool { try sample(in: context) == nil }

    /// Returns some values, simple ones first; empty only if there are none.
    ///
    /// - Throws: ``BeyondSets`` if no value was found, but some may exist.
    func samples(_ count: Int, in context: SetContext) throws(BeyondSets) -> [ExactJSON] {
        try context.spend()
        var found: [ExactJSON] = []
        var open: BeyondSets?
        func add(_ sample: () throws(BeyondSets) -> [ExactJSON]) {
            guard found.count < count else { return }
            do throws(BeyondSets) {
                for value in try sample() where !found.contains(value) { found.append(value) }
            } catch { open = error }
        }
        for shape in strings {
            add { () throws(BeyondSets) in try shape.samples(count, in: context).map { .string($0) } }
        }
        for shape in numbers { add { () throws(BeyondSets) in try shape.samples(count).map { .number($0) } } }
        for flag in [true, false] where booleans.contains(flag) { add { [.boolean(flag)] } }
        for shape in objects {
            add { () throws(BeyondSets) in try shape.sample(in: context).map { [$0] } ?? [] }
        }
        for shape in arrays { add { () throws(BeyondSets) in try shape.sample(in: context).map { [$0] } ?? [] } }
        if hasNull { add { [.null] } }
        if found.isEmpty, let open { throw open }
        return Array(found.prefix(count))
    }

    /// Returns one value of each type in the set.
    ///
    /// - Throws: ``BeyondSets`` if no value was found, but some may exist.
    func variety(in context: SetContext) throws(BeyondSets) -> [ExactJSON] {
        let types = [
            ValueSet(strings: strings), ValueSet(numbers: numbers), ValueSet(booleans: booleans),
            ValueSet(objects: objects), ValueSet(arrays: arrays), ValueSet(hasNull: hasNull),
        ]
        var found: [ExactJSON] = []
        for type in types where !type.isPlainlyEmpty { found += try type.samples(1, in: context) }
        return found
    }

    func holds(_ value: ExactJSON, in context: SetContext) throws(BeyondSets) -> Bool {
        try !ValueSet.exactly(value).intersection(self, in: context).isEmpty(in: context)
    }

    /// Returns whether a value is in the set; nil is the set of all values.
    static func holds(_ set: ValueSet?, _ value: ExactJSON, in context: SetContext) throws(BeyondSets) -> Bool {
        try set?.holds(value, in: context) ?? true
    }
}
