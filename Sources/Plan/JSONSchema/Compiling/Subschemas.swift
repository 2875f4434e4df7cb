/// The schemas that are directly in a schema.
enum Subschemas {
    /// What the value of a member holds: `definitions` was the name of `$defs` before 2019.
    private static func content(of name: String) -> SchemaKeyword.Content {
        name == "definitions" ? .map : SchemaKeyword(rawValue: name)?.content ?? .value
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
    static func forEach(in schema: JSONDocument.Value, _ body: (JSONDocument.Value, Step) -> Void) {
        for member in schema.members {
            // A member's value comes after its name.
            let keyword = member.value.index - 1
            switch content(of: member.name) {
            case .schema: body(member.value, Step(keyword: keyword, part: .none))
            case .list:
                for (place, element) in member.value.elements.enumerated() {
                    body(element, Step(keyword: keyword, part: .element(place)))
                }
            case .map:
                for part in member.value.members {
                    body(part.value, Step(keyword: keyword, part: .member(part.value.index - 1)))
                }
            case .reference, .value: break
            }
        }
    }
}
