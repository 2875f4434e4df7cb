/// The keywords of JSON Schema, as far as they matter here.
enum Keywords {
    /// What says something to people, or to tools, and nothing about values.
    static let annotations: Set<String> = [
        "$comment", "contentEncoding", "contentMediaType", "default", "deprecated", "description", "examples",
        "readOnly", "title", "writeOnly",
    ]

    /// What stands at the root only.
    static let identity: Set<String> = ["$schema", "$id", "$defs"]

    /// What to write in place of a keyword that has no type in Swift.
    static func advice(_ keyword: String) -> String {
        switch keyword {
        case "allOf": "write its members out in one object"
        case "anyOf", "oneOf": "choose one type; values to choose from are enum, or oneOf with a const in each"
        case "not", "if", "then", "else": "say what is allowed: with enum, with limits, or as an event of its own"
        case "dependentRequired", "dependentSchemas", "dependencies":
            "make an object of the members that belong together, and leave that out of required"
        case "patternProperties", "propertyNames", "additionalProperties", "unevaluatedProperties":
            "name the members in properties, make an array of objects, or leave properties out for a free object"
        case "minProperties", "maxProperties": "they belong to free objects; for others, required says it"
        case "prefixItems", "contains", "minContains", "maxContains", "unevaluatedItems", "additionalItems":
            "give all elements one schema in items, or make an object of them"
        case "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef", "$recursiveAnchor":
            "use $ref with #/$defs/<name>"
        case "$ref": "it stands alone, beside a description at most"
        case "const", "enum": "it stands alone, beside a type and a description at most"
        case "$schema", "$id", "$defs", "$vocabulary": "it stands at the root only"
        default: "take it out"
        }
    }
}
