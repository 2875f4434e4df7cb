internal import JSONSchema

/// The names and values in a schema, for building documents that are valid or nearly valid.
struct SchemaWords {
    private(set) var strings: [ExactText] = []
    private(set) var numbers: [ScaledDecimal] = []
    private(set) var lengths: [Int] = []
    /// The member names, in the order of the schema.
    private(set) var names: [ExactText] = []
    /// The examples of the whole event.
    private(set) var examples: [ExactJSON] = []

    init(_ documents: [JSONDocument]) {
        for document in documents {
            read(document.root)
            // Ignore examples that cannot be compared exactly.
            examples += (document.root[.examples]?.elements ?? []).compactMap { ExactJSON(validating: $0) }
        }
        strings = Self.unique(strings)
        numbers = Self.unique(numbers)
        lengths = Self.unique(lengths)
        names = Self.unique(names)
        examples = Self.unique(examples)
    }

    private static func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
        var seen: Set<Element> = []
        return Array(elements.filter { seen.insert($0).inserted }.prefix(100))
    }

    private mutating func read(_ schema: JSONDocument.Value) {
        for member in schema.members {
            guard let keyword = SchemaKeyword(rawValue: member.name) else {
                read(member.value)
                continue
            }
            switch keyword {
            case .properties:
                names += member.value.members.map { ExactText($0.name) }
                read(member.value)
            case .patternProperties:
                // The letters of a pattern often form a name that matches it.
                names += member.value.members.map { member in
                    ExactText(String(member.name.filter { $0.isLetter || $0.isNumber || "-_".contains($0) }))
                }
                read(member.value)
            case .const, .enum, .examples, .default, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum,
                .multipleOf:
                collect(member.value)
            case .minLength, .maxLength, .minItems, .maxItems, .minProperties, .maxProperties, .minContains,
                .maxContains:
                if let length = member.value.integer { lengths.append(length) }
            case .required, .dependentRequired: break
            // Keywords with other schemas, and keywords without useful values.
            case .schema, .vocabulary, .id, .anchor, .dynamicAnchor, .ref, .dynamicRef, .defs, .comment, .allOf,
                .anyOf, .oneOf, .not, .if, .then, .else, .dependentSchemas, .prefixItems, .items, .contains,
                .additionalProperties, .propertyNames, .unevaluatedItems, .unevaluatedProperties, .type, .pattern,
                .format, .uniqueItems, .contentEncoding, .contentMediaType, .contentSchema, .title, .description,
                .deprecated, .readOnly, .writeOnly:
                read(member.value)
            }
        }
        for element in schema.elements { read(element) }
    }

    private mutating func collect(_ value: JSONDocument.Value) {
        if let text = value.string, text.utf8.count <= 200 { strings.append(ExactText(text)) }
        if let number = value.number.flatMap({ ScaledDecimal($0) }) { numbers.append(number) }
        for member in value.members { collect(member.value) }
        for element in value.elements { collect(element) }
    }

    /// Strings that may match patterns of values or names.
    var hints: [ExactText] {
        let long = lengths.filter { $0 < 100 }.map { ExactText(String(repeating: "a", count: $0 + 1)) }
        return Self.unique(strings + names + long)
    }

    /// The position of each name, for writing members in order.
    var order: [ExactText: Int] {
        Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }
}
