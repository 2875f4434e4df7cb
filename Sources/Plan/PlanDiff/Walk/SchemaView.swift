internal import JSONSchema
internal import TrackingPlan

/// The location of a change: a schema, or a part of one.
protocol WrittenPart {
    /// The name of the document.
    var path: String { get }
    var value: JSONDocument.Value { get }
    /// The path from the root of the document.
    var pointer: JSONPointer { get }
}

extension Subschema: WrittenPart {}

/// A keyword or other member of a schema, or a value in it.
struct SchemaPart: WrittenPart {
    /// The schema that contains it.
    let schema: Subschema
    let value: JSONDocument.Value
    let pointer: JSONPointer

    var path: String { schema.path }

    /// The keyword; nil for a value in a keyword, and for other members.
    var keyword: SchemaKeyword? { pointer.tokens.last.flatMap { SchemaKeyword(rawValue: $0) } }

    /// Returns the value of a member.
    subscript(name: String) -> SchemaPart? {
        value[name].map { SchemaPart(schema: schema, value: $0, pointer: pointer.appending(name)) }
    }

    /// The elements of an array.
    var elements: [SchemaPart] {
        value.elements.enumerated().map { location, element in
            SchemaPart(schema: schema, value: element, pointer: pointer.appending(String(location)))
        }
    }
}

extension Subschema {
    /// Returns a member; nil if the schema does not have it.
    func part(_ name: String) -> SchemaPart? {
        value[name].map { SchemaPart(schema: self, value: $0, pointer: pointer.appending(name)) }
    }

    /// Returns a keyword; nil if the schema does not have it.
    func part(_ keyword: SchemaKeyword) -> SchemaPart? { part(keyword.rawValue) }

    /// Returns an annotation; nil if the schema does not have it.
    func part(_ annotation: PlanAnnotation) -> SchemaPart? { part(annotation.rawValue) }
}

extension SchemaKeyword {
    /// Whether it can make a value invalid.
    var rejectsValues: Bool {
        switch role {
        case .inPlace, .inside, .limit: true
        case .identity, .annotation: false
        }
    }
}

/// A schema prepared for comparison: a plain reference is replaced by its target.
struct SchemaView {
    let schema: Subschema
    private var members: [String: SchemaPart] = [:]
    /// The schemas in `allOf`, and the targets of references next to other keywords.
    private(set) var parts: [Subschema] = []
    /// The reference that cannot be resolved.
    private(set) var openReference: SchemaPart?

    /// Whether it accepts nothing.
    var isFalse: Bool { schema.value.boolean == false }

    init(_ schema: Subschema) {
        var schema = schema
        var notes: [String: SchemaPart] = [:]
        // Annotations next to a reference are added to those of its target.
        for _ in 0..<100 {
            let checks = schema.keywords.filter { $0.keyword.rejectsValues }
            guard checks.count == 1, checks[0].keyword == .ref, let target = schema.target(of: .ref) else { break }
            for (name, part) in Self.members(of: schema) where name != SchemaKeyword.ref.rawValue && notes[name] == nil
            {
                notes[name] = part
            }
            schema = target
        }
        self.schema = schema
        members = Dictionary(Self.members(of: schema)) { first, _ in first }
        members.merge(notes) { _, outer in outer }
        parts = remove(.allOf)?.schema.schemas(in: .allOf) ?? []
        if let reference = remove(.ref) {
            if let target = schema.target(of: .ref) {
                parts.append(target)
            } else {
                openReference = reference
            }
        }
        openReference = remove(.dynamicRef) ?? openReference
    }

    private static func members(of schema: Subschema) -> [(String, SchemaPart)] {
        schema.value.members.map { member in
            let pointer = schema.pointer.appending(member.name)
            return (member.name, SchemaPart(schema: schema, value: member.value, pointer: pointer))
        }
    }

    private mutating func remove(_ keyword: SchemaKeyword) -> SchemaPart? {
        members.removeValue(forKey: keyword.rawValue)
    }

    /// The names of its members, without `allOf` and references, which are in ``parts``.
    var names: Set<String> { Set(members.keys) }

    subscript(name: String) -> SchemaPart? { members[name] }

    subscript(keyword: SchemaKeyword) -> SchemaPart? { members[keyword.rawValue] }

    subscript(annotation: PlanAnnotation) -> SchemaPart? { members[annotation.rawValue] }

    func schema(in keyword: SchemaKeyword) -> Subschema? { self[keyword]?.schema.schema(in: keyword) }

    func schemas(in keyword: SchemaKeyword) -> [Subschema] { self[keyword]?.schema.schemas(in: keyword) ?? [] }

    func named(in keyword: SchemaKeyword) -> [(name: String, schema: Subschema)] {
        self[keyword]?.schema.named(in: keyword) ?? []
    }

    /// Whether other schemas may evaluate members or elements of the same value.
    var hasApplicators: Bool {
        let others: [SchemaKeyword] = [.anyOf, .oneOf, .if, .then, .else, .dependentSchemas, .contains]
        return !parts.isEmpty || openReference != nil || others.contains { self[$0] != nil }
    }
}

/// Two schemas of the same value.
struct SchemaPair {
    let old: SchemaView
    let new: SchemaView
    let path: [String]
    /// Whether an enclosing schema depends on which members or elements they evaluate.
    var isWatchedAround = false

    /// Whether any schema, including these two, depends on which members are evaluated. An undescribed member then
    /// falls under `unevaluatedProperties`.
    var isWatched: Bool { isWatchedAround || Self.asks(old) || Self.asks(new) }

    /// The keywords that a change with fewer evaluated members may affect.
    var watch: String? { isWatched ? "unevaluatedProperties or unevaluatedItems" : nil }
    /// The same for enclosing schemas only.
    var watchAround: String? { isWatchedAround ? "unevaluatedProperties or unevaluatedItems" : nil }

    private static func asks(_ view: SchemaView) -> Bool {
        [SchemaKeyword.unevaluatedProperties, .unevaluatedItems].contains { keyword in
            view[keyword].map { $0.value.boolean != true } ?? false
        }
    }
}
