/// Values to choose from as an enum.
struct EnumerationType {
    /// A value.
    struct Case {
        let swiftName: String
        let value: Value
        let description: String
    }

    /// A raw value.
    enum Value: Equatable {
        case string(String)
        case integer(Int)
    }

    let typeName: String
    /// The schema's description, empty if it has none.
    let description: String
    /// In the order of the schema; at least one.
    let cases: [Case]

    var isInteger: Bool { if case .integer = cases.first?.value { true } else { false } }

    /// Whether it has integers past 32 bits, which `Int` has not everywhere.
    var isWide: Bool {
        cases.contains { if case .integer(let value) = $0.value { Int32(exactly: value) == nil } else { false } }
    }
}
