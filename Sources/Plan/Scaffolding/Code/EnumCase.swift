/// A case that an enum declares.
struct EnumCase: Hashable {
    /// The name without backticks.
    let name: String
    /// Whether it has associated values.
    let hasValues: Bool
}
