/// Which keywords hold schemas, and in what shape.
enum Subschemas {
    enum Shape { case schema, list, map }

    /// - Returns: nil for a keyword that holds no schema, or that the dialect does not know.
    static func shape(of keyword: String, in dialect: Dialect) -> Shape? {
        switch keyword {
        case "$defs", "definitions": .map
        case "allOf", "anyOf", "oneOf", "prefixItems": dialect.contains(.applicator) ? .list : nil
        case "not", "if", "then", "else", "items", "contains", "additionalProperties", "propertyNames":
            dialect.contains(.applicator) ? .schema : nil
        case "properties", "patternProperties", "dependentSchemas": dialect.contains(.applicator) ? .map : nil
        case "unevaluatedItems", "unevaluatedProperties": dialect.contains(.unevaluated) ? .schema : nil
        case "contentSchema": .schema
        default: nil
        }
    }

    /// Calls `body` with every schema that stands directly in a schema.
    static func forEach(
        in schema: JSONDocument.Value, _ dialect: Dialect, _ body: (JSONDocument.Value) -> Void
    ) {
        for member in schema.members {
            switch shape(of: member.name, in: dialect) {
            case .schema: body(member.value)
            case .list: member.value.elements.forEach(body)
            case .map: member.value.members.forEach { body($0.value) }
            case nil: break
            }
        }
    }
}
