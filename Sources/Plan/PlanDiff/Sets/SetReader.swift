internal import JSONSchema

/// Builds the set of values that a schema accepts.
///
/// Keywords that sets cannot express (patterns, formats, members selected by a pattern) become a ``ShapeAtom``, so that
/// the set is still exact.
struct SetReader {
    let context: SetContext

    /// - Parameter schema: A schema without references: see ``ReferenceInliner``.
    /// - Throws: ``BeyondSets``.
    func read(_ schema: ExactJSON) throws(BeyondSets) -> ValueSet {
        try context.spend()
        guard case .object = schema else { return schema == .boolean(false) ? .none : .everything }
        for keyword in SchemaKeyword.allCases where schema[keyword] != nil && !Self.reads(keyword) {
            throw BeyondSets("\(keyword) cannot be compared")
        }
        var set = try base(schema)
        if let list = schema[.enum] {
            set = try set.intersection(
                ValueSet.union(list.elements.map { .exactly($0) }, in: context), in: context)
        }
        if let value = schema[.const] { set = try set.intersection(.exactly(value), in: context) }
        for part in schema[.allOf]?.elements ?? [] { set = try set.intersection(try read(part), in: context) }
        if let parts = schema[.anyOf]?.elements { set = try set.intersection(try anyOf(parts), in: context) }
        if let parts = schema[.oneOf]?.elements { set = try set.intersection(try oneOf(parts), in: context) }
        if let part = schema[.not] { set = try set.intersection(complement(try read(part)), in: context) }
        if let condition = schema[.if] {
            set = try set.intersection(
                try conditional(if: condition, then: schema[.then], else: schema[.else]), in: context)
        }
        for (name, names) in schema[.dependentRequired]?.members.sorted(by: { $0.key < $1.key }) ?? [] {
            set = try set.intersection(try dependent(name, required: names.texts), in: context)
        }
        for (name, part) in schema[.dependentSchemas]?.members.sorted(by: { $0.key < $1.key }) ?? [] {
            set = try set.intersection(without(name).union(try read(part), in: context), in: context)
        }
        return set
    }

    private func base(_ schema: ExactJSON) throws(BeyondSets) -> ValueSet {
        let types = Set(schema[.type].map { $0.text.map { [$0] } ?? $0.texts } ?? ExactText.allTypes)
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

    /// Returns whether sets express a keyword. The switch has no `default`: ignoring a keyword that rejects values
    /// would lead to wrong proofs.
    private static func reads(_ keyword: SchemaKeyword) -> Bool {
        switch keyword {
        case .type, .enum, .const, .allOf, .anyOf, .oneOf, .not, .if, .then, .else, .dependentRequired,
            .dependentSchemas, .minimum, .exclusiveMinimum, .maximum, .exclusiveMaximum, .multipleOf, .minLength,
            .maxLength, .pattern, .format, .minItems, .maxItems, .prefixItems, .items, .uniqueItems, .contains,
            .minContains, .maxContains, .unevaluatedItems, .minProperties, .maxProperties, .properties,
            .patternProperties, .additionalProperties, .required, .unevaluatedProperties, .propertyNames:
            true
        // Already inlined.
        case .ref, .dynamicRef: false
        // These keywords reject nothing.
        case .schema, .vocabulary, .id, .anchor, .dynamicAnchor, .defs, .comment, .contentEncoding, .contentMediaType,
            .contentSchema, .title, .description, .default, .deprecated, .readOnly, .writeOnly, .examples:
            true
        }
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
        for (location, only) in sets.enumerated() {
            var left = only
            for (other, taken) in sets.enumerated() where other != location {
                left = try ValueSet.union(of: left.difference(taken, in: context), in: context)
            }
            alone.append(left)
        }
        return try ValueSet.union(alone, in: context)
    }

    private func conditional(
        if condition: ExactJSON, then consequence: ExactJSON?, else alternative: ExactJSON?
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

    /// Returns every value except objects with a member.
    private func without(_ name: ExactText) -> ValueSet {
        var set = ValueSet.everything
        set.objects = [.without(name)]
        return set
    }
}

extension ExactText {
    /// The values of `type`; `integer` is a part of `number`.
    static let allTypes: [ExactText] = ["null", "boolean", "number", "string", "array", "object"]
}

extension SetReader {
    func numbers(_ schema: ExactJSON) throws(BeyondSets) -> NumberShape {
        var shape = NumberShape()
        func narrow(_ keyword: SchemaKeyword, _ bound: (ScaledDecimal) -> NumberShape) throws(BeyondSets) {
            if let number = schema[keyword]?.number { shape = try shape.intersection(bound(number)) }
        }
        try narrow(.minimum) { NumberShape(lower: .init(value: $0, isInclusive: true)) }
        try narrow(.exclusiveMinimum) { NumberShape(lower: .init(value: $0, isInclusive: false)) }
        try narrow(.maximum) { NumberShape(upper: .init(value: $0, isInclusive: true)) }
        try narrow(.exclusiveMaximum) { NumberShape(upper: .init(value: $0, isInclusive: false)) }
        try narrow(.multipleOf) { NumberShape(grid: $0.units) }
        return shape
    }

    func strings(_ schema: ExactJSON) throws(BeyondSets) -> StringShape {
        var shape = StringShape()
        shape.minimum = schema[.minLength]?.integer ?? 0
        shape.maximum = schema[.maxLength]?.integer
        for keyword in [SchemaKeyword.pattern, .format] {
            guard let value = schema[keyword] else { continue }
            if keyword == .format, !StandardFormats.names.contains(value.text?.text ?? "") { continue }
            shape.atoms.required.insert(ShapeAtom(schema: .schema(keyword, value)))
        }
        return shape
    }

    func arrays(_ schema: ExactJSON) throws(BeyondSets) -> ArrayShape {
        var shape = ArrayShape()
        shape.minimum = schema[.minItems]?.integer ?? 0
        shape.maximum = schema[.maxItems]?.integer
        for part in schema[.prefixItems]?.elements ?? [] { shape.prefix.append(try read(part)) }
        if let part = schema[.items] { shape.rest = try read(part) }
        if schema[.uniqueItems] == .boolean(true) { shape.isUnique = true }
        if let part = schema[.contains] {
            let minimum = schema[.minContains]?.integer ?? 1
            let maximum = schema[.maxContains]?.integer
            if minimum > 0 || maximum != nil {
                shape.contained = [.init(set: try read(part), minimum: minimum, maximum: maximum)]
            }
        }
        if let part = schema[.unevaluatedItems], schema[.items] == nil {
            if schema[.contains] == nil, !schema.hasApplicators {
                shape.rest = try read(part)
            } else {
                shape.atoms.required.insert(ShapeAtom(schema: schema))
            }
        }
        return shape
    }

    func objects(_ schema: ExactJSON) throws(BeyondSets) -> ObjectShape {
        var shape = ObjectShape()
        shape.minimum = schema[.minProperties]?.integer ?? 0
        shape.maximum = schema[.maxProperties]?.integer
        let patterns = schema[.patternProperties]?.members ?? [:]
        let additional = try schema[.additionalProperties].map { part throws(BeyondSets) in try read(part) }
        var names = Set(schema[.properties]?.members.keys.map { $0 } ?? [])
        names.formUnion(schema[.required]?.texts ?? [])
        for name in names.sorted() {
            var set: ValueSet?
            var isNamed = false
            if let part = schema[.properties]?[name] {
                set = try read(part)
                isNamed = true
            }
            for (pattern, part) in patterns
            where try context.accepts(.schema(.pattern, .string(pattern)), .string(name)) {
                set = try ValueSet.intersection(set, try read(part), in: context)
                isNamed = true
            }
            shape.slots[name] = .init(set: isNamed ? set : additional)
        }
        for name in schema[.required]?.texts ?? [] { shape.slots[name]?.isRequired = true }
        if patterns.isEmpty {
            shape.others = additional
        } else {
            shape.atoms.required.insert(ShapeAtom(schema: schema.namesAndPatterns))
        }
        if let part = schema[.unevaluatedProperties], schema[.additionalProperties] == nil {
            shape = try closed(shape, schema: schema, part: part)
        }
        return try named(shape, schema[.propertyNames])
    }

    /// Applies `unevaluatedProperties`, exact if the evaluated members are known.
    private func closed(
        _ shape: ObjectShape, schema: ExactJSON, part: ExactJSON
    ) throws(BeyondSets) -> ObjectShape {
        var shape = shape
        guard let names = schema.evaluatedNames else {
            shape.atoms.required.insert(ShapeAtom(schema: schema))
            return shape
        }
        let others = try read(part)
        for name in names where shape.slots[name] == nil { shape.slots[name] = .init() }
        for name in shape.slots.keys where !names.contains(name) {
            let set = shape.slots[name]?.set
            shape.slots[name]?.set = try ValueSet.intersection(set, others, in: context)
        }
        shape.others = others
        return shape
    }

    /// Applies `propertyNames`, exact if all names are known.
    private func named(_ shape: ObjectShape, _ part: ExactJSON?) throws(BeyondSets) -> ObjectShape {
        guard let part else { return shape }
        var shape = shape
        for name in shape.slots.keys.sorted() where !(try context.accepts(part, .string(name))) {
            shape.slots[name]?.set = ValueSet.none
        }
        let strings = try read(part).strings
        if strings.allSatisfy({ $0.values != nil }) {
            for name in strings.reduce(into: Set<ExactText>(), { $0.formUnion($1.values ?? []) })
            where shape.slots[name] == nil {
                guard try context.accepts(part, .string(name)) else { continue }
                shape.slots[name] = .init(set: shape.others)
            }
            shape.others = ValueSet.none
        } else if shape.others?.isPlainlyEmpty != true {
            shape.atoms.required.insert(ShapeAtom(schema: .schema(.propertyNames, part)))
        }
        return shape
    }
}
