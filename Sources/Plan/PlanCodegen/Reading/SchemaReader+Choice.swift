internal import JSONSchema
internal import TrackingPlan

extension SchemaReader {
    /// `enum`: texts, or integers.
    mutating func enumeration(_ location: SchemaLocation, named name: String?, _ role: SchemaRole) -> EnumerationType? {
        allow([.enum, .type], names: role.names.union(["x-swift-names"]), in: location)
        var given: [String]?
        if let names = location["x-swift-names"] {
            given = names.elements.compactMap { $0.value.string.flatMap { SwiftName.isIdentifier($0) ? $0 : nil } }
            if given?.count != location[.enum]?.elements.count {
                refuse(names, "it gives each value of enum its name, in their order")
                return nil
            }
        }
        var cases: [EnumerationType.Case] = []
        for (index, value) in (location[.enum]?.elements ?? []).enumerated() {
            guard let read = choiceCase(value, named: given?[index], "", advice: "x-swift-names") else { return nil }
            refuseRepeated(read, cases, value)
            cases.append(read)
        }
        return enumeration(cases, location, named: name, role)
    }

    /// `oneOf` with a `const` and a description in each.
    mutating func choice(_ location: SchemaLocation, named name: String?, _ role: SchemaRole) -> EnumerationType? {
        allow([.oneOf, .type], names: role.names, in: location)
        var cases: [EnumerationType.Case] = []
        for option in location[.oneOf]?.elements ?? [] {
            guard let value = option[.const] else {
                refuse(option, "a choice of schemas has no type in Swift: \(SchemaKeyword.oneOf.advice ?? "")")
                return nil
            }
            allow([.const, .type], names: ["x-swift-name"], in: option)
            refusePrivacy(option, "a value to choose from is written as it is: take x-pii out")
            requireType(value.value.string == nil ? "integer" : "string", of: option)
            let given = self.name("x-swift-name", of: option)
            guard let read = choiceCase(value, named: given, description(of: option), advice: "x-swift-name") else {
                return nil
            }
            refuseRepeated(read, cases, value)
            cases.append(read)
        }
        return enumeration(cases, location, named: name, role)
    }

    /// Refuses a value that stands there twice; texts that look alike are one raw value, however they are composed.
    private mutating func refuseRepeated(
        _ one: EnumerationType.Case, _ others: [EnumerationType.Case], _ location: SchemaLocation
    ) {
        guard others.contains(where: { $0.value == one.value }) else { return }
        refuse(location, "this value stands there already: take it out")
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
            refuse(location, "a value to choose from is a text or an integer; what may be null is left out of required")
            return nil
        }
        // `none` of an optional enum would be taken for nil.
        guard let name, SwiftName.isMember(name), !["none", "allCases"].contains(name) else {
            refuse(location, "no case of Swift can be named like this value: give a name with \(advice)")
            return nil
        }
        return EnumerationType.Case(swiftName: name, value: value, description: description)
    }

    private mutating func enumeration(
        _ cases: [EnumerationType.Case], _ location: SchemaLocation, named name: String?, _ role: SchemaRole
    ) -> EnumerationType? {
        guard let typeName = typeName(location, named: name, role) else { return nil }
        let type = EnumerationType(typeName: typeName, description: description(of: location), cases: cases)
        guard !cases.isEmpty else {
            refuse(location, "there is nothing to choose from: give values")
            return nil
        }
        let isMixed = cases.contains { if case .integer = $0.value { !type.isInteger } else { type.isInteger } }
        if isMixed { refuse(location, "texts and integers in one choice have no type in Swift: choose one") }
        requireType(type.isInteger ? "integer" : "string", of: location)
        var names: Set<String> = []
        for one in cases where !names.insert(one.swiftName).inserted {
            refuse(location, "two values are named \(one.swiftName) in Swift: give names with x-swift-names")
        }
        return type
    }

    mutating func array(_ location: SchemaLocation, named name: String?, _ role: SchemaRole) -> ValueType? {
        allow([.type, .items, .minItems, .maxItems, .uniqueItems], names: role.names, in: location)
        guard let items = location[.items] else {
            refuse(location, "elements of any type have no type in Swift: describe them in items")
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
                    refuse(keyword: .uniqueItems, of: location, "what is cut may be equal then: take it out")
                }
            case .object, .array, .free:
                refuse(keyword: .uniqueItems, of: location, "only texts, numbers and choices are compared: take it out")
            }
        }
        return .array(ArrayRule(count: count, isUnique: isUnique, element: element))
    }
}
