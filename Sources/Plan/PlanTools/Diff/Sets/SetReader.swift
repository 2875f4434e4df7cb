/// Makes the set of values that a schema accepts.
///
/// What sets cannot express (patterns, formats, members chosen by a pattern) becomes a ``ShapeAtom``, so that the set is
/// exact all the same.
struct SetReader {
    let context: SetContext

    /// - Parameter schema: Without references: see ``ReferenceInliner``.
    /// - Throws: ``BeyondSets``.
    func read(_ schema: ExactJSON) throws(BeyondSets) -> ValueSet {
        try context.spend()
        guard case .object = schema else { return schema == .boolean(false) ? .none : .everything }
        var set = try base(schema)
        if let list = schema["enum"] {
            set = try set.intersection(
                ValueSet.union(list.elements.map { .exactly($0) }, in: context), in: context)
        }
        if let value = schema["const"] { set = try set.intersection(.exactly(value), in: context) }
        for part in schema["allOf"]?.elements ?? [] { set = try set.intersection(try read(part), in: context) }
        if let parts = schema["anyOf"]?.elements { set = try set.intersection(try anyOf(parts), in: context) }
        if let parts = schema["oneOf"]?.elements { set = try set.intersection(try oneOf(parts), in: context) }
        if let part = schema["not"] { set = try set.intersection(complement(try read(part)), in: context) }
        if let condition = schema["if"] {
            set = try set.intersection(try conditional(condition, schema["then"], schema["else"]), in: context)
        }
        for (name, names) in schema["dependentRequired"]?.members.sorted(by: { $0.key < $1.key }) ?? [] {
            set = try set.intersection(try dependent(name, required: names.texts), in: context)
        }
        for (name, part) in schema["dependentSchemas"]?.members.sorted(by: { $0.key < $1.key }) ?? [] {
            set = try set.intersection(without(name).union(try read(part), in: context), in: context)
        }
        return set
    }

    private func base(_ schema: ExactJSON) throws(BeyondSets) -> ValueSet {
        let types = Set(schema["type"].map { $0.text.map { [$0] } ?? $0.texts } ?? ExactText.allTypes)
        var set = ValueSet()
        set.hasNull = types.contains("null")
        if types.contains("boolean") { set.booleans = [true, false] }
        if types.contains("number") { set.numbers = [try numbers(schema)] }
        if types.contains("integer"), !types.contains("number") {
            set.numbers = [try numbers(schema).intersection(.integers)]
        }
        if types.contains("string") { set.strings = [try strings(schema)] }
        if types.contains("array") { set.arrays = [try arrays(schema)] }
        if types.contains("object") { set.objects = [try objects(schema)] }
        return set
    }

    private func complement(_ set: ValueSet) throws(BeyondSets) -> ValueSet {
        try ValueSet.union(of: ValueSet.everything.difference(set, in: context), in: context)
    }

    private func anyOf(_ parts: [ExactJSON]) throws(BeyondSets) -> ValueSet {
        var sets: [ValueSet] = []
        for part in parts { sets.append(try read(part)) }
        return try ValueSet.union(sets, in: context)
    }

    private func oneOf(_ parts: [ExactJSON]) throws(BeyondSets) -> ValueSet {
        var sets: [ValueSet] = []
        for part in parts { sets.append(try read(part)) }
        var alone: [ValueSet] = []
        for (place, only) in sets.enumerated() {
            var left = only
            for (other, taken) in sets.enumerated() where other != place {
                left = try ValueSet.union(of: left.difference(taken, in: context), in: context)
            }
            alone.append(left)
        }
        return try ValueSet.union(alone, in: context)
    }

    private func conditional(
        _ condition: ExactJSON, _ consequence: ExactJSON?, _ alternative: ExactJSON?
    ) throws(BeyondSets) -> ValueSet {
        guard consequence != nil || alternative != nil else { return .everything }
        let set = try read(condition)
        let met = try set.intersection(try read(consequence ?? .boolean(true)), in: context)
        let unmet = try complement(set).intersection(try read(alternative ?? .boolean(true)), in: context)
        return try met.union(unmet, in: context)
    }

    private func dependent(_ name: ExactText, required names: [ExactText]) throws(BeyondSets) -> ValueSet {
        var all = ValueSet.everything
        let slots = names.map { ($0, ObjectShape.Slot(isRequired: true)) }
        all.objects = [ObjectShape(slots: Dictionary(slots) { first, _ in first })]
        return try without(name).union(all, in: context)
    }

    /// Every value but objects with that member.
    private func without(_ name: ExactText) -> ValueSet {
        var set = ValueSet.everything
        set.objects = [.without(name)]
        return set
    }
}

extension ExactText {
    /// What `type` may say; `integer` is a part of `number`.
    static let allTypes: [ExactText] = ["null", "boolean", "number", "string", "array", "object"]
}
