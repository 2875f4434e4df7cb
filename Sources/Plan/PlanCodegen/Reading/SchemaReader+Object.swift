internal import JSONSchema
internal import TrackingPlan

extension SchemaReader {
    mutating func object(_ location: SchemaLocation, named name: String?, _ role: SchemaRole) -> ValueType? {
        if isOpen(location) || isFree(location) {
            allow(
                [.type, .additionalProperties, .unevaluatedProperties, .minProperties, .maxProperties],
                names: role.names.subtracting([role.typeKeyword]).union(role == .property ? ["x-swift-name"] : []),
                in: location)
            for keyword in Self.closingKeywords where location[keyword].map({ $0.value.boolean != true }) ?? false {
                report(
                    keyword: keyword, of: location,
                    "an open object accepts any member: remove \(keyword.rawValue) or x-open")
            }
            return .free(counts(.minProperties, .maxProperties, of: location))
        }
        allow(
            [.type, .required, .properties, .additionalProperties, .unevaluatedProperties, .defs],
            names: role.names, in: location)
        requireClosed(location)
        guard let typeName = typeName(location, named: name, role) else { return nil }
        if role != .eventValue { scope.append(typeName) }
        defer { if role != .eventValue { scope.removeLast() } }
        var members: [ObjectType.Member] = []
        var nested: [NestedType] = []
        let required = required(of: location)
        for (name, member) in location[.properties]?.members ?? [] {
            guard let read = self.member(name, member, isRequired: required.contains(name)) else { continue }
            members.append(read)
            if case .property(let property) = read, member[.ref] == nil {
                nested += declared(property.type, member)
            }
        }
        let object = ObjectType(
            typeName: typeName, description: description(of: location), members: members, nested: nested)
        refuseRepeatedNames(object, location)
        if role != .eventValue { reportDuplicateTypes(object.nested, location) }
        return .object(object)
    }

    /// Returns whether `x-open` is a reason, or true.
    private func isOpen(_ location: SchemaLocation) -> Bool {
        guard let open = location["x-open"]?.value else { return false }
        return open.string != nil || open.boolean == true
    }

    /// Returns whether an object doesn't describe its members.
    private func isFree(_ location: SchemaLocation) -> Bool {
        location[.properties] == nil && location[.required] == nil
            && Self.closingKeywords.allSatisfy { location[$0]?.value.boolean ?? (location[$0] == nil) }
    }

    /// The keywords that limit which other members an object may have.
    private static let closingKeywords = [SchemaKeyword.additionalProperties, .unevaluatedProperties]

    /// Returns the type that a property's schema declares. Referenced types are declared elsewhere.
    private func declared(_ type: ValueType, _ location: SchemaLocation) -> [NestedType] {
        switch type {
        case .object(let object): [.object(object)]
        case .enumeration(let enumeration): [.enumeration(enumeration)]
        case .array(let rule):
            if let items = location[.items], items[.ref] == nil { declared(rule.element, items) } else { [] }
        default: []
        }
    }

    private mutating func member(_ name: String, _ location: SchemaLocation, isRequired: Bool) -> ObjectType.Member? {
        guard let swiftName = self.name("x-swift-name", of: location) ?? SwiftName.member(name),
            SwiftName.isMember(swiftName), !SwiftName.usedMembers.contains(swiftName)
        else {
            let given = location["x-swift-name"]?.value.string ?? name
            report(
                location,
                "\(given) cannot be a property name in Swift: set x-swift-name to a name that starts with a small letter"
            )
            return nil
        }
        if location[.const] != nil { return constant(name, location, codingKey: swiftName) }
        let privacy = privacy(location)
        if privacy.isDropped, isRequired {
            report(
                keyword: "x-pii", of: location, "a dropped property cannot be required: remove it from required")
        }
        let isArray = location[.type]?.value.string == "array"
        guard
            let type = type(
                of: location, named: isArray ? SwiftName.element(name) : SwiftName.type(name), at: .property)
        else { return nil }
        var label = text("x-swift-label", of: location)
        if label != nil, scope.count > 1 {
            report(keyword: "x-swift-label", of: location, "only members of the event's value have labels: remove it")
        }
        if let given = label, given != "_", !SwiftName.isIdentifier(given) {
            report(keyword: "x-swift-label", of: location, "\(given) is not a label: write _ or a name")
            label = nil
        }
        return .property(
            Property(
                name: name, swiftName: swiftName, label: label, description: description(of: location),
                isRequired: isRequired, isDropped: privacy.isDropped, isPersonal: privacy.isPersonal, type: type))
    }

    private mutating func constant(_ name: String, _ location: SchemaLocation, codingKey: String) -> ObjectType.Member?
    {
        allow([.const, .type], names: ["x-swift-name"], in: location)
        guard let value = location[.const]?.value else { return nil }
        reportRedaction(location, "a constant cannot be redacted: write true or false")
        let read: ConstantValue? =
            if let text = value.string { .string(text) } else if let flag = value.boolean { .boolean(flag) } else {
                value.integer.flatMap { IntegerRule.interoperable.contains($0) ? .integer($0) : nil }
            }
        guard let read else {
            report(keyword: .const, of: location, "a constant must be a string, an integer, true or false")
            return nil
        }
        switch read {
        case .string: requireType("string", of: location)
        case .integer: requireType("integer", of: location)
        case .boolean: requireType("boolean", of: location)
        }
        return .constant(Constant(name: name, codingKey: codingKey, value: read))
    }

    /// Returns the required members, and reports those that are not in properties.
    mutating func required(of location: SchemaLocation) -> Set<String> {
        var names: Set<String> = []
        for element in location[.required]?.elements ?? [] {
            guard let name = element.value.string, location[.properties]?[name] != nil else {
                report(element, "a required member must be in properties: describe it there")
                continue
            }
            names.insert(name)
        }
        return names
    }

    mutating func requireClosed(_ location: SchemaLocation) {
        let closing = Self.closingKeywords.compactMap { location[$0] }
        if closing.isEmpty {
            report(location, "an object must be closed: add \"additionalProperties\": false")
        }
        for other in closing where other.value.boolean != false {
            report(
                other,
                "unnamed members have no type: write false, use an array of objects, or omit properties for a free object"
            )
        }
    }

    private mutating func refuseRepeatedNames(_ object: ObjectType, _ location: SchemaLocation) {
        var properties: Set<String> = []
        for member in object.members {
            let name =
                switch member {
                case .property(let property): property.swiftName
                case .constant(let constant): constant.codingKey
                }
            if !properties.insert(name).inserted {
                report(location, "two members have the Swift name \(name): rename one with x-swift-name")
            }
        }
    }

    /// Reports types with the same name in one scope.
    mutating func reportDuplicateTypes(_ types: [NestedType], _ location: SchemaLocation) {
        var names: Set<String> = []
        for type in types where !names.insert(type.typeName).inserted {
            report(location, "two types here have the name \(type.typeName): rename one with x-swift-type")
        }
    }
}
