internal import JSONSchema
internal import TrackingPlan

/// Where in an event a schema stands: it decides which annotations mean something.
enum SchemaRole {
    case eventValue
    case property
    case element
    case definition

    /// The annotations that name what is made of the schema.
    var names: Set<String> {
        switch self {
        case .eventValue: []
        case .property: ["x-swift-name", "x-swift-type", "x-swift-label"]
        case .element, .definition: ["x-swift-name"]
        }
    }

    /// The annotation that names the type.
    var typeKeyword: String { self == .property ? "x-swift-type" : "x-swift-name" }
}

extension SchemaReader {
    /// The type of a schema; nil if there is none, which is then a fault.
    ///
    /// - Parameter name: The type's name, should one be declared and no annotation name it.
    mutating func type(of location: SchemaLocation, named name: String?, at role: SchemaRole) -> ValueType? {
        guard location.value.kind == .object else {
            refuse(location, "any value or none has no type in Swift: write \"type\"")
            return nil
        }
        checkPrivacy(location, role)
        if location[.ref] != nil { return reference(location, role) }
        if location[.enum] != nil { return enumeration(location, named: name, role).map(ValueType.enumeration) }
        if location[.oneOf] != nil { return choice(location, named: name, role).map(ValueType.enumeration) }
        guard let type = location[.type] else {
            allow([.type], names: role.names, in: location)
            refuse(location, "without a type anything is allowed: write \"type\"")
            return nil
        }
        guard let text = type.value.string else {
            refuse(
                type, "a choice of types has no type in Swift: write one, and leave what may be null out of required")
            return nil
        }
        if text != "object" { refuseTypeName(location, role) }
        switch text {
        case "boolean":
            allow([.type], names: role.names, in: location)
            return .boolean
        case "integer": return .integer(integer(location, role))
        case "number": return .number(number(location, role))
        case "string": return .string(string(location, role))
        case "array": return array(location, named: name, role)
        case "object": return object(location, named: name, role)
        default:
            refuse(type, "\(text) has no type in Swift: leave what may be null out of required")
            return nil
        }
    }

    /// Scalars and arrays declare no type, so they cannot name one.
    private mutating func refuseTypeName(_ location: SchemaLocation, _ role: SchemaRole) {
        guard location[role.typeKeyword] != nil, role != .eventValue else { return }
        refuse(
            keyword: role.typeKeyword, of: location,
            "no type is declared here: name the elements' type in items, or take \(role.typeKeyword) out")
    }

    /// The name of a type that is declared here. A name that is taken is a fault.
    mutating func typeName(_ location: SchemaLocation, named name: String?, _ role: SchemaRole) -> String? {
        if role == .eventValue { return name }
        guard let name = self.name(role.typeKeyword, of: location) ?? name else {
            refuse(location, "no name can be made for its type: give one with \(role.typeKeyword)")
            return nil
        }
        guard SwiftName.isType(name) else {
            refuse(location, "\(name) is no type's name: begin it with a capital letter in \(role.typeKeyword)")
            return nil
        }
        if SwiftName.usedTypes.contains(name) || scope.contains(name) {
            refuse(location, "a type \(name) would hide another one: give a name with \(role.typeKeyword)")
            return nil
        }
        return name
    }

    // MARK: References

    private mutating func reference(_ location: SchemaLocation, _ role: SchemaRole) -> ValueType? {
        allow([.ref], names: role == .property ? ["x-swift-name", "x-swift-label"] : [], in: location)
        guard let reference = text(.ref, of: location), reference.hasPrefix("#"),
            let written = JSONPointer(String(reference.dropFirst())),
            written.tokens.dropLast().last == SchemaKeyword.defs.rawValue, let name = written.tokens.last
        else {
            refuse(keyword: .ref, of: location, "only definitions of the same file can be referred to: #/$defs/<name>")
            return nil
        }
        guard let definition = tree.schemas.first(where: { $0.pointer == location.pointer })?.target(of: .ref),
            definition.keyword == .defs
        else {
            refuse(keyword: .ref, of: location, "there is no definition \(name)")
            return nil
        }
        if let known = definitionTypes[definition] {
            if known == nil, issues.isEmpty {
                refuse(keyword: .ref, of: location, "\(name) refers to itself: values without end have no type here")
            }
            return known
        }
        // Definitions lie directly in the event, whoever refers to them first.
        let around = scope
        scope = Array(scope.prefix(1))
        defer { scope = around }
        definitionTypes[definition] = .some(nil)
        let role = role == .eventValue ? role : .definition
        let target = SchemaLocation(value: definition.value, pointer: definition.pointer)
        let type = type(of: target, named: SwiftName.type(name), at: role)
        definitionTypes[definition] = .some(type)
        switch type {
        case .object(let object)? where role != .eventValue: definitions.append(.object(object))
        case .enumeration(let enumeration)?: definitions.append(.enumeration(enumeration))
        default: break
        }
        return type
    }
}
