internal import JSONSchema

/// Puts together what the schemas of a demand say. References and `allOf` are followed; where one of several ways can be
/// taken, the choice is noted.
struct RuleReader {
    private(set) var set: SchemaSet
    let root: SchemaSet.Place
    private(set) var rules = Rules()
    private let demand: Demand
    private var seen: Set<SchemaSet.Place> = []

    init(_ demand: Demand, in set: SchemaSet, from root: SchemaSet.Place) {
        self.demand = demand
        self.set = set
        self.root = root
    }

    /// Reads everything.
    mutating func read() {
        rules.object.required = demand.required.sorted { $0.lexicographicallyPrecedes($1) }
        var waiting = demand.schemas[...]
        while let place = waiting.popFirst() {
            guard seen.insert(place).inserted else { continue }
            let schema = set.value(at: place)
            if schema.boolean == false { rules.isNothing = true }
            for member in schema.members { read(member.name, member.value, of: schema, at: place, &waiting) }
            readElements(schema, at: place)
            readMembers(schema, at: place)
        }
    }

    private func place(_ value: JSONDocument.Value, _ schema: SchemaSet.Place) -> SchemaSet.Place {
        set.place(of: value, in: schema)
    }

    private mutating func read(
        _ keyword: String, _ value: JSONDocument.Value, of schema: JSONDocument.Value, at place: SchemaSet.Place,
        _ waiting: inout ArraySlice<SchemaSet.Place>
    ) {
        switch keyword {
        case "$ref", "$dynamicRef":
            // Compiling the whole has found that all references lead somewhere.
            let target =
                keyword == "$ref"
                ? try? set.target(of: value.string ?? "", in: place)
                : try? set.dynamicTarget(of: value.string ?? "", in: place, from: root)
            if keyword == "$dynamicRef" { rules.isChecked = true }
            if let target { waiting.append(target) }
        case "allOf": waiting += value.elements.map { self.place($0, place) }
        case "anyOf": open(.anyOf, at: place, value.elements.map { Way(schemas: [self.place($0, place)]) })
        case "oneOf":
            rules.isChecked = true
            open(.oneOf, at: place, value.elements.map { Way(schemas: [self.place($0, place)]) })
        case "if": readCondition(value, of: schema, at: place)
        case "not": readExcluded(value, at: place, &waiting)
        case "dependentSchemas":
            for (number, member) in value.members.enumerated() {
                let name = Array(member.name.utf8)
                let with = Way(schemas: [self.place(member.value, place)], required: [name])
                let ways = rules.object.required.contains(name) ? [with] : [Way(absent: [name]), with]
                open(.dependent(number), at: place, ways)
            }
        case "type": readTypes(value)
        case "enum": readConstants(value.elements)
        case "const": readConstants([value])
        case "examples": rules.examples += value.elements.map { self.place($0, place) }
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
            rules.spokenOf.insert(.number)
            if !rules.number.add(keyword, value.number ?? "") { rules.isChecked = true }
        default: readSizes(keyword, value, at: place)
        }
    }

    // MARK: Ways

    private mutating func open(_ keyword: Choice.Keyword, at place: SchemaSet.Place, _ ways: [Way]) {
        let choice = Choice(schema: place, keyword: keyword)
        guard !demand.taken.contains(choice), !ways.isEmpty else { return }
        rules.choices.append((choice, ways))
    }

    private mutating func readCondition(
        _ condition: JSONDocument.Value, of schema: JSONDocument.Value, at place: SchemaSet.Place
    ) {
        guard schema["then"] != nil || schema["else"] != nil else { return }
        rules.isChecked = true
        let met = [condition, schema["then"]].compactMap { $0.map { self.place($0, place) } }
        let unmet = [schema["else"]].compactMap { $0.map { self.place($0, place) } }
        open(.condition, at: place, [Way(schemas: met), Way(schemas: unmet)])
    }

    /// What must not be: types and required names are kept to, everything else is checked.
    private mutating func readExcluded(
        _ value: JSONDocument.Value, at place: SchemaSet.Place, _ waiting: inout ArraySlice<SchemaSet.Place>
    ) {
        if let boolean = value.boolean {
            if boolean { rules.isNothing = true }
            return
        }
        let members = value.members
        if members.isEmpty { rules.isNothing = true }
        guard members.count == 1 else { return rules.isChecked = true }
        switch members[0].name {
        case "type":
            let types = Self.types(members[0].value)
            rules.kinds.subtract(types.subtracting(.integer))
            if types.contains(.integer) { rules.isChecked = true }
        case "not": waiting.append(self.place(members[0].value, place))
        case "required":
            // An object has one of the names not, or it is no object.
            open(.excluded, at: self.place(members[0].value, place), members[0].value.elements.compactMap { $0.utf8.map { Way(absent: [$0]) } })
            if members[0].value.elements.isEmpty { rules.kinds.remove(.object) }
        case "anyOf":
            for element in members[0].value.elements { readExcluded(element, at: place, &waiting) }
        default: rules.isChecked = true
        }
    }

    // MARK: Values

    private static func types(_ value: JSONDocument.Value) -> JSONKind {
        let names = value.string.map { [$0] } ?? value.elements.compactMap(\.string)
        return names.reduce(into: []) { kinds, name in
            switch name {
            case "null": kinds.insert(.null)
            case "boolean": kinds.insert(.boolean)
            case "number": kinds.insert(.number)
            case "integer": kinds.insert(.integer)
            case "string": kinds.insert(.string)
            case "array": kinds.insert(.array)
            case "object": kinds.insert(.object)
            default: break
            }
        }
    }

    private mutating func readTypes(_ value: JSONDocument.Value) {
        var types = Self.types(value)
        if types.contains(.integer), !types.contains(.number) {
            types.insert(.number)
            rules.number.isWhole = true
        }
        rules.kinds.formIntersection(types)
    }

    private mutating func readConstants(_ values: [JSONDocument.Value]) {
        guard values.count < rules.constants?.count ?? .max else { return }
        rules.constants = values
    }

    // MARK: Strings, arrays, objects

    private mutating func readSizes(_ keyword: String, _ value: JSONDocument.Value, at place: SchemaSet.Place) {
        let number = value.kind == .number ? value.integer ?? .max : 0
        switch keyword {
        case "minLength": rules.text.minimum = max(rules.text.minimum, number)
        case "maxLength": rules.text.maximum = min(rules.text.maximum, number)
        case "pattern": rules.text.patterns.append(value.string ?? "")
        case "format": rules.text.formats.append(value.string ?? "")
        case "minItems": rules.array.minimum = max(rules.array.minimum, number)
        case "maxItems": rules.array.maximum = min(rules.array.maximum, number)
        case "uniqueItems": rules.array.isUnique = rules.array.isUnique || value.boolean == true
        case "unevaluatedItems":
            rules.array.unevaluated.append(self.place(value, place))
            rules.isChecked = true
        case "minProperties": rules.object.minimum = max(rules.object.minimum, number)
        case "maxProperties": rules.object.maximum = min(rules.object.maximum, number)
        case "required": rules.object.required += value.elements.compactMap(\.utf8)
        case "propertyNames":
            rules.object.names.append(self.place(value, place))
            rules.isChecked = true
        case "unevaluatedProperties":
            rules.object.unevaluated.append(self.place(value, place))
            rules.isChecked = true
        case "dependentRequired":
            for member in value.members {
                for needed in member.value.elements.compactMap(\.utf8) {
                    rules.object.dependencies.append((Array(member.name.utf8), needed))
                }
            }
        default: return
        }
        rules.spokenOf.insert(Self.kind(ofKeyword: keyword))
    }

    private static func kind(ofKeyword keyword: String) -> JSONKind {
        switch keyword {
        case "minLength", "maxLength", "pattern", "format": .string
        case "minItems", "maxItems", "uniqueItems", "unevaluatedItems": .array
        default: .object
        }
    }

    private mutating func readElements(_ schema: JSONDocument.Value, at place: SchemaSet.Place) {
        let prefix = (schema["prefixItems"]?.elements ?? []).map { self.place($0, place) }
        let items = schema["items"].map { self.place($0, place) }
        if !prefix.isEmpty || items != nil {
            rules.spokenOf.insert(.array)
            rules.array.elements.append(.init(prefix: prefix, items: items))
        }
        guard let contained = schema["contains"] else { return }
        rules.spokenOf.insert(.array)
        rules.isChecked = true
        rules.array.contained.append((self.place(contained, place), schema["minContains"]?.integer ?? 1))
    }

    private mutating func readMembers(_ schema: JSONDocument.Value, at place: SchemaSet.Place) {
        let properties = schema["properties"]?.members ?? []
        let patterns = schema["patternProperties"]?.members ?? []
        let additional = schema["additionalProperties"]
        guard !properties.isEmpty || !patterns.isEmpty || additional != nil else { return }
        rules.spokenOf.insert(.object)
        rules.object.members.append(
            .init(
                properties: properties.map { (Array($0.name.utf8), self.place($0.value, place)) },
                patterns: patterns.compactMap { member in
                    PatternSampler(member.name).map { ($0, self.place(member.value, place)) }
                },
                additional: additional.map { self.place($0, place) }))
    }
}
