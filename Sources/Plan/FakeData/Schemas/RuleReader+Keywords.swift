internal import JSONSchema

extension RuleReader {
    static func types(_ value: JSONDocument.Value) -> JSONKind {
        let names = value.string.map { [$0] } ?? value.elements.compactMap(\.string)
        return names.compactMap(JSONKind.init(name:)).reduce(into: []) { $0.formUnion($1) }
    }

    mutating func readTypes(_ value: JSONDocument.Value) {
        var types = Self.types(value)
        if types.contains(.integer), !types.contains(.number) {
            types.insert(.number)
            rules.number.isWhole = true
        }
        rules.kinds.formIntersection(types)
    }

    mutating func readConstants(_ values: [JSONDocument.Value]) {
        guard values.count < rules.constants?.count ?? .max else { return }
        rules.constants = values
    }

    /// Returns a size, clamped to one billion, so that sums don't overflow.
    private static func size(_ value: JSONDocument.Value) -> Int {
        guard value.kind == .number else { return 0 }
        return min(value.integer ?? .max, 1_000_000_000)
    }

    /// Reads a keyword that limits strings, arrays or objects.
    mutating func readLimit(_ keyword: SchemaKeyword, _ value: JSONDocument.Value, at location: SchemaSet.Location) {
        let number = Self.size(value)
        switch keyword {
        case .minLength: rules.text.minimum = max(rules.text.minimum, number)
        case .maxLength: rules.text.maximum = min(rules.text.maximum, number)
        case .pattern: rules.text.patterns.append(value.string ?? "")
        case .format: rules.text.formats.append(value.string ?? "")
        case .minItems: rules.array.minimum = max(rules.array.minimum, number)
        case .maxItems: rules.array.maximum = min(rules.array.maximum, number)
        case .uniqueItems: rules.array.isUnique = rules.array.isUnique || value.boolean == true
        case .unevaluatedItems:
            rules.array.unevaluated.append(self.location(value, location))
            rules.isChecked = true
        case .minProperties: rules.object.minimum = max(rules.object.minimum, number)
        case .maxProperties: rules.object.maximum = min(rules.object.maximum, number)
        case .required: rules.object.required += value.elements.compactMap(\.utf8)
        case .propertyNames:
            rules.object.names.append(self.location(value, location))
            rules.isChecked = true
        case .unevaluatedProperties:
            rules.object.unevaluated.append(self.location(value, location))
            rules.isChecked = true
        case .dependentRequired:
            for member in value.members {
                for needed in member.value.elements.compactMap(\.utf8) {
                    rules.object.dependencies.append((Array(member.name.utf8), needed))
                }
            }
        default: break
        }
    }

    /// Returns the types to which the limits of a schema apply: only values of these types can violate it.
    static func kinds(spokenOfBy schema: JSONDocument.Value) -> JSONKind {
        schema.keywords.reduce(into: []) { kinds, one in
            if one.keyword.role != .annotation { kinds.formUnion(one.keyword.appliesTo ?? []) }
        }
    }

    mutating func readElements(_ schema: JSONDocument.Value, at location: SchemaSet.Location) {
        let prefix = (schema[.prefixItems]?.elements ?? []).map { self.location($0, location) }
        let items = schema[.items].map { self.location($0, location) }
        if !prefix.isEmpty || items != nil {
            rules.spokenOf.insert(.array)
            rules.array.elements.append(.init(prefix: prefix, items: items))
        }
        guard let contained = schema[.contains] else { return }
        rules.spokenOf.insert(.array)
        rules.isChecked = true
        rules.array.contained.append((self.location(contained, location), schema[.minContains].map(Self.size) ?? 1))
    }

    mutating func readMembers(_ schema: JSONDocument.Value, at location: SchemaSet.Location) {
        let properties = schema[.properties]?.members ?? []
        let patterns = schema[.patternProperties]?.members ?? []
        let additional = schema[.additionalProperties]
        guard !properties.isEmpty || !patterns.isEmpty || additional != nil else { return }
        rules.spokenOf.insert(.object)
        rules.object.members.append(
            .init(
                properties: properties.map { (Array($0.name.utf8), self.location($0.value, location)) },
                patterns: patterns.compactMap { member in
                    PatternSampler(member.name).map { ($0, self.location(member.value, location)) }
                },
                additional: additional.map { self.location($0, location) }))
    }
}
