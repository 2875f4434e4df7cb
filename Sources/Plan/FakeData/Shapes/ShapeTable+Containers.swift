internal import JSONSchema

extension ShapeTable {
    /// Returns the shape of arrays; nil if none is possible.
    func arrayShape(_ demand: Demand, _ rules: Rules) -> ArrayShape? {
        let rules = rules.array
        let locations = rules.elements.map(\.prefix.count).max() ?? 0
        let prefix = (0..<locations).map { location in
            element(
                demand,
                rules.elements.compactMap { location < $0.prefix.count ? $0.prefix[location] : $0.items })
        }
        var others = rules.elements.compactMap(\.items)
        if others.isEmpty { others = rules.unevaluated }
        var shape = ArrayShape(restDemand: element(demand, others))
        shape.prefixDemands = prefix
        shape.prefix = prefix.map { number(of: $0) }
        shape.rest = number(of: shape.restDemand)
        shape.minimum = max(rules.minimum, rules.contained.reduce(0) { $0 + max($1.minimum, 0) })
        shape.maximum = rules.maximum
        // An array must end before an element that is always rejected.
        if let end = prefix.firstIndex(where: isRefused) {
            shape.maximum = min(shape.maximum, end)
        } else if isRefused(shape.restDemand) {
            shape.maximum = min(shape.maximum, locations)
        }
        shape.isUnique = rules.isUnique
        shape.contained = rules.contained.filter { $0.minimum > 0 }
        return shape.minimum <= shape.maximum ? shape : nil
    }

    /// Returns the demand of an element, with the field of the array.
    private func element(_ demand: Demand, _ schemas: [SchemaSet.Location]) -> Demand {
        Demand(schemas: schemas.isEmpty ? [anything] : schemas, field: demand.field)
    }

    /// Returns whether one of the schemas is `false`.
    private func isRefused(_ demand: Demand) -> Bool { demand.schemas.contains { set.value(at: $0).boolean == false } }

    /// Returns the shape of objects; nil if none is possible.
    func objectShape(_ demand: Demand, _ rules: Rules) -> ObjectShape? {
        let examples = demand.examples + rules.examples.map { $0 }
        let rules = rules.object
        guard demand.absent.isDisjoint(with: rules.required) else { return nil }
        var shape = ObjectShape(minimum: rules.minimum, maximum: rules.maximum, examples: examples.count)
        var locations: [[UInt8]: Int] = [:]
        for name in names(rules) where !demand.absent.contains(name) {
            let isRequired = rules.required.contains(name)
            let values = examples.map { example in example.flatMap { member(name, ofExample: $0) } }
            var schemas = rules.members.flatMap { $0.schemas(for: name) }
            if schemas.isEmpty { schemas = rules.unevaluated }
            if schemas.isEmpty { schemas = [anything] }
            let wanted = Demand(schemas: schemas, field: Field(name: name), examples: values)
            if isRefused(wanted) || !isAllowed(name, rules.names) {
                if isRequired { return nil }
                continue
            }
            locations[name] = shape.members.count
            shape.members.append(
                ObjectShape.Member(
                    key: String(decoding: name, as: UTF8.self), shape: number(of: wanted), isRequired: isRequired,
                    isInExample: values.map { $0 != nil }))
        }
        for (name, needed) in rules.dependencies {
            guard let member = locations[name] else { continue }
            // A required name may be forbidden. -1 then excludes this member.
            shape.dependencies.append((member, locations[needed] ?? -1))
        }
        shape.others = others(demand, rules: rules, examples: examples, locations: locations)
        let most = shape.others == nil ? shape.members.count : Int.max
        return shape.minimum <= min(shape.maximum, most) ? shape : nil
    }

    /// Returns the names in the schemas, in order, followed by names that are only required.
    private func names(_ rules: ObjectRules) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var seen: Set<[UInt8]> = []
        let mentioned =
            rules.members.flatMap { $0.properties.map(\.name) } + rules.required
            + rules.dependencies.flatMap { [$0.name, $0.needed] }
        for name in mentioned where seen.insert(name).inserted { found.append(name) }
        return found
    }

    private func member(_ name: [UInt8], ofExample location: SchemaSet.Location) -> SchemaSet.Location? {
        set.value(at: location).members.first { $0.name.utf8.elementsEqual(name) }.map {
            set.location(of: $0.value, in: location)
        }
    }

    /// Returns whether `propertyNames` allows a name.
    private func isAllowed(_ name: [UInt8], _ schemas: [SchemaSet.Location]) -> Bool {
        guard !schemas.isEmpty else { return true }
        let text = String(decoding: name, as: UTF8.self).asJSON
        return text.withUnsafeBytes { accepts($0, schemas) }
    }

    private func others(
        _ demand: Demand, rules: ObjectRules, examples: [SchemaSet.Location?], locations: [[UInt8]: Int]
    ) -> OtherMembers? {
        let isOpen = rules.members.allSatisfy { $0.additional.map { set.value(at: $0).boolean != false } ?? true }
        let unevaluated = rules.unevaluated.contains { set.value(at: $0).boolean == false }
        let patterns = rules.members.flatMap { $0.patterns.map(\.pattern) }
        guard isOpen && !unevaluated || !patterns.isEmpty else { return nil }
        let described = rules.members.contains { $0.additional.map { set.value(at: $0).kind == .object } ?? false }
        var shown: [[UInt8]] = []
        for name in examples.compactMap(\.self).flatMap({ set.value(at: $0).members.map { Array($0.name.utf8) } })
        where locations[name] == nil && !shown.contains(name) { shown.append(name) }
        let names = rules.names.isEmpty ? nil : number(of: Demand(schemas: rules.names + [anyText]))
        return OtherMembers(
            rules: rules.members, unevaluated: rules.unevaluated, names: names, patterns: patterns, examples: shown,
            taken: demand.absent.union(locations.keys),
            usual: described || !patterns.isEmpty || locations.isEmpty ? 3 : 0, location: demand.schemas[0])
    }

    /// Returns the demand of a member without a name in the schemas.
    func demand(of name: [UInt8], _ others: OtherMembers) -> Demand {
        var schemas = others.rules.flatMap { $0.schemas(for: name) }
        if schemas.isEmpty { schemas = others.unevaluated }
        return Demand(schemas: schemas.isEmpty ? [anything] : schemas, field: Field(name: name))
    }
}
