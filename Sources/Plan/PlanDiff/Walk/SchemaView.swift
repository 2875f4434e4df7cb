internal import JSONSchema
internal import TrackingPlan

/// What a change is shown at: a schema, or a part of one.
protocol WrittenPart {
    /// The name of its document.
    var path: String { get }
    var value: JSONDocument.Value { get }
    /// The way to it from the root of its document.
    var pointer: JSONPointer { get }
}

extension Subschema: WrittenPart {}

/// A keyword or another member of a schema where it is written, or a value in one.
struct SchemaPart: WrittenPart {
    /// The schema that it belongs to.
    let schema: Subschema
    let value: JSONDocument.Value
    let pointer: JSONPointer

    var path: String { schema.path }

    /// The keyword; nil for a value within one, and for what is no keyword.
    var keyword: SchemaKeyword? { pointer.tokens.last.flatMap { SchemaKeyword(rawValue: $0) } }

    /// The value of a member in it.
    subscript(name: String) -> SchemaPart? {
        value[name].map { SchemaPart(schema: schema, value: $0, pointer: pointer.appending(name)) }
    }

    /// The values in it.
    var elements: [SchemaPart] {
        value.elements.enumerated().map { location, element in
            SchemaPart(schema: schema, value: element, pointer: pointer.appending(String(location)))
        }
    }
}

extension Subschema {
    /// A member where it is written; nil if the schema does not have it.
    func part(_ name: String) -> SchemaPart? {
        value[name].map { SchemaPart(schema: self, value: $0, pointer: pointer.appending(name)) }
    }

    /// A keyword where it is written; nil if the schema does not have it.
    func part(_ keyword: SchemaKeyword) -> SchemaPart? { part(keyword.rawValue) }

    /// An annotation where it is written; nil if the schema does not have it.
    func part(_ annotation: PlanAnnotation) -> SchemaPart? { part(annotation.rawValue) }
}

extension SchemaKeyword {
    /// Whether a value can be invalid because of it.
    var rejectsValues: Bool {
        switch role {
        case .inPlace, .inside, .limit: true
        case .identity, .annotation: false
        }
    }
}

/// A schema as it is compared: behind a plain reference is what it leads to.
struct SchemaView {
    /// Where it is written.
    let schema: Subschema
    private var members: [String: SchemaPart] = [:]
    /// The parts of `allOf`, and what references beside other keywords lead to.
    private(set) var parts: [Subschema] = []
    /// The reference that cannot be followed.
    private(set) var openReference: SchemaPart?

    /// Whether it takes nothing.
    var isFalse: Bool { schema.value.boolean == false }

    init(_ schema: Subschema) {
        var schema = schema
        var notes: [String: SchemaPart] = [:]
        // Notes beside a reference add to those of what it leads to.
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

    /// The names of what it says; not `allOf` and references, which are ``parts``.
    var names: Set<String> { Set(members.keys) }

    subscript(name: String) -> SchemaPart? { members[name] }

    subscript(keyword: SchemaKeyword) -> SchemaPart? { members[keyword.rawValue] }

    subscript(annotation: PlanAnnotation) -> SchemaPart? { members[annotation.rawValue] }

    /// The schema in a keyword.
    func schema(in keyword: SchemaKeyword) -> Subschema? { self[keyword]?.schema.schema(in: keyword) }

    /// The schemas in a keyword.
    func schemas(in keyword: SchemaKeyword) -> [Subschema] { self[keyword]?.schema.schemas(in: keyword) ?? [] }

    /// The schemas in a keyword, by name.
    func named(in keyword: SchemaKeyword) -> [(name: String, schema: Subschema)] {
        self[keyword]?.schema.named(in: keyword) ?? []
    }

    /// Whether further schemas may evaluate members or elements of the same value.
    var hasApplicators: Bool {
        let others: [SchemaKeyword] = [.anyOf, .oneOf, .if, .then, .else, .dependentSchemas, .contains]
        return !parts.isEmpty || openReference != nil || others.contains { self[$0] != nil }
    }
}

/// Two schemas for the same value.
struct SchemaPair {
    let old: SchemaView
    let new: SchemaView
    /// The way to the value.
    let path: [String]
    /// Whether a schema around them asks which members or elements they evaluate.
    var isWatchedAround = false

    /// Whether any schema asks that, they themselves too: what no longer describes a member gives it over to
    /// `unevaluatedProperties` then.
    var isWatched: Bool { isWatchedAround || Self.asks(old) || Self.asks(new) }

    /// What a change that evaluates less is in danger of.
    var watch: String? { isWatched ? "unevaluatedProperties or unevaluatedItems" : nil }
    /// The same, as far as the schemas around them go.
    var watchAround: String? { isWatchedAround ? "unevaluatedProperties or unevaluatedItems" : nil }

    private static func asks(_ view: SchemaView) -> Bool {
        [SchemaKeyword.unevaluatedProperties, .unevaluatedItems].contains { keyword in
            view[keyword].map { $0.value.boolean != true } ?? false
        }
    }
}
