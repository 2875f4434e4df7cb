/// The statements that encode a struct's members with an `Encoder`.
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
