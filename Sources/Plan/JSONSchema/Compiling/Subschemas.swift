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

    /// The way from a schema to one directly in it, by the nodes of the names.
    struct Step: Sendable {
        let keyword: Int
        let part: Part

        enum Part: Sendable {
            case none
            case member(Int)
            case element(Int)
        }

        /// The way as a JSON pointer.
        func pointer(in document: JSONDocument) -> String {
            func name(_ index: Int) -> String {
                "/" + JSONPointer.escape(JSONDocument.Value(document: document, index: index).string ?? "")
            }
            switch part {
            case .none: return name(keyword)
            case .member(let index): return name(keyword) + name(index)
            case .element(let place): return name(keyword) + "/\(place)"
            }
        }
    }

    /// Calls `body` with every schema that stands directly in a schema, and the way to it.
    static func forEach(
        in schema: JSONDocument.Value, _ dialect: Dialect, _ body: (JSONDocument.Value, Step) -> Void
    ) {
        for member in schema.members {
            // A member's value comes after its name.
            let keyword = member.value.index - 1
            switch shape(of: member.name, in: dialect) {
            case .schema: body(member.value, Step(keyword: keyword, part: .none))
            case .list:
                for (place, element) in member.value.elements.enumerated() {
                    body(element, Step(keyword: keyword, part: .element(place)))
                }
            case .map:
                for part in member.value.members {
                    body(part.value, Step(keyword: keyword, part: .member(part.value.index - 1)))
                }
            case nil: break
            }
        }
    }
}
