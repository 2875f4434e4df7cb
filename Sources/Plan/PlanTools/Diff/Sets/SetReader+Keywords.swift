internal import JSONSchema

extension SetReader {
    func numbers(_ schema: ExactJSON) throws(BeyondSets) -> NumberShape {
        var shape = NumberShape()
        func narrow(_ keyword: ExactText, _ bound: (ScaledDecimal) -> NumberShape) throws(BeyondSets) {
            if let number = schema[keyword]?.number { shape = try shape.intersection(bound(number)) }
        }
        try narrow("minimum") { NumberShape(lower: .init(value: $0, isInclusive: true)) }
        try narrow("exclusiveMinimum") { NumberShape(lower: .init(value: $0, isInclusive: false)) }
        try narrow("maximum") { NumberShape(upper: .init(value: $0, isInclusive: true)) }
        try narrow("exclusiveMaximum") { NumberShape(upper: .init(value: $0, isInclusive: false)) }
        try narrow("multipleOf") { NumberShape(grid: $0.units) }
        return shape
    }

    func strings(_ schema: ExactJSON) throws(BeyondSets) -> StringShape {
        var shape = StringShape()
        shape.minimum = schema["minLength"]?.integer ?? 0
        shape.maximum = schema["maxLength"]?.integer
        for keyword: ExactText in ["pattern", "format"] {
            guard let value = schema[keyword] else { continue }
            if keyword == "format", !KnownFormats.names.contains(value.text ?? "") { continue }
            shape.atoms.required.insert(ShapeAtom(schema: .object([keyword: value])))
        }
        return shape
    }

    func arrays(_ schema: ExactJSON) throws(BeyondSets) -> ArrayShape {
        var shape = ArrayShape()
        shape.minimum = schema["minItems"]?.integer ?? 0
        shape.maximum = schema["maxItems"]?.integer
        for part in schema["prefixItems"]?.elements ?? [] { shape.prefix.append(try read(part)) }
        if let part = schema["items"] { shape.rest = try read(part) }
        if schema["uniqueItems"] == .boolean(true) { shape.isUnique = true }
        if let part = schema["contains"] {
            let minimum = schema["minContains"]?.integer ?? 1
            let maximum = schema["maxContains"]?.integer
            if minimum > 0 || maximum != nil {
                shape.contained = [.init(set: try read(part), minimum: minimum, maximum: maximum)]
            }
        }
        if let part = schema["unevaluatedItems"], schema["items"] == nil {
            if schema["contains"] == nil, !schema.hasApplicators {
                shape.rest = try read(part)
            } else {
                shape.atoms.required.insert(ShapeAtom(schema: schema))
            }
        }
        return shape
    }

    func objects(_ schema: ExactJSON) throws(BeyondSets) -> ObjectShape {
        var shape = ObjectShape()
        shape.minimum = schema["minProperties"]?.integer ?? 0
        shape.maximum = schema["maxProperties"]?.integer
        let patterns = schema["patternProperties"]?.members ?? [:]
        let additional = try schema["additionalProperties"].map { part throws(BeyondSets) in try read(part) }
        var names = Set(schema["properties"]?.members.keys.map { $0 } ?? [])
        names.formUnion(schema["required"]?.texts ?? [])
        for name in names.sorted() {
            var set: ValueSet?
            var isNamed = false
            if let part = schema["properties"]?[name] {
                set = try read(part)
                isNamed = true
            }
            for (pattern, part) in patterns
            where try context.accepts(.object(["pattern": .string(pattern)]), .string(name)) {
                set = try ValueSet.intersection(set, try read(part), in: context)
                isNamed = true
            }
            shape.slots[name] = .init(set: isNamed ? set : additional)
        }
        for name in schema["required"]?.texts ?? [] { shape.slots[name]?.isRequired = true }
        if patterns.isEmpty {
            shape.others = additional
        } else {
            shape.atoms.required.insert(ShapeAtom(schema: schema.namesAndPatterns))
        }
        if let part = schema["unevaluatedProperties"], schema["additionalProperties"] == nil {
            shape = try closed(shape, schema, part)
        }
        return try named(shape, schema["propertyNames"])
    }

    /// Takes `unevaluatedProperties` in: exactly where it is known which members are evaluated.
    private func closed(
        _ shape: ObjectShape, _ schema: ExactJSON, _ part: ExactJSON
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

    /// Takes `propertyNames` in: exactly where all names are known.
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
            shape.atoms.required.insert(ShapeAtom(schema: .object(["propertyNames": part])))
        }
        return shape
    }
}
