/// Values to choose from as an enum.
struct EnumerationType {
    /// A value.
    struct Case {
        let swiftName: String
        let value: Value
        let description: String
    }

    /// A raw value.
    enum Value {
        case string(String)
        case integer(Int)
    }

    let typeName: String
    /// The schema's description, empty if it has none.
    let description: String
    /// In the order of the schema; at least one.
    let cases: [Case]

    var isInteger: Bool { if case .integer = cases.first?.value { true } else { false } }
}
