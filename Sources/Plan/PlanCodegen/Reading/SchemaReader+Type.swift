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
    mutating func type(of place: SchemaPlace, named name: String?, at role: SchemaRole) -> ValueType? {
        guard place.value.kind == .object else {
            refuse(place, "any value or none has no type in Swift: write \"type\"")
            return nil
        }
        checkPrivacy(place, role)
        if place[.ref] != nil { return reference(place, role) }
        if place[.enum] != nil { return enumeration(place, named: name, role).map(ValueType.enumeration) }
        if place[.oneOf] != nil { return choice(place, named: name, role).map(ValueType.enumeration) }
        guard let type = place[.type] else {
            allow([.type], names: role.names, in: place)
            refuse(place, "without a type anything is allowed: write \"type\"")
            return nil
        }
        guard let text = type.value.string else {
            refuse(
                type, "a choice of types has no type in Swift: write one, and leave what may be null out of required")
            return nil
        }
        if text != "object" { refuseTypeName(place, role) }
        switch text {
        case "boolean":
            allow([.type], names: role.names, in: place)
            return .boolean
        case "integer": return .integer(integer(place, role))
        case "number": return .number(number(place, role))
        case "string": return .string(string(place, role))
        case "array": return array(place, named: name, role)
        case "object": return object(place, named: name, role)
        default:
            refuse(type, "\(text) has no type in Swift: leave what may be null out of required")
            return nil
        }
    }

    /// Scalars and arrays declare no type, so they cannot name one.
    private mutating func refuseTypeName(_ place: SchemaPlace, _ role: SchemaRole) {
        guard place[role.typeKeyword] != nil, role != .eventValue else { return }
        refuse(
            keyword: role.typeKeyword, of: place,
            "no type is declared here: name the elements' type in items, or take \(role.typeKeyword) out")
    }

    /// The name of a type that is declared here. A name that is taken is a fault.
    mutating func typeName(_ place: SchemaPlace, named name: String?, _ role: SchemaRole) -> String? {
        if role == .eventValue { return name }
        guard let name = self.name(role.typeKeyword, of: place) ?? name else {
            refuse(place, "no name can be made for its type: give one with \(role.typeKeyword)")
            return nil
        }
        guard SwiftName.isType(name) else {
            refuse(place, "\(name) is no type's name: begin it with a capital letter in \(role.typeKeyword)")
            return nil
        }
        if SwiftName.usedTypes.contains(name) || scope.contains(name) {
            refuse(place, "a type \(name) would hide another one: give a name with \(role.typeKeyword)")
            return nil
        }
        return name
    }

    // MARK: References

    private mutating func reference(_ place: SchemaPlace, _ role: SchemaRole) -> ValueType? {
        allow([.ref], names: role == .property ? ["x-swift-name", "x-swift-label"] : [], in: place)
        guard let reference = text(.ref, of: place), reference.hasPrefix("#"),
            let written = JSONPointer(String(reference.dropFirst())),
            written.tokens.dropLast().last == SchemaKeyword.defs.rawValue, let name = written.tokens.last
        else {
            refuse(keyword: .ref, of: place, "only definitions of the same file can be referred to: #/$defs/<name>")
            return nil
        }
        guard let definition = tree.schemas.first(where: { $0.pointer == place.pointer })?.target(of: .ref),
            definition.keyword == .defs
        else {
            refuse(keyword: .ref, of: place, "there is no definition \(name)")
            return nil
        }
        if let known = definitionTypes[definition] {
            if known == nil, faults.isEmpty {
                refuse(keyword: .ref, of: place, "\(name) refers to itself: values without end have no type here")
            }
            return known
        }
        // Definitions lie directly in the event, whoever refers to them first.
        let around = scope
        scope = Array(scope.prefix(1))
        defer { scope = around }
        definitionTypes[definition] = .some(nil)
        let role = role == .eventValue ? role : .definition
        let target = SchemaPlace(value: definition.value, pointer: definition.pointer)
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
