/// A set of JSON types, as bits of one byte.
public struct JSONKind: OptionSet, Hashable, Sendable, BitwiseCopyable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The type of `null`.
    public static let null = JSONKind(rawValue: 1)
    /// The type of `true` and `false`.
    public static let boolean = JSONKind(rawValue: 2)
    /// Any number.
    public static let number = JSONKind(rawValue: 4)
    /// A string.
    public static let string = JSONKind(rawValue: 8)
    /// An array.
    public static let array = JSONKind(rawValue: 16)
    /// An object.
    public static let object = JSONKind(rawValue: 32)
    /// A number without a fraction. It is never the kind of a value, only an element of `type`.
    public static let integer = JSONKind(rawValue: 64)

    /// Every type.
    public static let any: JSONKind = [.null, .boolean, .number, .string, .array, .object]

    /// The names of types in `type`, in the order of the standard.
    static let names: [(name: String, kind: JSONKind)] = [
        ("null", .null), ("boolean", .boolean), ("object", .object), ("array", .array), ("number", .number),
        ("string", .string), ("integer", .integer),
    ]

    /// Returns the type with a name in the keyword `type`; nil for any other name.
    package init?(name: String) {
        guard let known = Self.names.first(where: { $0.name == name }) else { return nil }
        self = known.kind
    }
}

// The validator calls these for every value. Without them, unoptimized builds call generic functions of the standard
// library.
extension JSONKind {
    public static func == (left: JSONKind, right: JSONKind) -> Bool { left.rawValue == right.rawValue }

    public func contains(_ member: JSONKind) -> Bool { rawValue & member.rawValue == member.rawValue }

    @inline(__always)
    static func ~= (pattern: JSONKind, kind: JSONKind) -> Bool { pattern.rawValue == kind.rawValue }
}
