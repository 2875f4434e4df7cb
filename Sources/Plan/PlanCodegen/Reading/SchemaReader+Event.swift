internal import EventModel
internal import JSONSchema
internal import TrackingPlan

extension SchemaReader {
    /// Reads the whole schema: an object of `name`, and of `value` if the event has one. Returns nil if there are
    /// issues.
    mutating func event() -> EventType? {
        let root = SchemaLocation(schema.document)
        allow(
            [
                .schema, .id, .defs, .type, .required, .properties, .additionalProperties, .unevaluatedProperties,
            ],
            names: [
                "x-swift-name", "x-swift-factory", PlanAnnotation.priority.rawValue, PlanAnnotation.purpose.rawValue,
            ], in: root)
        guard EventName.isValid(schema.name) else {
            report(root, "invalid event name \(schema.name): use kebab-case and at most 64 bytes")
            return nil
        }
        reportRedaction(root, "the event itself is always written: move x-pii to the properties of its value")
        requireEventObject(root)
        let priority = priority(root)
        let purpose = purpose(root)
        declaresPurpose = purpose != .analytics
        guard let names = names(root) else { return nil }
        scope = [names.type]
        let properties = root[.properties]
        if let name = properties?["name"] { readName(name) }
        for (name, location) in properties?.members ?? [] where name != "name" && name != "value" {
            report(location, "an event has only the members name and value: move \(name) to the properties of value")
        }
        var value = ObjectType(typeName: names.type, description: description(of: root), members: [], nested: [])
        if let location = properties?["value"], let members = eventValue(location) {
            value = ObjectType(
                typeName: names.type, description: value.description, members: members.members,
                nested: definitions + members.nested)
        }
        reportDuplicateTypes(value.nested, root)
        reportHiddenDefinitions(value.nested, root)
        guard issues.isEmpty else { return nil }
        return EventType(
            name: schema.name, version: schema.version, path: schema.path, factoryName: names.factory,
            carriesValue: properties?["value"] != nil, priority: priority, purpose: purpose,
            value: value, examples: root[.examples]?.elements ?? [])
    }

    private mutating func requireEventObject(_ root: SchemaLocation) {
        if root[.type]?.value.string != "object" { report(root, "an event is an object: add \"type\": \"object\"") }
        requireClosed(root)
        guard root[.properties]?["name"] != nil else {
            return report(root, "an event needs a name: add \"name\": {\"const\": \"\(schema.name)\"} to properties")
        }
        let required = required(of: root)
        for name in ["name", "value"] where root[.properties]?[name] != nil && !required.contains(name) {
            report(
                root[.properties]?[name] ?? root,
                "\(name) must always be present: add it to required, or remove it from properties")
        }
    }

    /// Reads `x-priority`; normal if it is missing.
    private mutating func priority(_ root: SchemaLocation) -> SchemaPriority {
        guard let found = root[PlanAnnotation.priority.rawValue] else { return .normal }
        guard let priority = SchemaPriority(found.value) else {
            report(found, "x-priority must be \"normal\" or \"critical\"")
            return .normal
        }
        return priority
    }

    /// Reads `x-purpose`; analytics if it is missing.
    private mutating func purpose(_ root: SchemaLocation) -> Purpose {
        guard let found = root[PlanAnnotation.purpose.rawValue] else { return .analytics }
        guard let purpose = Purpose(schemaValue: found.value) else {
            report(found, "x-purpose must be a name in kebab-case, such as \"ads\"")
            return .analytics
        }
        return purpose
    }

    private mutating func names(_ root: SchemaLocation) -> (type: String, factory: String)? {
        let type = name("x-swift-name", of: root) ?? SwiftName.type(schema.name)
        let factory = name("x-swift-factory", of: root) ?? SwiftName.member(schema.name)
        guard let type, let factory else { return nil }
        if !SwiftName.isType(type) {
            report(root, "\(type) cannot be a type name: start x-swift-name with a capital letter")
        } else if SwiftName.usedTypes.contains(type) {
            report(root, "\(type) is a type that generated code uses: choose another name with x-swift-name")
        }
        if ["name", "schemaVersion", "carriesValue", "priority", "purpose"].contains(factory)
            || !SwiftName.isMember(factory)
        {
            report(root, "\(factory) is reserved in an event: name the factory with x-swift-factory")
        }
        return (type, factory)
    }

    private mutating func readName(_ location: SchemaLocation) {
        allow([.const, .type], in: location)
        reportRedaction(location, "the name is always written: remove x-pii")
        requireType("string", of: location)
        if location[.const]?.value.string != schema.name {
            report(location, "the name must match the path events/\(schema.name): write \"const\": \"\(schema.name)\"")
        }
    }

    private mutating func eventValue(_ location: SchemaLocation) -> ObjectType? {
        guard case .object(let type)? = type(of: location, named: scope[0], at: .eventValue) else {
            if issues.isEmpty { report(location, "an event's value must be an object with properties") }
            return nil
        }
        return type
    }

    /// Reports nested types that would hide a definition, which enclosing types may use.
    private mutating func reportHiddenDefinitions(_ types: [NestedType], _ root: SchemaLocation) {
        for case .object(let object) in types {
            for type in object.nested where definitions.contains(where: { $0.typeName == type.typeName }) {
                report(root, "a type \(type.typeName) would hide the definition: rename the type with x-swift-type")
            }
            reportHiddenDefinitions(object.nested, root)
        }
    }
}
