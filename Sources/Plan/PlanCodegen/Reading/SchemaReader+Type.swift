internal import JSONSchema
internal import TrackingPlan

/// The position of a schema in an event, which decides which annotations apply.
enum SchemaRole {
    case eventValue
    case property
    case element
    case definition

    /// The annotations that name the generated declaration.
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
    /// Returns the type of a schema; nil after reporting an issue.
    ///
    /// - Parameter name: The default name of a declared type.
    mutating func type(of location: SchemaLocation, named name: String?, at role: SchemaRole) -> ValueType? {
        guard location.value.kind == .object else {
            report(location, "the schemas true and false have no type in Swift: add \"type\"")
            return nil
        }
        checkPrivacy(location, role)
        if location[.ref] != nil { return reference(location, role) }
        if location[.enum] != nil { return enumeration(location, named: name, role).map(ValueType.enumeration) }
        if location[.oneOf] != nil { return choice(location, named: name, role).map(ValueType.enumeration) }
        guard let type = location[.type] else {
            allow([.type], names: role.names, in: location)
            report(location, "a schema needs a type: add \"type\"")
            return nil
        }
        guard let text = type.value.string else {
            report(
                type, "a list of types has no type in Swift: choose one; for null, omit the property from required")
            return nil
        }
        if text != "object" { reportTypeName(location, role) }
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
            report(type, "\(text) cannot be translated to Swift: for null, omit the property from required")
            return nil
        }
    }

    /// Reports a type name on a scalar or array, which declares no type.
    private mutating func reportTypeName(_ location: SchemaLocation, _ role: SchemaRole) {
        guard location[role.typeKeyword] != nil, role != .eventValue else { return }
        report(
            keyword: role.typeKeyword, of: location,
            "no type is declared here: name the elements' type in items, or remove \(role.typeKeyword)")
    }

    /// Returns the name of a declared type, and reports a name that is in use.
    mutating func typeName(_ location: SchemaLocation, named name: String?, _ role: SchemaRole) -> String? {
        if role == .eventValue { return name }
        guard let name = self.name(role.typeKeyword, of: location) ?? name else {
            report(location, "the type needs a name: add \(role.typeKeyword)")
            return nil
        }
        guard SwiftName.isType(name) else {
            report(location, "\(name) cannot be a type name: start \(role.typeKeyword) with a capital letter")
            return nil
        }
        let isUsed = SwiftName.usedTypes.contains(name) && (name != "Purpose" || declaresPurpose)
        if isUsed || scope.contains(name) {
            report(location, "a type \(name) would hide another one: choose a name with \(role.typeKeyword)")
            return nil
        }
        return name
    }

    private mutating func reference(_ location: SchemaLocation, _ role: SchemaRole) -> ValueType? {
        allow([.ref], names: role == .property ? ["x-swift-name", "x-swift-label"] : [], in: location)
        guard let reference = text(.ref, of: location), reference.hasPrefix("#"),
            let written = JSONPointer(String(reference.dropFirst())),
            written.tokens.dropLast().last == SchemaKeyword.defs.rawValue, let name = written.tokens.last
        else {
            report(keyword: .ref, of: location, "only definitions in this file can be referenced: use #/$defs/<name>")
            return nil
        }
        guard let definition = tree.schemas.first(where: { $0.pointer == location.pointer })?.target(of: .ref),
            definition.keyword == .defs
        else {
            report(keyword: .ref, of: location, "the definition \(name) does not exist: correct the reference")
            return nil
        }
        if let known = definitionTypes[definition] {
            if known == nil, issues.isEmpty {
                report(keyword: .ref, of: location, "\(name) references itself, which structs cannot: remove the cycle")
            }
            return known
        }
        // Definitions are nested directly in the event, whichever type references them first.
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
