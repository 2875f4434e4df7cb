internal import JSONSchema

/// The types that a value may have.
struct ValueTypes: OptionSet, Sendable {
    let rawValue: UInt8

    static let null = ValueTypes(rawValue: 1)
    static let boolean = ValueTypes(rawValue: 2)
    static let integer = ValueTypes(rawValue: 4)
    /// A number that is no integer.
    static let fraction = ValueTypes(rawValue: 8)
    static let string = ValueTypes(rawValue: 16)
    static let array = ValueTypes(rawValue: 32)
    static let object = ValueTypes(rawValue: 64)

    static let all: ValueTypes = [.null, .boolean, .integer, .fraction, .string, .array, .object]

    /// The types of a name of the keyword `type`; nil if it is none.
    init?(named name: String) {
        switch name {
        case "null": self = .null
        case "boolean": self = .boolean
        case "integer": self = .integer
        case "number": self = [.integer, .fraction]
        case "string": self = .string
        case "array": self = .array
        case "object": self = .object
        default: return nil
        }
    }

    /// The type of a value.
    init(of value: JSONDocument.Value) {
        self =
            switch value.kind {
            case .null: .null
            case .boolean: .boolean
            case .string: .string
            case .array: .array
            case .object: .object
            // Whether it is whole says little here: a number is bounded as one that is.
            default: [.integer, .fraction]
            }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }
}
