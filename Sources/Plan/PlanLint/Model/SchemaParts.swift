internal import JSONSchema

/// How the subschemas of a plan are in each other, and refer to each other.
struct SchemaParts: Sendable {
    /// By subschema: those that say of their values what it says.
    private var users: [Subschema: [Subschema]] = [:]

    init(_ schemas: [Subschema]) {
        for schema in schemas {
            for part in possible(of: schema) { users[part, default: []].append(schema) }
        }
    }

    /// What holds with a subschema, for the same value; nil for what is not there.
    func certain(of schema: Subschema) -> [Subschema?] {
        schema.targets + schema.schemas(in: .allOf)
    }

    /// A subschema with all that holds with it.
    func allCertain(of schema: Subschema) -> [Subschema] {
        closure([schema]) { certain(of: $0).compactMap { $0 } }
    }

    /// Those of which one holds: the alternatives of each keyword; nil is one that takes anything.
    func alternatives(of schema: Subschema) -> [[Subschema?]] {
        var groups: [[Subschema?]] = [SchemaKeyword.anyOf, .oneOf].map { schema.schemas(in: $0) }
        if schema[.if] != nil {
            groups.append([SchemaKeyword.then, .else].map { schema.schema(in: $0) })
        }
        return groups.filter { !$0.isEmpty }
    }

    /// What may be said of the same value: what holds with a subschema, and all alternatives.
    func possible(of schema: Subschema) -> [Subschema] {
        let alternatives = alternatives(of: schema).flatMap { $0 }
        return (certain(of: schema) + alternatives + schema.schemas(in: .dependentSchemas)).compactMap { $0 }
    }

    /// Subschemas with all that may be said of the same values.
    func allPossible(of schemas: [Subschema]) -> [Subschema] { closure(schemas, possible) }

    /// A subschema with all that may say of their values what it says.
    func allUsers(of schema: Subschema) -> [Subschema] { closure([schema]) { users[$0] ?? [] } }

    /// All that the outermost schemas lead to.
    ///
    /// - Parameter conditions: Also what only chooses between schemas, and describes no value.
    func reached(from roots: [Subschema], conditions: Bool) -> [Subschema] {
        closure(roots) { schema in
            let children = schema.children.filter { child in
                child.keyword != .defs && (conditions || !isCondition(child, in: schema))
            }
            return children + schema.targets.compactMap { $0 }
        }
    }

    private func isCondition(_ child: Subschema, in schema: Subschema) -> Bool {
        switch child.keyword {
        case .if, .not: true
        // The schema of the elements is in another keyword then.
        case .contains: schema[.items] != nil || schema[.prefixItems] != nil
        default: false
        }
    }

    /// Each subschema that steps lead to, once.
    private func closure(_ starts: [Subschema], _ steps: (Subschema) -> [Subschema]) -> [Subschema] {
        var found: [Subschema] = []
        var seen: Set<Subschema> = []
        var open = Array(starts.reversed())
        while let schema = open.popLast() {
            guard seen.insert(schema).inserted else { continue }
            found.append(schema)
            open += steps(schema).reversed()
        }
        return found
    }

    /// The subschemas around one that describe the same value, from the inside.
    private func around(_ schema: Subschema) -> [Subschema] {
        var found: [Subschema] = []
        var schema = schema
        while schema.role == .inPlace, let around = schema.parent {
            found.append(around)
            schema = around
        }
        return found
    }

    /// What the subschemas around the object of a property say of that property as well.
    func refined(by schema: Subschema) -> [Subschema] {
        guard case .property(let name) = schema.role, let object = schema.parent else { return [] }
        return around(object).compactMap { $0.schema(in: .properties, named: name) }
    }
}
