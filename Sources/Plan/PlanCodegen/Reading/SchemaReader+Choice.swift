internal import JSONSchema
internal import TrackingPlan

extension SchemaReader {
    /// Reads `enum`: strings or integers.
    mutating func enumeration(_ location: SchemaLocation, named name: String?, _ role: SchemaRole) -> EnumerationType? {
        allow([.enum, .type], names: role.names.union(["x-swift-names"]), in: location)
        var given: [String]?
        if let names = location["x-swift-names"] {
            given = names.elements.compactMap { $0.value.string.flatMap { SwiftName.isIdentifier($0) ? $0 : nil } }
            if given?.count != location[.enum]?.elements.count {
                report(names, "x-swift-names must have a name for each value of enum, in the same order")
                return nil
            }
        }
        var cases: [EnumerationType.Case] = []
        var values: Set<EnumerationType.Value> = []
        for (index, value) in (location[.enum]?.elements ?? []).enumerated() {
            guard let read = choiceCase(value, named: given?[index], "", advice: "x-swift-names") else { return nil }
            if !values.insert(read.value).inserted { reportDuplicate(value) }
            cases.append(read)
        }
        return enumeration(cases, at: location, named: name, role: role)
    }

    /// Reads `oneOf` with a `const` and a description in each.
    mutating func choice(_ location: SchemaLocation, named name: String?, _ role: SchemaRole) -> EnumerationType? {
        allow([.oneOf, .type], names: role.names, in: location)
        var cases: [EnumerationType.Case] = []
        var values: Set<EnumerationType.Value> = []
        for option in location[.oneOf]?.elements ?? [] {
            guard let value = option[.const] else {
                report(option, "a choice of schemas cannot be translated to Swift: \(SchemaKeyword.oneOf.advice ?? "")")
                return nil
            }
            allow([.const, .type], names: ["x-swift-name"], in: option)
            reportRedaction(option, "enum values cannot be redacted: remove x-pii")
            requireType(value.value.string == nil ? "integer" : "string", of: option)
            let given = self.name("x-swift-name", of: option)
            guard let read = choiceCase(value, named: given, description(of: option), advice: "x-swift-name") else {
                return nil
            }
            if !values.insert(read.value).inserted { reportDuplicate(value) }
            cases.append(read)
        }
        return enumeration(cases, at: location, named: name, role: role)
    }

    /// Reports a duplicate value. Canonically equivalent strings are duplicates, since Swift compares raw values that
    /// way.
    private mutating func reportDuplicate(_ location: SchemaLocation) {
        report(location, "duplicate value: remove it")
    }

    private mutating func choiceCase(
        _ location: SchemaLocation, named given: String?, _ description: String, advice: String
    ) -> EnumerationType.Case? {
        let value: EnumerationType.Value
        var name = given
        if let text = location.value.string {
            value = .string(text)
            name = name ?? SwiftName.member(text)
        } else if let number = location.value.integer, IntegerRule.interoperable.contains(number) {
            value = .integer(number)
            name = name ?? (number < 0 ? "valueMinus\(-number)" : "value\(number)")
        } else {
            report(location, "an enum value must be a string or an integer; for null, omit the property from required")
            return nil
        }
        // `none` in an optional enum would be ambiguous with nil.
        guard let name, SwiftName.isMember(name), !["none", "allCases"].contains(name) else {
            report(location, "this value cannot be a case name in Swift: give it a name with \(advice)")
            return nil
        }
        return EnumerationType.Case(swiftName: name, value: value, description: description)
    }

    private mutating func enumeration(
        _ cases: [EnumerationType.Case], at location: SchemaLocation, named name: String?, role: SchemaRole
    ) -> EnumerationType? {
        guard let typeName = typeName(location, named: name, role) else { return nil }
        let type = EnumerationType(typeName: typeName, description: description(of: location), cases: cases)
        guard !cases.isEmpty else {
            report(location, "an enum needs at least one value: add values")
            return nil
        }
        let isMixed = cases.contains { if case .integer = $0.value { !type.isInteger } else { type.isInteger } }
        if isMixed { report(location, "an enum cannot mix strings and integers in Swift: use one of them") }
        requireType(type.isInteger ? "integer" : "string", of: location)
        var names: Set<String> = []
        for one in cases where !names.insert(one.swiftName).inserted {
            report(location, "two values have the Swift name \(one.swiftName): give them names with x-swift-names")
        }
        return type
    }

    mutating func array(_ location: SchemaLocation, named name: String?, _ role: SchemaRole) -> ValueType? {
        allow([.type, .items, .minItems, .maxItems, .uniqueItems], names: role.names, in: location)
        guard let items = location[.items] else {
            report(location, "an array needs an element type: describe the elements in items")
            return nil
        }
        let count = counts(.minItems, .maxItems, of: location)
        let isUnique = flag(.uniqueItems, of: location) ?? false
        guard let element = type(of: items, named: name, at: .element) else { return nil }
        if isUnique {
            switch element {
            case .boolean, .integer, .number, .enumeration: break
            case .string(let rule):
                if case .truncate = rule.redaction {
                    report(keyword: .uniqueItems, of: location, "truncated elements may be equal: remove uniqueItems")
                }
            case .object, .array, .free:
                report(keyword: .uniqueItems, of: location, "only strings, numbers and enums can be unique: remove it")
            }
        }
        return .array(ArrayRule(count: count, isUnique: isUnique, element: element))
    }
}
