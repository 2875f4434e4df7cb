extension ValueSet {
    /// A value, a plain one; nil only if there is none.
    ///
    /// - Throws: ``BeyondSets`` if none was found and there may be one.
    func sample(in context: SetContext) throws(BeyondSets) -> ExactJSON? { try samples(1, in: context).first }

    /// Whether there is no value.
    ///
    /// - Throws: ``BeyondSets`` if that is not known.
    func isEmpty(in context: SetContext) throws(BeyondSets) -> Bool { try sample(in: context) == nil }

    /// Some values, plain ones first; none only if there is none.
    ///
    /// - Throws: ``BeyondSets`` if none was found and there may be one.
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

    /// A value of each type that there is.
    ///
    /// - Throws: ``BeyondSets`` if none was found and there may be one.
    func variety(in context: SetContext) throws(BeyondSets) -> [ExactJSON] {
        let types = [
            ValueSet(strings: strings), ValueSet(numbers: numbers), ValueSet(booleans: booleans),
            ValueSet(objects: objects), ValueSet(arrays: arrays), ValueSet(hasNull: hasNull),
        ]
        var found: [ExactJSON] = []
        for type in types where !type.isPlainlyEmpty { found += try type.samples(1, in: context) }
        return found
    }

    /// Whether a value is in the set.
    func holds(_ value: ExactJSON, in context: SetContext) throws(BeyondSets) -> Bool {
        try !ValueSet.exactly(value).intersection(self, in: context).isEmpty(in: context)
    }

    /// Whether a value is in the set; nil is every value.
    static func holds(_ set: ValueSet?, _ value: ExactJSON, in context: SetContext) throws(BeyondSets) -> Bool {
        try set?.holds(value, in: context) ?? true
    }
}
