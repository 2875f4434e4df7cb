/// The types of JSON values, as bits, so that a set of them is one byte.
public struct JSONKind: OptionSet, Hashable, Sendable, BitwiseCopyable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `null`
    public static let null = JSONKind(rawValue: 1)
    /// `true` and `false`
    public static let boolean = JSONKind(rawValue: 2)
    /// Any number.
    public static let number = JSONKind(rawValue: 4)
    /// A string.
    public static let string = JSONKind(rawValue: 8)
    /// An array.
    public static let array = JSONKind(rawValue: 16)
    /// An object.
    public static let object = JSONKind(rawValue: 32)
    /// A number without a fraction: never the kind of a value, but a member of what the keyword `type` lists.
    public static let integer = JSONKind(rawValue: 64)

    /// Everything.
    public static let any: JSONKind = [.null, .boolean, .number, .string, .array, .object]

    /// The names in the order of the standard, as the keyword `type` writes them.
    static let names: [(name: String, kind: JSONKind)] = [
        ("null", .null), ("boolean", .boolean), ("object", .object), ("array", .array), ("number", .number),
        ("string", .string), ("integer", .integer),
    ]

    /// The type that the keyword `type` calls so; nil for any other name.
    package init?(name: String) {
        guard let known = Self.names.first(where: { $0.name == name }) else { return nil }
        self = known.kind
    }
}

// The validator asks these of every value. Without them, builds that are not optimized call the standard library's
// generic functions.
extension JSONKind {
    public static func == (left: JSONKind, right: JSONKind) -> Bool { left.rawValue == right.rawValue }

    public func contains(_ member: JSONKind) -> Bool { rawValue & member.rawValue == member.rawValue }

    @inline(__always)
    static func ~= (pattern: JSONKind, kind: JSONKind) -> Bool { pattern.rawValue == kind.rawValue }
}
