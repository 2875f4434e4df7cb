/// The type of a property.
indirect enum ValueType {
    case boolean
    case integer(IntegerRule)
    case number(NumberRule)
    case string(StringRule)
    case enumeration(EnumerationType)
    case object(ObjectType)
    case array(ArrayRule)
    /// An object with any members, whose number is limited.
    case free(ClosedRange<Int>)

    /// Returns its name inside the struct or, with `prefix`, outside of it.
    func swiftName(_ prefix: String = "") -> String {
        switch self {
        case .boolean: "Bool"
        case .integer: "Int"
        case .number: "Double"
        case .string: "String"
        case .enumeration(let type): prefix + type.typeName
        case .object(let type): prefix + type.typeName
        case .array(let rule): "[\(rule.element.swiftName(prefix))]"
        case .free: "[String: JSONValue]"
        }
    }

    /// Whether it has limits to check before writing.
    var isLimited: Bool {
        switch self {
        case .boolean, .enumeration: false
        case .integer, .number: true
        case .string(let rule): rule.isLimited
        case .object(let type): type.isLimited
        case .array(let rule): rule.count != 0...Int.max || rule.isUnique || rule.element.isLimited
        case .free(let count): count != 0...Int.max
        }
    }

    /// Whether writing may fail for reasons other than limits: a free object may be nested too deeply.
    var isWrittenThrowing: Bool {
        switch self {
        case .boolean, .integer, .number, .string, .enumeration: false
        case .object(let type): type.isWrittenThrowing
        case .array(let rule): rule.element.isWrittenThrowing
        case .free: true
        }
    }

    /// Whether a redaction changes the written value.
    var isRedacted: Bool {
        switch self {
        case .string(let rule): rule.redaction != .none
        case .array(let rule): rule.element.isRedacted
        default: false
        }
    }
}

/// A choice of values, translated to an enum.
struct EnumerationType {
    struct Case {
        let swiftName: String
        let value: Value
        let description: String
    }

    /// A raw value.
    enum Value: Hashable {
        case string(String)
        case integer(Int)
    }

    let typeName: String
    /// The schema's description; empty if it has none.
    let description: String
    /// The cases, in the order of the schema; at least one.
    let cases: [Case]

    var isInteger: Bool { if case .integer = cases.first?.value { true } else { false } }

    /// Whether it has integers beyond 32 bits, which `Int` cannot hold on every platform.
    var isWide: Bool {
        cases.contains { if case .integer(let value) = $0.value { Int32(exactly: value) == nil } else { false } }
    }
}
