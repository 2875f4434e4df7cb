internal import JSONSchema

extension SchemaKeyword {
    /// What to write instead of the keyword where it has no type in Swift; nil for annotations, which are allowed in every
    /// schema.
    var advice: String? {
        switch self {
        case .comment, .contentEncoding, .contentMediaType, .default, .deprecated, .description, .examples, .readOnly,
            .title, .writeOnly:
            nil
        case .allOf: "write its members out in one object"
        case .anyOf, .oneOf: "choose one type; values to choose from are enum, or oneOf with a const in each"
        case .not, .if, .then, .else: "say what is allowed: with enum, with limits, or as an event of its own"
        case .dependentRequired, .dependentSchemas: Self.adviceOnDependencies
        case .patternProperties, .propertyNames, .additionalProperties, .unevaluatedProperties:
            "name the members in properties, make an array of objects, or leave properties out for a free object"
        case .minProperties, .maxProperties: "they belong to free objects; for others, required says it"
        case .prefixItems, .contains, .minContains, .maxContains, .unevaluatedItems: Self.adviceOnElements
        case .anchor, .dynamicAnchor, .dynamicRef: Self.adviceOnReferences
        case .ref: "it stands alone, beside a description at most"
        case .const, .enum: "it stands alone, beside a type and a description at most"
        case .schema, .id, .defs, .vocabulary: "it stands at the root only"
        case .type, .properties, .required, .items, .minItems, .maxItems, .uniqueItems, .minLength, .maxLength,
            .pattern, .format, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf, .contentSchema:
            "take it out"
        }
    }

    /// What to write instead of a member that is no keyword; earlier drafts knew more.
    static func adviceOnOthers(_ name: String) -> String {
        switch name {
        case "dependencies": adviceOnDependencies
        case "additionalItems": adviceOnElements
        case "$recursiveRef", "$recursiveAnchor": adviceOnReferences
        default: "take it out"
        }
    }

    private static let adviceOnDependencies =
        "make an object of the members that belong together, and leave that out of required"
    private static let adviceOnElements = "give all elements one schema in items, or make an object of them"
    private static let adviceOnReferences = "use $ref with #/$defs/<name>"
}
