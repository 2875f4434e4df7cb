internal import JSONSchema

/// Combines the rules of a demand's schemas, following references and `allOf`. Alternatives are recorded as choices.
struct RuleReader {
    var set: SchemaSet
    let root: SchemaSet.Location
    var rules = Rules()
    private let demand: Demand
    private var seen: Set<SchemaSet.Location> = []

    init(_ demand: Demand, in set: SchemaSet, from root: SchemaSet.Location) {
        self.demand = demand
        self.set = set
        self.root = root
    }

    mutating func read() {
        rules.object.required = demand.required.sorted { $0.lexicographicallyPrecedes($1) }
        var waiting = demand.schemas[...]
        while let location = waiting.popFirst() {
            guard seen.insert(location).inserted else { continue }
            let schema = set.value(at: location)
            if schema.boolean == false { rules.isNothing = true }
            for (keyword, member) in schema.keywords {
                read(keyword, value: member.value, of: schema, at: location, waiting: &waiting)
            }
            readElements(schema, at: location)
            readMembers(schema, at: location)
        }
    }

    func location(_ value: JSONDocument.Value, _ schema: SchemaSet.Location) -> SchemaSet.Location {
        set.location(of: value, in: schema)
    }

    private mutating func read(
        _ keyword: SchemaKeyword, value: JSONDocument.Value, of schema: JSONDocument.Value,
        at location: SchemaSet.Location,
        waiting: inout ArraySlice<SchemaSet.Location>
    ) {
        switch keyword {
        case .ref:
            // Compiling the complete schema has checked that all references resolve, so no target is lost.
            if let target = try? set.target(of: value.string ?? "", in: location) { waiting.append(target) }
        case .dynamicRef:
            rules.isChecked = true
            // The same holds for the target of a dynamic reference.
            if let target = try? set.dynamicTarget(of: value.string ?? "", in: location, from: root) {
                waiting.append(target)
            }
        case .allOf: waiting += value.elements.map { self.location($0, location) }
        case .anyOf:
            open(.anyOf, at: location, value.elements.map { Alternative(schemas: [self.location($0, location)]) })
        case .oneOf:
            rules.isChecked = true
            open(.oneOf, at: location, value.elements.map { Alternative(schemas: [self.location($0, location)]) })
        case .if: readCondition(value, of: schema, at: location)
        case .not: readExcluded(value, at: location, &waiting)
        case .dependentSchemas:
            for (number, member) in value.members.enumerated() {
                let name = Array(member.name.utf8)
                let with = Alternative(schemas: [self.location(member.value, location)], required: [name])
                let alternatives = rules.object.required.contains(name) ? [with] : [Alternative(absent: [name]), with]
                open(.dependent(number), at: location, alternatives)
            }
        case .type: readTypes(value)
        case .enum: readConstants(value.elements)
        case .const: readConstants([value])
        case .examples: rules.examples += value.elements.map { self.location($0, location) }
        case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf:
            rules.spokenOf.insert(.number)
            if !rules.number.add(keyword, value.number ?? "") { rules.isChecked = true }
        case .minLength, .maxLength, .pattern, .format, .minItems, .maxItems, .uniqueItems, .unevaluatedItems,
            .minProperties, .maxProperties, .required, .dependentRequired, .propertyNames, .unevaluatedProperties:
            readLimit(keyword, value, at: location)
            rules.spokenOf.formUnion(keyword.appliesTo ?? [])
        case .prefixItems, .items, .contains, .minContains: break  // Together: readElements.
        case .properties, .patternProperties, .additionalProperties: break  // Together: readMembers.
        case .then, .else: break  // With their `if`.
        case .maxContains: break  // Checked afterwards, as everything about `contains`.
        case .schema, .vocabulary, .id, .anchor, .dynamicAnchor, .defs, .comment, .contentEncoding, .contentMediaType,
            .contentSchema, .title, .description, .default, .deprecated, .readOnly, .writeOnly:
            break
        }
    }

    private mutating func open(
        _ keyword: Choice.Keyword, at location: SchemaSet.Location, _ alternatives: [Alternative]
    ) {
        let choice = Choice(schema: location, keyword: keyword)
        guard !demand.taken.contains(choice), !alternatives.isEmpty else { return }
        rules.choices.append((choice, alternatives))
    }

    private mutating func readCondition(
        _ condition: JSONDocument.Value, of schema: JSONDocument.Value, at location: SchemaSet.Location
    ) {
        guard schema[.then] != nil || schema[.else] != nil else { return }
        rules.isChecked = true
        let met = [condition, schema[.then]].compactMap { $0.map { self.location($0, location) } }
        let unmet = [schema[.else]].compactMap { $0.map { self.location($0, location) } }
        open(.condition, at: location, [Alternative(schemas: met), Alternative(schemas: unmet)])
    }

    /// Reads a schema in `not`: excluded types and required names are avoided, everything else is checked afterwards.
    private mutating func readExcluded(
        _ value: JSONDocument.Value, at location: SchemaSet.Location, _ waiting: inout ArraySlice<SchemaSet.Location>
    ) {
        if let boolean = value.boolean {
            if boolean { rules.isNothing = true }
            return
        }
        let members = value.members
        if members.isEmpty { rules.isNothing = true }
        guard members.count == 1 else {
            rules.isChecked = true
            rules.spokenOf.formUnion(Self.kinds(spokenOfBy: value))
            return
        }
        switch SchemaKeyword(rawValue: members[0].name) {
        case .type:
            let types = Self.types(members[0].value)
            rules.kinds.subtract(types.subtracting(.integer))
            if types.contains(.integer) { rules.isChecked = true }
        case .not: waiting.append(self.location(members[0].value, location))
        case .required:
            // The object lacks one of the names, or the value is not an object.
            open(
                .excluded, at: self.location(members[0].value, location),
                members[0].value.elements.compactMap { $0.utf8.map { Alternative(absent: [$0]) } })
            if members[0].value.elements.isEmpty { rules.kinds.remove(.object) }
        case .anyOf:
            for element in members[0].value.elements { readExcluded(element, at: location, &waiting) }
        default:
            rules.isChecked = true
            rules.spokenOf.formUnion(Self.kinds(spokenOfBy: value))
        }
    }
}
