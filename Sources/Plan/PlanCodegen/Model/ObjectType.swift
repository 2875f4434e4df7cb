/// An object of the schema as a struct.
struct ObjectType {
    let typeName: String
    /// The schema's description, empty if it has none.
    let description: String
    /// In the order of the schema.
    let members: [Member]
    /// The types that are declared within it, in the order of the schema.
    let nested: [NestedType]

    /// A member of the object.
    enum Member {
        case property(Property)
        /// Written as it is, and not stored.
        case constant(Constant)
    }

    var properties: [Property] {
        members.compactMap { if case .property(let property) = $0 { property } else { nil } }
    }

    /// Whether it has limits that must be checked before it is written.
    var isLimited: Bool { properties.contains { !$0.isDropped && $0.type.isLimited } }

    /// Whether writing it may fail for other reasons than its limits.
    var isWrittenThrowing: Bool { properties.contains { !$0.isDropped && $0.type.isWrittenThrowing } }
}

/// A type that is declared within a struct.
enum NestedType {
    case object(ObjectType)
    case enumeration(EnumerationType)

    var typeName: String {
        switch self {
        case .object(let type): type.typeName
        case .enumeration(let type): type.typeName
        }
    }
}

/// A member with one value only.
struct Constant {
    let name: String
    let codingKey: String
    let value: ConstantValue
}

/// A value that a schema spells out.
enum ConstantValue {
    case string(String)
    /// A number without a fraction.
    case integer(Int)
    case boolean(Bool)
}
