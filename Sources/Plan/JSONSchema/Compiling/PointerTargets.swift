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
