extension ProgramBuilder {
    mutating func addLogic(_ schema: SchemaUnderWork) throws(SchemaError) {
        var rules = LogicRules()
        var isNeeded = false
        if let value = schema[.ref] {
            rules.reference = try target(value, keyword: .ref, in: schema)
            isNeeded = true
        }
        if let value = schema[.dynamicRef] {
            rules.dynamicReference = try target(value, keyword: .dynamicRef, in: schema)
            rules.dynamicAnchor = dynamicAnchor(value, schema)
            isNeeded = true
        }
        try addApplicators(of: schema, to: &rules, isNeeded: &isNeeded)
        if let value = schema[.unevaluatedItems] {
            rules.unevaluatedItems = try node(value, in: schema)
            isNeeded = true
        }
        if let value = schema[.unevaluatedProperties] {
            rules.unevaluatedProperties = try node(value, in: schema)
            isNeeded = true
        }
        guard isNeeded else { return }
        parts.nodes[schema.number].logic = ProgramIndex(parts.logic.count)
        parts.logic.append(rules)
    }

    private mutating func addApplicators(
        of schema: SchemaUnderWork, to rules: inout LogicRules, isNeeded: inout Bool
    ) throws(SchemaError) {
        for (keyword, value) in schema.keywords {
            switch keyword {
            case .allOf: rules.allOf = try nodes(value, keyword: keyword, in: schema)
            case .anyOf: rules.anyOf = try nodes(value, keyword: keyword, in: schema)
            case .oneOf: rules.oneOf = try nodes(value, keyword: keyword, in: schema)
            case .not: rules.not = try node(value, in: schema)
            case .if: rules.condition = try node(value, in: schema)
            case .then: rules.consequence = try node(value, in: schema)
            case .else: rules.alternative = try node(value, in: schema)
            case .dependentSchemas:
                var names: [(name: [UInt8], node: ProgramIndex)] = []
                for dependent in try members(value, keyword: keyword, in: schema) {
                    names.append((Array(dependent.name.utf8), try node(dependent.value, in: schema)))
                }
                guard !names.isEmpty else { continue }
                rules.dependentSchemas = ProgramRange(start: Int32(table(names)), count: Int32(names.count))
            default: continue
            }
            isNeeded = true
        }
    }

    private mutating func target(
        _ value: JSONDocument.Value, keyword: SchemaKeyword, in schema: SchemaUnderWork
    ) throws(SchemaError) -> ProgramIndex {
        guard let text = value.string else { throw schema.issue(value, "\(keyword.rawValue) must be a string") }
        let uri = URIReference(text).resolved(against: schema.base)
        guard let location = try index.resolve(uri) else {
            throw schema.issue(
                value, "\(keyword.rawValue) leads to the unknown schema \(uri): add it to the set",
                code: .unresolvedReference)
        }
        return try node(at: location)
    }

    /// Returns the anchor of a dynamic reference, if its initial target is a dynamic anchor.
    private mutating func dynamicAnchor(_ value: JSONDocument.Value, _ schema: SchemaUnderWork) -> ProgramIndex {
        let uri = URIReference(value.string ?? "").resolved(against: schema.base)
        guard let name = uri.decodedFragment.map({ Array($0.utf8) }), let resource = index.resource(uri),
            index.resources[resource].dynamicAnchors[name] != nil
        else { return .none }
        return anchor(name)
    }
}
