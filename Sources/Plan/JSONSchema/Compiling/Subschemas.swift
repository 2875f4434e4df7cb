/// The direct subschemas of a schema.
enum Subschemas {
    /// Returns the content of a member. `definitions` was the name of `$defs` before 2019.
    private static func content(of name: String) -> SchemaKeyword.Content {
        name == "definitions" ? .map : SchemaKeyword(rawValue: name)?.content ?? .value
    }

    /// The path from a schema to a direct subschema, as nodes of the names.
    struct Step: Sendable {
        let keyword: Int
        let part: Part

        enum Part: Sendable {
            case none
            case member(Int)
            case element(Int)
        }

        func pointer(in document: JSONDocument) -> String {
            func name(_ index: Int) -> String {
                "/" + JSONPointer.escape(JSONDocument.Value(document: document, index: index).string ?? "")
            }
            switch part {
            case .none: return name(keyword)
            case .member(let index): return name(keyword) + name(index)
            case .element(let location): return name(keyword) + "/\(location)"
            }
        }
    }

    /// Calls `body` with each direct subschema and the path to it.
    static func forEach(in schema: JSONDocument.Value, _ body: (JSONDocument.Value, Step) -> Void) {
        for member in schema.members {
            // The value of a member follows its name.
            let keyword = member.value.index - 1
            switch content(of: member.name) {
            case .schema: body(member.value, Step(keyword: keyword, part: .none))
            case .list:
                for (location, element) in member.value.elements.enumerated() {
                    body(element, Step(keyword: keyword, part: .element(location)))
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

/// Resolves JSON pointers, and caches the members and elements on the path, since schemas with many parts are often
/// referenced part by part.
struct PointerTargets: Sendable {
    private var members: [ResourceIndex.Location: [[UInt8]: Int]] = [:]
    private var elements: [ResourceIndex.Location: [Int]] = [:]

    /// Returns the value at a pointer, relative to another value of the same document.
    mutating func find(
        _ pointer: JSONPointer, from location: ResourceIndex.Location, _ root: JSONDocument.Value
    ) -> JSONDocument.Value? {
        var value = root
        for token in pointer.tokens {
            let location = ResourceIndex.Location(document: location.document, value: value.index)
            let next =
                value.kind == .array ? element(token, of: value, at: location) : member(token, of: value, at: location)
            guard let next else { return nil }
            value = JSONDocument.Value(document: root.document, index: next)
        }
        return value
    }

    private mutating func member(
        _ token: String, of value: JSONDocument.Value, at location: ResourceIndex.Location
    ) -> Int? {
        if members[location] == nil {
            members[location] = Dictionary(
                value.members.map { (Array($0.name.utf8), $0.value.index) }, uniquingKeysWith: { first, _ in first })
        }
        return members[location]?[Array(token.utf8)]
    }

    private mutating func element(
        _ token: String, of value: JSONDocument.Value, at location: ResourceIndex.Location
    ) -> Int? {
        guard let index = JSONPointer.index(token) else { return nil }
        if elements[location] == nil { elements[location] = value.elements.map(\.index) }
        return elements[location].flatMap { $0.indices.contains(index) ? $0[index] : nil }
    }
}
