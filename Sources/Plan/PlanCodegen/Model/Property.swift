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
