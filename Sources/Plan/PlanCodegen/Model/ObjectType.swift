internal import EventModel
internal import TrackingPlan

/// An event as Swift: a struct that conforms to `TrackingEvent`.
struct EventType {
    /// The name on the wire.
    let name: String
    let version: SchemaVersion
    /// The schema's place in its folder: `events/search/1-0-0.json`.
    let path: String
    /// The static function or property that makes it: `pageView`.
    let factoryName: String
    /// Whether it has a value on the wire. If not, `value` is without members.
    let carriesValue: Bool
    /// How much it matters that such an event is not dropped.
    let priority: SchemaPriority
    /// The struct itself, with the event's name and description.
    let value: ObjectType
    /// The events that the schema gives as examples, values of the schema's document.
    let examples: [SchemaLocation]
}

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

/// A stored property.
struct Property {
    /// On the wire.
    let name: String
    let swiftName: String
    /// The label of the factory's parameter, such as `_`; the property's name if nil.
    let label: String?
    /// The schema's description, empty if it has none.
    let description: String
    let isRequired: Bool
    /// Whether it is kept in memory and never written.
    let isDropped: Bool
    let isPersonal: Bool
    let type: ValueType

    /// Its type within the struct, or, after `prefix`, outside of it.
    func swiftType(_ prefix: String = "") -> String { type.swiftName(prefix) + (isRequired ? "" : "?") }
}
