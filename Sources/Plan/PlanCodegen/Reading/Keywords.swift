internal import JSONSchema

extension SchemaKeyword {
    /// The advice for a keyword that cannot be translated to Swift; nil for annotations, which are allowed in every
    /// schema.
    var advice: String? {
        switch self {
        case .comment, .contentEncoding, .contentMediaType, .default, .deprecated, .description, .examples, .readOnly,
            .title, .writeOnly:
            nil
        case .allOf: "list all members in one object"
        case .anyOf, .oneOf: "choose one type; for a choice of values use enum, or oneOf with a const in each"
        case .not, .if, .then, .else: "describe what is allowed: with enum, with limits, or as a separate event"
        case .dependentRequired, .dependentSchemas: Self.adviceOnDependencies
        case .patternProperties, .propertyNames, .additionalProperties, .unevaluatedProperties:
            "list the members in properties, use an array of objects, or omit properties for a free object"
        case .minProperties, .maxProperties: "use required; these limits apply only to free objects"
        case .prefixItems, .contains, .minContains, .maxContains, .unevaluatedItems: Self.adviceOnElements
        case .anchor, .dynamicAnchor, .dynamicRef: Self.adviceOnReferences
        case .ref: "use it alone, or with a description"
        case .const, .enum: "use it alone, or with a type and a description"
        case .schema, .id, .defs, .vocabulary: "use it only at the root"
        case .type, .properties, .required, .items, .minItems, .maxItems, .uniqueItems, .minLength, .maxLength,
            .pattern, .format, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf, .contentSchema:
            "remove it"
        }
    }

    /// Returns the advice for a member that is not a keyword, including keywords of earlier drafts.
    static func adviceOnOthers(_ name: String) -> String {
        switch name {
        case "dependencies": adviceOnDependencies
        case "additionalItems": adviceOnElements
        case "$recursiveRef", "$recursiveAnchor": adviceOnReferences
        default: "remove it"
        }
    }

    private static let adviceOnDependencies =
        "group members that occur together in an object, and omit that object from required"
    private static let adviceOnElements = "give all elements one schema in items, or use an object"
    private static let adviceOnReferences = "use $ref with #/$defs/<name>"
}
