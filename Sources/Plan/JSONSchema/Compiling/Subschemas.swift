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

/// Finds what JSON pointers lead to, and notes the members and elements on the way: schemas with many parts are often
/// referred to part by part.
struct PointerTargets: Sendable {
    private var members: [ResourceIndex.Place: [[UInt8]: Int]] = [:]
    private var elements: [ResourceIndex.Place: [Int]] = [:]

    /// The value that a pointer leads to from another of the same document.
    mutating func find(
        _ pointer: JSONPointer, from place: ResourceIndex.Place, _ root: JSONDocument.Value
    ) -> JSONDocument.Value? {
        var value = root
        for token in pointer.tokens {
            let place = ResourceIndex.Place(document: place.document, value: value.index)
            let next = value.kind == .array ? element(token, of: value, at: place) : member(token, of: value, at: place)
            guard let next else { return nil }
            value = JSONDocument.Value(document: root.document, index: next)
        }
        return value
    }

    private mutating func member(
        _ token: String, of value: JSONDocument.Value, at place: ResourceIndex.Place
    ) -> Int? {
        if members[place] == nil {
            members[place] = Dictionary(
                value.members.map { (Array($0.name.utf8), $0.value.index) }, uniquingKeysWith: { first, _ in first })
        }
        return members[place]?[Array(token.utf8)]
    }

    private mutating func element(
        _ token: String, of value: JSONDocument.Value, at place: ResourceIndex.Place
    ) -> Int? {
        guard let index = JSONPointer.index(token) else { return nil }
        if elements[place] == nil { elements[place] = value.elements.map(\.index) }
        return elements[place].flatMap { $0.indices.contains(index) ? $0[index] : nil }
    }
}
