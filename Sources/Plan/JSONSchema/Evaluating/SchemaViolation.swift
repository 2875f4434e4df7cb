/// A violation of one schema keyword by a value.
public struct SchemaViolation: Error, Hashable, Sendable {
    /// The value, as a JSON pointer into the instance: `/event/value/page`; empty for the root.
    public let instancePath: String
    /// The path to the keyword through the schema and its references: `/properties/event/$ref/properties/name/const`.
    public let schemaPath: String
    /// The location of the keyword: the URI of its schema with a JSON pointer as fragment, percent-encoded where
    /// necessary.
    public let schemaLocation: String
    /// The violated keyword: `required`; `false` for the schema that accepts nothing.
    public let keyword: String
    /// The violation, without values of the instance.
    public let message: String
    /// The offset of the value in the text, in bytes: for strings the opening quote, and for members that are not
    /// allowed the opening quote of the name.
    public let offset: Int
}

extension SchemaKeyword {
    /// Whether the message ends with the actual count: `must have at least 1 element, but has 0`.
    package var isCounting: Bool {
        switch self {
        case .maxLength, .minLength, .maxItems, .minItems, .maxContains, .minContains, .maxProperties, .minProperties,
            .oneOf:
            true
        case .schema, .vocabulary, .id, .anchor, .dynamicAnchor, .ref, .dynamicRef, .defs, .comment, .allOf, .anyOf,
            .not, .if, .then, .else, .dependentSchemas, .prefixItems, .items, .contains, .properties,
            .patternProperties, .additionalProperties, .propertyNames, .unevaluatedItems, .unevaluatedProperties,
            .type, .enum, .const, .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum, .pattern,
            .format, .uniqueItems, .required, .dependentRequired, .contentEncoding, .contentMediaType,
            .contentSchema, .title, .description, .default, .deprecated, .readOnly, .writeOnly, .examples:
            false
        }
    }
}
