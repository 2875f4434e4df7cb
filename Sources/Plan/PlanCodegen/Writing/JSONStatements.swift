/// Generates the statements that write a struct's members with a `JSONWriter`.
enum JSONStatements {
    static func write(_ member: ObjectType.Member, _ source: inout SourceText) {
        switch member {
        case .constant(let constant):
            key(constant.name, &source)
            switch constant.value {
            case .string(let text): source.line("json.string(\(SwiftLiteral.string(text)))")
            case .integer(let value): source.line("json.integer(\(SwiftLiteral.wideInteger(value)))")
            case .boolean(let value): source.line("json.bool(\(value))")
            }
        case .property(let property):
            guard !property.isDropped else { return }
            let name = StructWriter.reference(property)
            guard !property.isRequired else {
                key(property.name, &source)
                return write(name, type: property.type, to: &source)
            }
            let (binding, value) = unwrapping(property)
            source.block("if \(binding)") { source in
                key(property.name, &source)
                write(value, type: property.type, to: &source)
            }
        }
    }

    /// Returns `let additional` and the bound name, which differs if the property's name is in use.
    static func unwrapping(_ property: Property) -> (binding: String, value: String) {
        let name = StructWriter.reference(property)
        return name.hasPrefix("self.") ? ("let value = \(name)", "value") : ("let \(name)", name)
    }

    private static func key(_ name: String, _ source: inout SourceText) {
        source.line("json.key(\(SwiftLiteral.string(name)))")
    }

    private static func write(_ value: String, type: ValueType, to source: inout SourceText) {
        switch type {
        case .boolean: source.line("json.bool(\(value))")
        case .integer: source.line("json.integer(\(value))")
        // The number was checked to be finite.
        case .number: source.line("_ = json.number(\(value))")
        case .string(let rule):
            switch rule.redaction {
            case .none: source.line("json.string(\(value))")
            case .hash: source.line("json.hash(\(value))")
            case .truncate(let count):
                source.line("json.string(\(value), truncatedTo: \(SwiftLiteral.integer(count)))")
            }
        case .enumeration(let type): source.line("json.\(type.isInteger ? "integer" : "string")(\(value).rawValue)")
        case .object(let type): source.line("\(type.isWrittenThrowing ? "try " : "")\(value).write(to: &json)")
        case .array(let rule):
            source.line("json.beginArray()")
            source.block("for element in \(value)") { write("element", type: rule.element, to: &$0) }
            source.line("json.endArray()")
        case .free: source.line("try JSONValue.object(\(value)).write(to: &json)")
        }
    }
}

/// Generates the statements that encode a struct's members with an `Encoder`.
enum CodableStatements {
    static func encode(_ member: ObjectType.Member) -> String {
        switch member {
        case .constant(let constant):
            let value =
                switch constant.value {
                case .string(let text): SwiftLiteral.string(text)
                case .integer(let value): SwiftLiteral.wideInteger(value)
                case .boolean(let value): "\(value)"
                }
            return "try container.encode(\(value), forKey: .\(constant.codingKey))"
        case .property(let property):
            let name = StructWriter.reference(property)
            let value =
                property.isRequired
                ? redacted(name, property.type)
                : property.type.isRedacted ? "\(name).map { \(redacted("$0", property.type)) }" : name
            let function = property.isRequired ? "encode" : "encodeIfPresent"
            return "try container.\(function)(\(value), forKey: .\(property.swiftName))"
        }
    }

    private static func redacted(_ value: String, _ type: ValueType) -> String {
        switch type {
        case .string(let rule):
            switch rule.redaction {
            case .none: value
            case .hash: "Redaction.hash(\(value))"
            case .truncate(let count): "Redaction.truncate(\(value), to: \(SwiftLiteral.integer(count)))"
            }
        case .array(let rule) where type.isRedacted: "\(value).map { \(redacted("$0", rule.element)) }"
        default: value
        }
    }
}
