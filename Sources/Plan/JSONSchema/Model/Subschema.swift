/// A schema at its location: its document, its keyword in the enclosing schema, and its URI.
///
/// It identifies a location in its ``SchemaTree``: two are equal if they are the same location of the same tree.
package struct Subschema: Hashable, Sendable {
    /// How a schema was found.
    package enum Origin: Hashable, Sendable {
        /// It is the root schema of a document.
        case root
        /// It is in a keyword of another schema, with a name if the keyword contains schemas by name.
        case keyword(SchemaKeyword, name: String?)
        /// Only the pointer of a reference leads to it, because no keyword contains it.
        case pointer
    }

    package let tree: SchemaTree
    let number: Int

    private var node: SchemaTree.Node { tree.nodes[number] }

    package static func == (left: Subschema, right: Subschema) -> Bool {
        left.number == right.number && left.tree === right.tree
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(number) }

    package var path: String { tree.paths[node.document] }

    /// The path from the root of its document.
    package var pointer: JSONPointer { node.pointer }

    /// How it was found.
    package var origin: Origin { node.origin }

    /// Whether keywords lead to it from the root schema, not only the pointer of a reference.
    package var isReachedByKeywords: Bool { number < tree.writtenCount }

    /// Its keyword in the enclosing schema; nil for the root.
    package var keyword: SchemaKeyword? {
        if case .keyword(let keyword, _) = origin { keyword } else { nil }
    }

    /// Its name in `properties`, `patternProperties`, `dependentSchemas` or `$defs`.
    package var name: String? {
        if case .keyword(_, let name) = origin { name } else { nil }
    }

    /// The enclosing schema; nil for the root.
    package var parent: Subschema? { node.parent.map(tree.schema) }

    /// The base URI of its references, without a fragment.
    package var base: String { tree.base(of: number) }

    /// The schema that defines the base URI: the nearest enclosing one with an `$id`, or the root.
    package var resource: Subschema? { tree.resource(of: number).map(tree.schema) }

    /// An object, or `true` or `false`.
    package var value: JSONDocument.Value { node.value }

    /// Returns the value of a keyword; nil if the schema does not have it.
    package subscript(keyword: SchemaKeyword) -> JSONDocument.Value? { value[keyword] }

    /// The keywords with their values, in the order of the text, without other members.
    package var keywords: [(keyword: SchemaKeyword, member: JSONDocument.Value.Member)] { value.keywords }

    /// The names in `type`.
    package var types: [String] {
        guard let type = self[.type] else { return [] }
        return type.string.map { [$0] } ?? type.elements.compactMap(\.string)
    }

    /// The direct subschemas, in the order of the text.
    package var children: [Subschema] { node.children.map(tree.schema) }

    /// Returns the schemas in one keyword, in the order of the text.
    package func schemas(in keyword: SchemaKeyword) -> [Subschema] { children.filter { $0.keyword == keyword } }

    /// Returns the schema in a keyword, or the first of several; nil if there is none.
    package func schema(in keyword: SchemaKeyword) -> Subschema? { children.first { $0.keyword == keyword } }

    /// Returns the schemas in a keyword that contains schemas by name.
    package func named(in keyword: SchemaKeyword) -> [(name: String, schema: Subschema)] {
        schemas(in: keyword).compactMap { schema in schema.name.map { ($0, schema) } }
    }

    /// Returns the schema with a name in a keyword that contains schemas by name.
    package func schema(in keyword: SchemaKeyword, named name: String) -> Subschema? {
        children.first { $0.keyword == keyword && $0.name.map { $0.utf8.elementsEqual(name.utf8) } == true }
    }

    /// Returns the target of `$ref`, or the initial target of `$dynamicRef`; nil if it is not in the tree.
    package func target(of keyword: SchemaKeyword) -> Subschema? {
        if case .schema(let number)? = node.targets[keyword] { tree.schema(number) } else { nil }
    }

    /// Returns whether a reference leads to a schema of the standard's meta-schema, which is always available.
    package func leadsToMetaSchema(_ keyword: SchemaKeyword) -> Bool {
        if case .metaSchema? = node.targets[keyword] { true } else { false }
    }

    /// Returns the target of `$dynamicRef` if evaluation starts at `root`, and no schema in between has the anchor.
    package func dynamicTarget(from root: Subschema) -> Subschema? {
        tree.dynamicTarget(of: number, from: root.number).map(tree.schema)
    }
}
