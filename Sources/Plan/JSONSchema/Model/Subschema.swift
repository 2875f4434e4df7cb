/// A schema where it is written: in which document, in which keyword of which other schema, and under which URI.
///
/// It is a place in its ``SchemaTree``: two are equal if they are the same place of the same tree.
package struct Subschema: Hashable, Sendable {
    /// How it was found.
    package enum Origin: Hashable, Sendable {
        /// It is the outermost schema of a document.
        case root
        /// It is in a keyword of another schema: under a name, if the keyword holds schemas by name.
        case keyword(SchemaKeyword, name: String?)
        /// Only the pointer of a reference leads to it: it is in something that no keyword knows.
        case pointer
    }

    package let tree: SchemaTree
    let number: Int

    private var node: SchemaTree.Node { tree.nodes[number] }

    package static func == (left: Subschema, right: Subschema) -> Bool {
        left.number == right.number && left.tree === right.tree
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(number) }

    // MARK: Where it is

    /// The name of its document.
    package var path: String { tree.paths[node.document] }

    /// The way to it from the root of its document.
    package var pointer: JSONPointer { node.pointer }

    /// How it was found.
    package var origin: Origin { node.origin }

    /// Whether keywords lead to it from the outermost schema, not only the pointer of a reference.
    package var isReachedByKeywords: Bool { number < tree.writtenCount }

    /// The keyword of the schema around it that it is in; nil for the outermost.
    package var keyword: SchemaKeyword? {
        if case .keyword(let keyword, _) = origin { keyword } else { nil }
    }

    /// The name that it has in `properties`, `patternProperties`, `dependentSchemas` or `$defs`.
    package var name: String? {
        if case .keyword(_, let name) = origin { name } else { nil }
    }

    /// The schema directly around it; nil for the outermost.
    package var parent: Subschema? { node.parent.map(tree.schema) }

    /// The URI, without a fragment, that references in it start from.
    package var base: String { tree.base(of: number) }

    /// The schema whose URI that is: the nearest one around it with an `$id`, or the outermost.
    package var resource: Subschema? { tree.resource(of: number).map(tree.schema) }

    // MARK: What it says

    /// An object, or `true` or `false`.
    package var value: JSONDocument.Value { node.value }

    /// What a keyword says; nil if the schema does not have it.
    package subscript(keyword: SchemaKeyword) -> JSONDocument.Value? { value[keyword] }

    /// The keywords with their values, as written; members that are no keyword are left out.
    package var keywords: [(keyword: SchemaKeyword, member: JSONDocument.Value.Member)] { value.keywords }

    /// The names that `type` lists.
    package var types: [String] {
        guard let type = self[.type] else { return [] }
        return type.string.map { [$0] } ?? type.elements.compactMap(\.string)
    }

    // MARK: The schemas in it

    /// The schemas directly in it, in the order of the text.
    package var children: [Subschema] { node.children.map(tree.schema) }

    /// The schemas in one keyword, in the order of the text.
    package func schemas(in keyword: SchemaKeyword) -> [Subschema] { children.filter { $0.keyword == keyword } }

    /// The schema in a keyword that holds one, or the first of several; nil if there is none.
    package func schema(in keyword: SchemaKeyword) -> Subschema? { children.first { $0.keyword == keyword } }

    /// The schemas in a keyword that holds schemas by name.
    package func named(in keyword: SchemaKeyword) -> [(name: String, schema: Subschema)] {
        schemas(in: keyword).compactMap { schema in schema.name.map { ($0, schema) } }
    }

    /// The schema of a name in a keyword that holds schemas by name.
    package func schema(in keyword: SchemaKeyword, named name: String) -> Subschema? {
        children.first { $0.keyword == keyword && $0.name.map { $0.utf8.elementsEqual(name.utf8) } == true }
    }

    // MARK: Where its references lead

    /// The schema that `$ref` or `$dynamicRef` leads to, as written; nil if it leads to none of the tree.
    package func target(of keyword: SchemaKeyword) -> Subschema? {
        if case .schema(let number)? = node.targets[keyword] { tree.schema(number) } else { nil }
    }

    /// Whether a reference leads to a schema of the standard's own meta-schema, which is always there.
    package func leadsToMetaSchema(_ keyword: SchemaKeyword) -> Bool {
        if case .metaSchema? = node.targets[keyword] { true } else { false }
    }

    /// The schema that `$dynamicRef` leads to if evaluation began at `root`, and nothing in between has the anchor.
    package func dynamicTarget(from root: Subschema) -> Subschema? {
        tree.dynamicTarget(of: number, from: root.number).map(tree.schema)
    }
}
