internal import JSONSchema

extension RuleReader {
    // MARK: Values

    static func types(_ value: JSONDocument.Value) -> JSONKind {
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

    // MARK: Strings, arrays, objects

    /// A size; one that nothing has is a thousand million, so that sums of them stay numbers.
    private static func size(_ value: JSONDocument.Value) -> Int {
        guard value.kind == .number else { return 0 }
        return min(value.integer ?? .max, 1_000_000_000)
    }

    mutating func readSizes(_ keyword: String, _ value: JSONDocument.Value, at place: SchemaSet.Place) {
        let number = Self.size(value)
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
        rules.spokenOf.formUnion(Self.kinds(ofKeyword: keyword))
    }

    /// The types that keywords speak of: only a value of one of them can break what they say.
    static func kinds(spokenOfBy members: [JSONDocument.Value.Member]) -> JSONKind {
        members.reduce(into: []) { $0.formUnion(kinds(ofKeyword: $1.name)) }
    }

    static func kinds(ofKeyword keyword: String) -> JSONKind {
        switch keyword {
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf": .number
        case "minLength", "maxLength", "pattern", "format": .string
        case "minItems", "maxItems", "uniqueItems", "unevaluatedItems", "items", "prefixItems", "contains": .array
        case "minProperties", "maxProperties", "required", "propertyNames", "unevaluatedProperties", "properties",
            "patternProperties", "additionalProperties", "dependentRequired", "dependentSchemas":
            .object
        default: []
        }
    }

    mutating func readElements(_ schema: JSONDocument.Value, at place: SchemaSet.Place) {
        let prefix = (schema["prefixItems"]?.elements ?? []).map { self.place($0, place) }
        let items = schema["items"].map { self.place($0, place) }
        if !prefix.isEmpty || items != nil {
            rules.spokenOf.insert(.array)
            rules.array.elements.append(.init(prefix: prefix, items: items))
        }
        guard let contained = schema["contains"] else { return }
        rules.spokenOf.insert(.array)
        rules.isChecked = true
        rules.array.contained.append((self.place(contained, place), schema["minContains"].map(Self.size) ?? 1))
    }

    mutating func readMembers(_ schema: JSONDocument.Value, at place: SchemaSet.Place) {
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
