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
                refuse(
                    keyword: keyword, of: location,
                    "an open object takes any member: take \(keyword.rawValue) out, or x-open")
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
        if role != .eventValue { refuseRepeatedTypes(object.nested, location) }
        return .object(object)
    }

    /// `"x-open": "the reason"`, or true.
    private func isOpen(_ location: SchemaLocation) -> Bool {
        guard let open = location["x-open"]?.value else { return false }
        return open.string != nil || open.boolean == true
    }

    /// An object that says nothing of its members.
    private func isFree(_ location: SchemaLocation) -> Bool {
        location[.properties] == nil && location[.required] == nil
            && Self.closingKeywords.allSatisfy { location[$0]?.value.boolean ?? (location[$0] == nil) }
    }

    /// What says which other members an object may have.
    private static let closingKeywords = [SchemaKeyword.additionalProperties, .unevaluatedProperties]

    /// The type that a property's schema declares; what lies behind a reference is declared elsewhere.
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
            refuse(
                location,
                "no property of Swift can be named \(given): give a name with x-swift-name, a small letter first"
            )
            return nil
        }
        if location[.const] != nil { return constant(name, location, codingKey: swiftName) }
        let privacy = privacy(location)
        if privacy.isDropped, isRequired {
            refuse(
                keyword: "x-pii", of: location, "what is never written cannot be required: take it out of required")
        }
        let isArray = location[.type]?.value.string == "array"
        guard
            let type = type(
                of: location, named: isArray ? SwiftName.element(name) : SwiftName.type(name), at: .property)
        else { return nil }
        var label = text("x-swift-label", of: location)
        if label != nil, scope.count > 1 {
            refuse(keyword: "x-swift-label", of: location, "only an event's own factory has labels: take it out")
        }
        if let given = label, given != "_", !SwiftName.isIdentifier(given) {
            refuse(keyword: "x-swift-label", of: location, "\(given) is no label: write _ or a name")
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
        refusePrivacy(location, "a constant is written as it is: write true or false")
        let read: ConstantValue? =
            if let text = value.string { .string(text) } else if let flag = value.boolean { .boolean(flag) } else {
                value.integer.flatMap { IntegerRule.interoperable.contains($0) ? .integer($0) : nil }
            }
        guard let read else {
            refuse(keyword: .const, of: location, "a constant is a text, an integer, true or false")
            return nil
        }
        switch read {
        case .string: requireType("string", of: location)
        case .integer: requireType("integer", of: location)
        case .boolean: requireType("boolean", of: location)
        }
        return .constant(Constant(name: name, codingKey: codingKey, value: read))
    }

    // MARK: Keywords of objects

    /// The members that are required, all of which must be among the properties.
    mutating func required(of location: SchemaLocation) -> Set<String> {
        var names: Set<String> = []
        for element in location[.required]?.elements ?? [] {
            guard let name = element.value.string, location[.properties]?[name] != nil else {
                refuse(element, "it is required and not among the properties: describe it there")
                continue
            }
            names.insert(name)
        }
        return names
    }

    mutating func requireClosed(_ location: SchemaLocation) {
        let closing = Self.closingKeywords.compactMap { location[$0] }
        if closing.isEmpty {
            refuse(location, "other members would be allowed too: write \"additionalProperties\": false")
        }
        for other in closing where other.value.boolean != false {
            refuse(
                other,
                "members without a name have no type: write false, make an array of objects, or leave properties out for a free object"
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
                refuse(location, "two members are named \(name) in Swift: name one of them with x-swift-name")
            }
        }
    }

    /// What is declared side by side has different names.
    mutating func refuseRepeatedTypes(_ types: [NestedType], _ location: SchemaLocation) {
        var names: Set<String> = []
        for type in types where !names.insert(type.typeName).inserted {
            refuse(location, "two types here are named \(type.typeName): name one of them with x-swift-type")
        }
    }
}
