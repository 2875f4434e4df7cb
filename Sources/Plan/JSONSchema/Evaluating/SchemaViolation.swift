/// One rule of a schema that a value breaks.
public struct SchemaViolation: Error, Hashable, Sendable {
    /// The value, as a JSON pointer into the instance: `/event/value/page`; empty for the whole.
    public let instancePath: String
    /// The way to the rule through the schema, references followed: `/properties/event/$ref/properties/name/const`.
    public let schemaPath: String
    /// Where the rule is written: the URI of its schema with a JSON pointer as fragment, percent-encoded where it must be.
    public let schemaLocation: String
    /// The keyword that is broken: `required`; `false` for the schema that takes nothing.
    public let keyword: String
    /// What is wrong, without the values of the instance.
    public let message: String
    /// Where the value starts, in bytes from the start of the text; of strings the opening quote, and of members that are
    /// not allowed that of the name.
    public let offset: Int
}

extension SchemaKeyword {
    /// Whether the message of a violation ends with how much the value has: `must have at least 1 element, and has 0`.
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
