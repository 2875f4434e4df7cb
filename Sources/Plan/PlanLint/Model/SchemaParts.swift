internal import JSONSchema

/// The containment and references between the subschemas of a plan.
struct SchemaParts: Sendable {
    /// The subschemas that apply a subschema to their own values.
    private var users: [Subschema: [Subschema]] = [:]

    init(_ schemas: [Subschema]) {
        for schema in schemas {
            for part in possible(of: schema) { users[part, default: []].append(schema) }
        }
    }

    /// Returns the schemas that always apply to the same value as a subschema; nil for a missing one.
    func certain(of schema: Subschema) -> [Subschema?] {
        schema.targets + schema.schemas(in: .allOf)
    }

    /// Returns a subschema and all schemas that always apply with it.
    func allCertain(of schema: Subschema) -> [Subschema] {
        closure([schema]) { certain(of: $0).compactMap { $0 } }
    }

    /// Returns the alternatives of each keyword, of which one applies; nil is an alternative that accepts anything.
    func alternatives(of schema: Subschema) -> [[Subschema?]] {
        var groups: [[Subschema?]] = [SchemaKeyword.anyOf, .oneOf].map { schema.schemas(in: $0) }
        if schema[.if] != nil {
            groups.append([SchemaKeyword.then, .else].map { schema.schema(in: $0) })
        }
        return groups.filter { !$0.isEmpty }
    }

    /// Returns the schemas that may apply to the same value: the certain ones and all alternatives.
    func possible(of schema: Subschema) -> [Subschema] {
        let alternatives = alternatives(of: schema).flatMap { $0 }
        return (certain(of: schema) + alternatives + schema.schemas(in: .dependentSchemas)).compactMap { $0 }
    }

    /// Returns subschemas and all schemas that may apply to the same values.
    func allPossible(of schemas: [Subschema]) -> [Subschema] { closure(schemas, possible) }

    /// Returns a subschema and all subschemas that may apply it to their values.
    func allUsers(of schema: Subschema) -> [Subschema] { closure([schema]) { users[$0] ?? [] } }

    /// Returns all subschemas that the roots lead to.
    ///
    /// - Parameter conditions: Whether to include schemas that only choose between others and describe no value.
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
        // The schema of the elements is in another keyword in this case.
        case .contains: schema[.items] != nil || schema[.prefixItems] != nil
        default: false
        }
    }

    /// Returns each subschema that the steps lead to, once.
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

    /// Returns the enclosing subschemas that describe the same value, innermost first.
    private func around(_ schema: Subschema) -> [Subschema] {
        var found: [Subschema] = []
        var schema = schema
        while schema.role == .inPlace, let around = schema.parent {
            found.append(around)
            schema = around
        }
        return found
    }

    /// Returns the other schemas of a property, from schemas around the property's object.
    func refined(by schema: Subschema) -> [Subschema] {
        guard case .property(let name) = schema.role, let object = schema.parent else { return [] }
        return around(object).compactMap { $0.schema(in: .properties, named: name) }
    }
}
