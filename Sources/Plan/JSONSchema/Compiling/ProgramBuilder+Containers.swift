extension ProgramBuilder {
    mutating func addString(_ schema: SchemaUnderWork) throws(SchemaError) {
        var rules = StringRules()
        var isNeeded = false
        if let count = try schema.count(.minLength) { rules.minimumLength = count }
        if let count = try schema.count(.maxLength) { rules.maximumLength = count }
        rules.hasLengths = rules.minimumLength > 0 || rules.maximumLength < .max
        isNeeded = rules.hasLengths
        if let value = schema[.pattern] {
            guard let source = value.string else { throw schema.issue(value, "pattern must be a string") }
            rules.pattern = try pattern(source, value, in: schema)
            isNeeded = true
        }
        if let value = schema[.format] {
            guard let name = value.string else { throw schema.issue(value, "format must be a string") }
            if schema.dialect.contains(.formatAssertion), let format = StringFormat(name: name) {
                rules.format = format
                isNeeded = true
            }
        }
        guard isNeeded else { return }
        parts.nodes[schema.number].string = ProgramIndex(parts.strings.count)
        parts.strings.append(rules)
    }

    mutating func addArray(_ schema: SchemaUnderWork) throws(SchemaError) {
        var rules = ArrayRules()
        var isNeeded = false
        if let value = schema[.prefixItems] {
            rules.prefix = try nodes(value, keyword: .prefixItems, in: schema)
            isNeeded = true
        }
        if let value = schema[.items] {
            rules.items = try node(value, in: schema)
            isNeeded = true
        }
        if let value = schema[.contains] {
            rules.contains = try node(value, in: schema)
            isNeeded = true
        }
        if let count = try schema.count(.minContains) { rules.minimumContains = count }
        if let count = try schema.count(.maxContains) { rules.maximumContains = count }
        if let count = try schema.count(.minItems) { rules.minimumItems = count }
        if let count = try schema.count(.maxItems) { rules.maximumItems = count }
        if let value = schema[.uniqueItems] {
            guard let boolean = value.boolean else { throw schema.issue(value, "uniqueItems must be a boolean") }
            rules.isUnique = boolean
        }
        isNeeded = isNeeded || rules.minimumItems > 0 || rules.maximumItems < .max || rules.isUnique
        guard isNeeded else { return }
        parts.nodes[schema.number].array = ProgramIndex(parts.arrays.count)
        parts.arrays.append(rules)
    }

    /// Returns the schemas of a keyword that holds a list of schemas.
    mutating func nodes(
        _ value: JSONDocument.Value, keyword: SchemaKeyword, in schema: SchemaUnderWork
    ) throws(SchemaError) -> ProgramRange {
        guard value.kind == .array, !value.elements.isEmpty else {
            throw schema.issue(value, "\(keyword.rawValue) must be a non-empty array of schemas")
        }
        var numbers: [ProgramIndex] = []
        for element in value.elements { numbers.append(try node(element, in: schema)) }
        return list(numbers)
    }

    mutating func addObject(_ schema: SchemaUnderWork) throws(SchemaError) {
        var rules = ObjectRules()
        var names = SlotNames()
        var isNeeded = try addProperties(of: schema, to: &rules, names: &names)
        if try addPresence(of: schema, to: &rules, names: &names) { isNeeded = true }
        if schema.number == 0, !options.captures.isEmpty {
            for name in options.captures { _ = names.slot(Array(name.utf8)) }
            isNeeded = true
        }
        guard isNeeded else { return }
        rules.names = table(names.entries)
        for slot in rules.required.indices where names.count <= 64 {
            rules.requiredMask |= 1 << UInt64(parts.lists[slot])
        }
        parts.nodes[schema.number].object = ProgramIndex(parts.objects.count)
        parts.objects.append(rules)
    }

    private mutating func addProperties(
        of schema: SchemaUnderWork, to rules: inout ObjectRules, names: inout SlotNames
    ) throws(SchemaError) -> Bool {
        var isNeeded = false
        if let value = schema[.properties] {
            for member in try members(value, keyword: .properties, in: schema) {
                names.add(Array(member.name.utf8), node: try node(member.value, in: schema))
            }
            isNeeded = true
        }
        if let value = schema[.patternProperties] {
            var found: [PatternProperty] = []
            for member in try members(value, keyword: .patternProperties, in: schema) {
                found.append(
                    PatternProperty(
                        pattern: try pattern(member.name, member.value, in: schema),
                        node: try node(member.value, in: schema)))
            }
            rules.patterns = ProgramRange(start: Int32(parts.patternProperties.count), count: Int32(found.count))
            parts.patternProperties += found
            isNeeded = true
        }
        if let value = schema[.additionalProperties] {
            rules.additional = try node(value, in: schema)
            isNeeded = true
        }
        if let value = schema[.propertyNames] {
            rules.propertyNames = try node(value, in: schema)
            isNeeded = true
        }
        return isNeeded
    }

    private mutating func addPresence(
        of schema: SchemaUnderWork, to rules: inout ObjectRules, names: inout SlotNames
    ) throws(SchemaError) -> Bool {
        if let value = schema[.required] {
            rules.required = list(try strings(value, keyword: .required, in: schema).map { names.slot($0) })
        }
        if let value = schema[.dependentRequired] {
            var found: [NameDependency] = []
            for member in try members(value, keyword: .dependentRequired, in: schema) {
                let slot = names.slot(Array(member.name.utf8))
                for needed in try strings(member.value, keyword: .dependentRequired, in: schema) {
                    found.append(NameDependency(slot: slot, needed: names.slot(needed)))
                }
            }
            rules.dependentRequired = ProgramRange(
                start: Int32(parts.nameDependencies.count), count: Int32(found.count))
            parts.nameDependencies += found
        }
        if let count = try schema.count(.minProperties) { rules.minimumProperties = count }
        if let count = try schema.count(.maxProperties) { rules.maximumProperties = count }
        return !rules.required.isEmpty || !rules.dependentRequired.isEmpty || rules.minimumProperties > 0
            || rules.maximumProperties < .max
    }

    func members(
        _ value: JSONDocument.Value, keyword: SchemaKeyword, in schema: SchemaUnderWork
    ) throws(SchemaError) -> [JSONDocument.Value.Member] {
        guard value.kind == .object else { throw schema.issue(value, "\(keyword.rawValue) must be an object") }
        return value.members
    }

    private func strings(
        _ value: JSONDocument.Value, keyword: SchemaKeyword, in schema: SchemaUnderWork
    ) throws(SchemaError) -> [[UInt8]] {
        guard value.kind == .array else { throw schema.issue(value, "\(keyword.rawValue) must hold arrays of names") }
        var names: [[UInt8]] = []
        for element in value.elements {
            guard let name = element.utf8 else {
                throw schema.issue(element, "\(keyword.rawValue) must hold arrays of names")
            }
            names.append(name)
        }
        return names
    }
}

/// The distinct names that an object schema mentions.
struct SlotNames {
    private(set) var entries: [(name: [UInt8], node: ProgramIndex)] = []
    private var slots: [[UInt8]: Int32] = [:]

    var count: Int { entries.count }

    mutating func add(_ name: [UInt8], node: ProgramIndex) {
        slots[name] = Int32(entries.count)
        entries.append((name, node))
    }

    /// Returns the index of a name, adding new names.
    mutating func slot(_ name: [UInt8]) -> Int32 {
        if let known = slots[name] { return known }
        add(name, node: .none)
        return Int32(entries.count - 1)
    }
}
