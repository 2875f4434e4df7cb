import JSONSchema
import Testing

@Suite("Schema trees")
struct SchemaTreeTests {
    private func tree(_ texts: (path: String, text: String)...) throws -> SchemaTree {
        SchemaTree(try texts.map { ($0.path, try JSONDocument($0.text.utf8)) })
    }

    private func pointers(_ schemas: [Subschema]) -> [String] { schemas.map { "\($0.path)#\($0.pointer)" } }

    @Test("The tree lists every schema in text order")
    func order() throws {
        let tree = try tree(
            (
                "a",
                #"""
                {"properties": {"x": {"items": true}, "y": false}, "enum": [{"not": {}}], "$defs": {"z": {}},
                 "allOf": [{"not": {}}, 3], "x-free": {"not": {}}, "contains": {}}
                """#
            ), ("b", "true"), ("c", "[{}]"))
        #expect(
            pointers(tree.schemas) == [
                "a#", "a#/properties/x", "a#/properties/x/items", "a#/properties/y", "a#/$defs/z", "a#/allOf/0",
                "a#/allOf/0/not", "a#/contains", "b#",
            ])
        #expect(tree.root(of: "c") == nil)
        #expect(tree.root(of: "b")?.value.boolean == true)
    }

    @Test("A schema has a location and content")
    func locations() throws {
        let tree = try tree(
            ("a", #"{"type": ["string", "null"], "properties": {"x": {"maxLength": 3}, "y": {}}, "anyOf": [{}, true]}"#)
        )
        let root = try #require(tree.root(of: "a"))
        #expect(root.origin == .root)
        #expect(root.parent == nil)
        #expect(root.keyword == nil)
        #expect(root.types == ["string", "null"])
        #expect(root.keywords.map(\.keyword) == [.type, .properties, .anyOf])
        #expect(root.named(in: .properties).map(\.name) == ["x", "y"])
        #expect(pointers(root.schemas(in: .anyOf)) == ["a#/anyOf/0", "a#/anyOf/1"])
        #expect(root.schema(in: .not) == nil)
        let member = try #require(root.schema(in: .properties, named: "x"))
        #expect(member.origin == .keyword(.properties, name: "x"))
        #expect(member.parent == root)
        #expect(member[.maxLength]?.integer == 3)
        #expect(member[.minLength] == nil)
        #expect(root.schema(in: .properties, named: "z") == nil)
    }

    @Test(
        "References are resolved",
        arguments: [
            ("#", "a#"), ("#/$defs/one", "a#/$defs/one"), ("#here", "a#/$defs/one"), ("b.json", "b#"),
            ("https://example.org/b.json#/items", "b#/items"), ("inner#/items", "a#/$defs/two/items"),
            ("#/x-free/1", "a#/x-free/1"), ("#/%24defs/one", "a#/$defs/one"), ("b.json#turn", "b#/items"),
            ("#/enum", nil), ("#/$defs/none", nil), ("none.json", nil), ("#nowhere", nil),
        ] as [(String, String?)])
    func targets(_ reference: String, _ expected: String?) throws {
        let tree = try tree(
            (
                "a",
                #"""
                {"$id": "https://example.org/a.json", "$ref": "\#(reference)", "enum": [],
                 "$defs": {"one": {"$anchor": "here"}, "two": {"$id": "inner", "items": {}}}, "x-free": [{}, {"not": {}}]}
                """#
            ), ("b", #"{"$id": "https://example.org/b.json", "items": {"$dynamicAnchor": "turn"}}"#))
        let target = tree.root(of: "a")?.target(of: .ref)
        #expect(target.map { "\($0.path)#\($0.pointer)" } == expected)
    }

    @Test("References resolve against the nearest $id")
    func bases() throws {
        let tree = try tree(
            (
                "a",
                #"""
                {"$id": "https://example.org/a.json",
                 "$defs": {"in": {"$id": "b/c.json", "properties": {"x": {"$ref": "#"}, "y": {"$ref": "../a.json"}}}}}
                """#
            ))
        let inner = try #require(tree.root(of: "a")?.schema(in: .defs, named: "in"))
        let (x, y) = (inner.schema(in: .properties, named: "x"), inner.schema(in: .properties, named: "y"))
        #expect(x?.base == "https://example.org/b/c.json")
        #expect(x?.resource == inner)
        #expect(x?.target(of: .ref) == inner)
        #expect(y?.target(of: .ref) == tree.root(of: "a"))
    }

    @Test("Schemas that only a pointer leads to are added last, with their references")
    func pointerOnly() throws {
        let tree = try tree(
            (
                "a",
                ##"{"$ref": "#/x-free/deep", "x-free": {"deep": {"not": {"$ref": "#/x-free/other"}}, "other": {}}}"##
            ))
        #expect(pointers(tree.schemas) == ["a#"])
        let deep = try #require(tree.root(of: "a")?.target(of: .ref))
        #expect(deep.origin == .pointer)
        #expect(!deep.isReachedByKeywords)
        #expect(deep.parent == nil)
        let inner = try #require(deep.schema(in: .not))
        #expect(!inner.isReachedByKeywords)
        #expect(inner.target(of: .ref)?.pointer.description == "/x-free/other")
    }

    @Test("References to the meta-schema differ from unresolved references")
    func metaSchema() throws {
        let uri = "https://json-schema.org/draft/2020-12/schema"
        let tree = try tree(
            ("a", #"{"items": {"$ref": "\#(uri)"}, "not": {"$ref": "\#(uri)#/nothing"}, "contains": {"$ref": "x"}}"#),
            ("b", "{}"))
        let root = try #require(tree.root(of: "a"))
        #expect(root.children.map { $0.leadsToMetaSchema(.ref) } == [true, false, false])
        #expect(root.children.compactMap { $0.target(of: .ref) }.isEmpty)
        #expect(pointers(tree.schemas) == ["a#", "a#/items", "a#/not", "a#/contains", "b#"])
    }

    @Test("Dynamic references lead to the outermost anchor")
    func dynamicTargets() throws {
        let tree = try tree(
            ("list", ##"{"$id": "x:/list", "$dynamicAnchor": "node", "items": {"$dynamicRef": "#node"}}"##),
            ("tree", #"{"$id": "x:/tree", "$dynamicAnchor": "node", "$ref": "list"}"#))
        let list = try #require(tree.root(of: "list"))
        let outer = try #require(tree.root(of: "tree"))
        let reference = try #require(list.schema(in: .items))
        #expect(reference.target(of: .dynamicRef) == list)
        #expect(reference.dynamicTarget(from: list) == list)
        #expect(reference.dynamicTarget(from: outer) == outer)
    }

    @Test("Invalid schemas have a tree, and the first duplicate of a URI or anchor counts")
    func broken() throws {
        let tree = try tree(
            ("a", #"{"$id": "x:/same", "$anchor": "0 1", "items": {"$anchor": "twice"}, "not": {"$anchor": "twice"}}"#),
            ("b", ##"{"$id": "x:/same", "items": {"$ref": "#/not"}, "not": {"$id": 3, "$anchor": {}}}"##),
            ("c", #"{"$id": "x:/c#part", "$ref": "same#twice", "not": {"$ref": "c"}, "properties": 3}"#))
        let (a, b, c) = (tree.root(of: "a"), tree.root(of: "b"), tree.root(of: "c"))
        #expect(c?.target(of: .ref) == a?.schema(in: .items))
        #expect(c?.schema(in: .not)?.target(of: .ref) == c)
        // Its own document takes precedence, although another one has the URI.
        #expect(b?.schema(in: .items)?.resource == b)
        #expect(b?.schema(in: .not)?.base == "x:/same")
    }

    @Test("Schemas of the same document take precedence over others with the same URI")
    func ownFirst() throws {
        let text = #"{"$defs": {"in": {"$id": "x:/in"}}, "$ref": "x:/in"}"#
        let tree = try tree(("a", text), ("b", text))
        #expect(tree.root(of: "a")?.target(of: .ref)?.path == "a")
        #expect(tree.root(of: "b")?.target(of: .ref)?.path == "b")
    }

    @Test("Documents have any path as name, which is the base of relative references")
    func paths() throws {
        let tree = try tree(
            ("events/über uns?/1.json", #"{"$ref": "2.json"}"#), ("events/über uns?/2.json", "{}"))
        let first = try #require(tree.root(of: "events/über uns?/1.json"))
        #expect(first.target(of: .ref)?.path == "events/über uns?/2.json")
    }

    @Test("The deepest possible documents are supported")
    func deep() throws {
        let depth = 120
        let text = String(repeating: #"{"not":"#, count: depth) + "{}" + String(repeating: "}", count: depth)
        let tree = try tree(("a", text))
        #expect(tree.schemas.count == depth + 1)
        #expect(tree.schemas.last?.pointer.tokens.count == depth)
    }
}
