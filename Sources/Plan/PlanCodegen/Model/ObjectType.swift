internal import EventModel
internal import TrackingPlan

/// An event in Swift: a struct that conforms to `TrackingEvent`.
struct EventType {
    /// The name on the wire.
    let name: String
    let version: SchemaVersion
    /// The schema's path in its folder: `events/search/1-0-0.json`.
    let path: String
    /// The static function or property that creates the event: `pageView`.
    let factoryName: String
    /// Whether the event has a value on the wire. If not, `value` has no members.
    let carriesValue: Bool
    /// The priority of keeping the event when the journal is full.
    let priority: SchemaPriority
    /// Why the event is collected.
    let purpose: Purpose
    /// The struct, with the event's name and description.
    let value: ObjectType
    let examples: [SchemaLocation]
}

/// An object of the schema, translated to a struct.
struct ObjectType {
    let typeName: String
    /// The schema's description; empty if it has none.
    let description: String
    /// The members, in the order of the schema.
    let members: [Member]
    /// The types that are nested in the struct, in the order of the schema.
    let nested: [NestedType]

    enum Member {
        case property(Property)
        /// A constant: written, but not stored.
        case constant(Constant)
    }

    var properties: [Property] {
        members.compactMap { if case .property(let property) = $0 { property } else { nil } }
    }

    /// Whether it has limits to check before writing.
    var isLimited: Bool { properties.contains { !$0.isDropped && $0.type.isLimited } }

    /// Whether writing may fail for reasons other than limits.
    var isWrittenThrowing: Bool { properties.contains { !$0.isDropped && $0.type.isWrittenThrowing } }
}

/// A type that is nested in a struct.
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

/// A member with a single value.
struct Constant {
    let name: String
    let codingKey: String
    let value: ConstantValue
}

enum ConstantValue {
    case string(String)
    /// A number without a fraction.
    case integer(Int)
    case boolean(Bool)
}

struct Property {
    /// The name on the wire.
    let name: String
    let swiftName: String
    /// The label of the factory's parameter, such as `_`; nil to use the property's name.
    let label: String?
    /// The schema's description; empty if it has none.
    let description: String
    let isRequired: Bool
    /// Whether it is kept in memory and never written.
    let isDropped: Bool
    let isPersonal: Bool
    let type: ValueType

    /// Returns its type inside the struct or, with `prefix`, outside of it.
    func swiftType(_ prefix: String = "") -> String { type.swiftName(prefix) + (isRequired ? "" : "?") }
}
