/// The keywords of JSON Schema 2020-12, and where schemas stand within them.
enum Keywords {
    /// An object of schemas.
    static let schemaMaps = ["$defs", "properties", "patternProperties", "dependentSchemas"]
    /// An array of schemas.
    static let schemaLists = ["prefixItems", "allOf", "anyOf", "oneOf"]
    /// One schema.
    static let schemas = [
        "items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else",
        "unevaluatedItems", "unevaluatedProperties", "contentSchema",
    ]
    /// Those whose schemas describe the same value as the schema around them.
    static let inPlace: Set<String> = ["dependentSchemas", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"]

    /// What a keyword applies to: the types it says something about.
    static let types: [String: [String]] = [
        "minLength": ["string"], "maxLength": ["string"], "pattern": ["string"], "format": ["string"],
        "contentEncoding": ["string"], "contentMediaType": ["string"], "contentSchema": ["string"],
        "minimum": ["integer", "number"], "maximum": ["integer", "number"], "multipleOf": ["integer", "number"],
        "exclusiveMinimum": ["integer", "number"], "exclusiveMaximum": ["integer", "number"],
        "items": ["array"], "prefixItems": ["array"], "contains": ["array"], "minItems": ["array"],
        "maxItems": ["array"], "uniqueItems": ["array"], "minContains": ["array"], "maxContains": ["array"],
        "unevaluatedItems": ["array"],
        "properties": ["object"], "patternProperties": ["object"], "additionalProperties": ["object"],
        "propertyNames": ["object"], "required": ["object"], "dependentRequired": ["object"],
        "dependentSchemas": ["object"], "minProperties": ["object"], "maxProperties": ["object"],
        "unevaluatedProperties": ["object"],
    ]

    /// Those that apply to every value, or to the schema itself.
    private static let general: Set<String> = [
        "$schema", "$id", "$ref", "$dynamicRef", "$anchor", "$dynamicAnchor", "$defs", "$comment", "$vocabulary",
        "type", "const", "enum", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "title", "description",
        "default", "examples", "deprecated", "readOnly", "writeOnly",
    ]

    /// Every keyword of the standard; those that begin with `x-` are free.
    static let known: Set<String> = general.union(types.keys)
}
