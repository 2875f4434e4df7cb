/// Where a keyword holds schemas.
enum KeywordShape {
    /// One schema.
    case schema
    /// A list of schemas.
    case list
    /// Schemas by name.
    case map
    /// A value that is checked as it is.
    case assertion
    /// A reference to a schema.
    case reference
    /// Nothing that refuses a value.
    case note

    /// What the standard (2020-12) says of a keyword; a note for those that it does not know.
    init(_ keyword: String) {
        switch keyword {
        case "items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties", "contains", "propertyNames",
            "not", "if", "then", "else":
            self = .schema
        case "allOf", "anyOf", "oneOf", "prefixItems": self = .list
        case "properties", "patternProperties", "dependentSchemas": self = .map
        case "$ref", "$dynamicRef": self = .reference
        case "type", "enum", "const", "multipleOf", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum",
            "minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems", "minContains",
            "maxContains", "minProperties", "maxProperties", "required", "dependentRequired":
            self = .assertion
        default: self = .note
        }
    }
}
