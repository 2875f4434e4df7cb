/// The vocabularies of draft 2020-12 that a schema uses, as declared by its meta-schema.
struct Dialect: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let applicator = Dialect(rawValue: 1)
    static let unevaluated = Dialect(rawValue: 2)
    static let validation = Dialect(rawValue: 4)
    static let formatAssertion = Dialect(rawValue: 8)

    /// The dialect of the draft's own meta-schema.
    static let standard: Dialect = [.applicator, .unevaluated, .validation]

    static let metaSchemaURI = "https://json-schema.org/draft/2020-12/schema"
    private static let vocabularyPrefix = "https://json-schema.org/draft/2020-12/vocab/"

    /// Returns the dialect of a vocabulary; nil for an unknown one.
    static func vocabulary(_ uri: String) -> Dialect? {
        guard uri.hasPrefix(vocabularyPrefix) else { return nil }
        return switch uri.dropFirst(vocabularyPrefix.count) {
        case "applicator": .applicator
        case "unevaluated": .unevaluated
        case "validation": .validation
        case "format-assertion": .formatAssertion
        case "core", "meta-data", "format-annotation", "content": []
        default: nil
        }
    }
}

extension SchemaKeyword {
    /// The dialect that enables the keyword; empty for keywords of every dialect.
    var vocabulary: Dialect {
        switch self {
        case .prefixItems, .items, .contains, .properties, .patternProperties, .additionalProperties, .propertyNames,
            .allOf, .anyOf, .oneOf, .not, .if, .then, .else, .dependentSchemas:
            .applicator
        case .unevaluatedItems, .unevaluatedProperties: .unevaluated
        case .type, .enum, .const, .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum, .maxLength,
            .minLength, .pattern, .maxItems, .minItems, .uniqueItems, .maxContains, .minContains, .maxProperties,
            .minProperties, .required, .dependentRequired:
            .validation
        case .schema, .vocabulary, .id, .anchor, .dynamicAnchor, .ref, .dynamicRef, .defs, .comment, .format,
            .contentEncoding, .contentMediaType, .contentSchema, .title, .description, .default, .deprecated,
            .readOnly, .writeOnly, .examples:
            []
        }
    }
}
