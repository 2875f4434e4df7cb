/// The schema that a builder is compiling.
struct SchemaUnderWork {
    let number: Int
    let location: ResourceIndex.Location
    let dialect: Dialect
    /// The keywords of the dialect, in the order of the text.
    let keywords: [(keyword: SchemaKeyword, value: JSONDocument.Value)]
    let base: URIReference
    /// The URI of the resource, with the JSON pointer.
    let pointer: String

    init(
        number: Int, location: ResourceIndex.Location, value: JSONDocument.Value, dialect: Dialect, base: URIReference,
        pointer: String
    ) {
        self.number = number
        self.location = location
        self.dialect = dialect
        self.base = base
        self.pointer = pointer
        keywords = value.keywords.compactMap { keyword, member in
            dialect.contains(keyword.vocabulary) ? (keyword, member.value) : nil
        }
    }

    subscript(keyword: SchemaKeyword) -> JSONDocument.Value? { keywords.first { $0.keyword == keyword }?.value }

    func issue(
        _ value: JSONDocument.Value, _ message: String, code: SchemaError.Code = .invalidKeyword
    ) -> SchemaError {
        Self.issue(value, message, code: code, at: pointer)
    }

    static func issue(
        _ value: JSONDocument.Value, _ message: String, code: SchemaError.Code = .invalidKeyword, at location: String
    ) -> SchemaError {
        let (line, column) = value.document.position(ofOffset: value.offset)
        return SchemaError(code: code, message: "line \(line), column \(column): \(message)", location: location)
    }

    /// Returns the non-negative integer of a keyword.
    func count(_ keyword: SchemaKeyword) throws(SchemaError) -> Int64? {
        guard let value = self[keyword] else { return nil }
        guard value.kind == .number else {
            throw issue(value, "\(keyword.rawValue) must be a non-negative integer")
        }
        let text = Array(value.source)
        let number: (isInteger: Bool, isNegative: Bool, integer: Int64?) = text.withUnsafeBufferPointer {
            let number = ExactNumber($0)
            return (number.isInteger, number.isNegative && !number.isZero, number.integer)
        }
        guard number.isInteger, !number.isNegative else {
            throw issue(value, "\(keyword.rawValue) must be a non-negative integer")
        }
        return number.integer ?? .max
    }
}

/// The rule tables of a program.
enum RuleTable {
    case types, values, numbers, strings, arrays, objects, logic
}

extension SchemaKeyword {
    /// The table for the keyword's rules; nil if it limits nothing.
    var table: RuleTable? {
        switch self {
        case .type: .types
        case .enum, .const: .values
        case .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum: .numbers
        case .maxLength, .minLength, .pattern, .format: .strings
        case .prefixItems, .items, .contains, .maxItems, .minItems, .uniqueItems, .maxContains, .minContains: .arrays
        case .properties, .patternProperties, .additionalProperties, .propertyNames, .maxProperties, .minProperties,
            .required, .dependentRequired:
            .objects
        case .ref, .dynamicRef, .allOf, .anyOf, .oneOf, .not, .if, .then, .else, .dependentSchemas, .unevaluatedItems,
            .unevaluatedProperties:
            .logic
        case .schema, .vocabulary, .id, .anchor, .dynamicAnchor, .defs, .comment, .contentEncoding, .contentMediaType,
            .contentSchema, .title, .description, .default, .deprecated, .readOnly, .writeOnly, .examples:
            nil
        }
    }
}
