/// Documents with all their subschemas and the targets of references: the model for lint, diff, pages, coverage and
/// code generation.
///
/// ```swift
/// let tree = SchemaTree([("events/search/1-0-0.json", document)])
/// for schema in tree.schemas where schema[.maxLength] == nil { … }
/// if let search = tree.root(of: "events/search/1-0-0.json") {
///     search[.required]                      // the JSON of a keyword
///     search.named(in: .properties)          // the schemas in it, with their names
///     search.schema(in: .items)?.pointer     // /items
///     search.target(of: .ref)                // the schema that a reference leads to
/// }
/// ```
///
/// Invalid schemas also have a tree: values that are not schemas are omitted, an `$id` that is not a string is ignored,
/// and of two schemas with the same URI the first one counts, except within the document of the second. ``SchemaSet``
/// rejects all of these. Both resolve references in the same way.
///
/// A tree is immutable, so any number of threads may read it. Complexity of creating one: O(bytes of the documents).
package final class SchemaTree: Sendable {
    struct Node: Sendable {
        let value: JSONDocument.Value
        let document: Int
        let pointer: JSONPointer
        let origin: Subschema.Origin
        let parent: Int?
        /// The direct subschemas, in the order of the text.
        var children: [Int] = []
        /// The targets of its references.
        var targets: [SchemaKeyword: Target] = [:]
    }

    /// The target of a reference.
    enum Target: Sendable {
        case schema(Int)
        /// A schema of the standard's meta-schema.
        case metaSchema
    }

    let nodes: [Node]
    let paths: [String]
    private let index: ResourceIndex
    private let locations: [ResourceIndex.Location]
    private let numbers: [ResourceIndex.Location: Int]
    private let rootByPath: [String: Int]
    /// The number of schemas that keywords lead to. Those that only a pointer leads to follow them.
    let writtenCount: Int

    /// - Parameter documents: The documents, each with a unique name, such as its path. It is the base of relative
    ///   references in schemas without `$id`.
    package init(_ documents: [(path: String, document: JSONDocument)]) {
        var builder = SchemaTreeBuilder()
        for (path, document) in documents { builder.add(document, at: path) }
        writtenCount = builder.nodes.count
        builder.resolve()
        nodes = builder.nodes
        paths = documents.map(\.path)
        index = builder.index
        locations = builder.locations
        numbers = builder.numbers
        rootByPath = builder.rootByPath
    }

    /// Returns the root schema of the document at a path; nil if there is none.
    package func root(of path: String) -> Subschema? { rootByPath[path].map(schema) }

    /// Every schema that keywords lead to, in the order of the documents and of the text.
    package var schemas: [Subschema] { (0..<writtenCount).map(schema) }

    func schema(_ number: Int) -> Subschema { Subschema(tree: self, number: number) }

    /// Returns the base URI of references in a schema.
    func base(of number: Int) -> String {
        index.resource(at: locations[number]).map { index.resources[$0].uri.withoutFragment } ?? ""
    }

    /// Returns the schema that defines the base URI; nil if it is not part of the tree.
    func resource(of number: Int) -> Int? {
        index.resource(at: locations[number]).flatMap { numbers[index.resources[$0].root] }
    }

    /// Returns the target of a dynamic reference if evaluation starts at `root`, and no schema in between has the
    /// anchor.
    func dynamicTarget(of number: Int, from root: Int) -> Int? {
        guard case .schema(let first)? = nodes[number].targets[.dynamicRef] else { return nil }
        guard let text = nodes[number].value[.dynamicRef]?.string,
            let name = URIReference(text).decodedFragment.map({ Array($0.utf8) }),
            let known = index.resource(at: locations[first]), index.resources[known].dynamicAnchors[name] != nil,
            let outer = index.resource(at: locations[root]),
            let outermost = index.resources[outer].dynamicAnchors[name]
        else { return first }
        return numbers[outermost] ?? first
    }
}

/// Finds the schemas of documents, then the targets of their references.
struct SchemaTreeBuilder {
    private(set) var nodes: [SchemaTree.Node] = []
    private(set) var locations: [ResourceIndex.Location] = []
    private(set) var numbers: [ResourceIndex.Location: Int] = [:]
    private(set) var rootByPath: [String: Int] = [:]
    private(set) var index = ResourceIndex(isTolerant: true)
    /// The number of each document by its number in the index, which has further documents.
    private var documents: [Int: Int] = [:]
    private var count = 0

    mutating func add(_ document: JSONDocument, at path: String) {
        let location = ResourceIndex.Location(document: index.documents.count, value: document.root.index)
        defer { count += 1 }
        guard Self.isSchema(document.root) else { return }
        documents[location.document] = count
        try? index.add(document, at: Self.uri(path))  // The index is tolerant and throws nothing.
        rootByPath[path] = rootByPath[path] ?? nodes.count
        walk(from: location, document.root, at: JSONPointer(), .root)
    }

    /// Resolves every reference, and adds the schemas that only a pointer leads to.
    mutating func resolve() {
        var next = 0
        while next < nodes.count {
            for keyword in [SchemaKeyword.ref, .dynamicRef] {
                guard let text = nodes[next].value[keyword]?.string, let target = target(of: text, in: next) else {
                    continue
                }
                nodes[next].targets[keyword] = target
            }
            next += 1
        }
    }

    private mutating func target(of reference: String, in number: Int) -> SchemaTree.Target? {
        guard let resource = index.resource(at: locations[number]) else { return nil }
        let uri = URIReference(reference).resolved(against: index.resources[resource].uri)
        // Ignore errors in a schema that only a pointer leads to: compiling reports them.
        guard let location = try? index.resolve(uri, from: locations[number].document) else { return nil }
        guard documents[location.document] != nil else { return .metaSchema }
        if let known = numbers[location] { return .schema(known) }
        let added = nodes.count
        let value = index.value(location)
        walk(from: location, value, at: Self.pointer(to: value), .pointer)
        return .schema(added)
    }

    /// Returns the pointer from the root of a document. Complexity: O(values of the document).
    private static func pointer(to target: JSONDocument.Value) -> JSONPointer {
        var waiting = [(value: target.document.root, pointer: JSONPointer())]
        while let (value, pointer) = waiting.popLast() {
            if value.index == target.index { return pointer }
            // The last one that does not start after the target contains it.
            let inner =
                value.members.map { ($0.value, $0.name) }
                + value.elements.enumerated().map { ($0.element, "\($0.offset)") }
            guard let next = inner.last(where: { $0.0.index <= target.index }) else { break }
            waiting = [(next.0, pointer.appending(next.1))]
        }
        return JSONPointer()
    }

    /// Registers a schema and all schemas in it. Uses a list instead of recursion, since documents may be deep.
    private mutating func walk(
        from location: ResourceIndex.Location, _ value: JSONDocument.Value, at pointer: JSONPointer,
        _ origin: Subschema.Origin
    ) {
        var waiting = [(value: value, pointer: pointer, origin: origin, parent: Int?.none)]
        while let (value, pointer, origin, parent) = waiting.popLast() {
            let location = ResourceIndex.Location(document: location.document, value: value.index)
            guard Self.isSchema(value), numbers[location] == nil else { continue }
            let number = nodes.count
            numbers[location] = number
            locations.append(location)
            nodes.append(
                SchemaTree.Node(
                    value: value, document: documents[location.document] ?? 0, pointer: pointer, origin: origin,
                    parent: parent))
            if let parent { nodes[parent].children.append(number) }
            // The last one is visited next.
            waiting += Self.children(of: value, at: pointer).reversed().map {
                ($0.value, $0.pointer, $0.origin, number)
            }
        }
    }

    private typealias Child = (value: JSONDocument.Value, pointer: JSONPointer, origin: Subschema.Origin)

    private static func children(of schema: JSONDocument.Value, at pointer: JSONPointer) -> [Child] {
        var found: [Child] = []
        for (keyword, member) in schema.keywords {
            let pointer = pointer.appending(keyword.rawValue)
            switch keyword.content {
            case .schema: found.append((member.value, pointer, .keyword(keyword, name: nil)))
            case .list:
                for (location, element) in member.value.elements.enumerated() {
                    found.append((element, pointer.appending("\(location)"), .keyword(keyword, name: nil)))
                }
            case .map:
                for part in member.value.members {
                    found.append((part.value, pointer.appending(part.name), .keyword(keyword, name: part.name)))
                }
            case .reference, .value: break
            }
        }
        return found
    }

    private static func isSchema(_ value: JSONDocument.Value) -> Bool {
        value.kind == .object || value.kind == .boolean
    }

    /// Returns a path as a URI, so that references may be relative to it.
    private static func uri(_ path: String) -> String {
        "schema:///"
            + URIReference.encodedFragment(path).split(separator: "?", omittingEmptySubsequences: false)
            .joined(separator: "%3F")
    }
}
