/// A case that an enum declares.
struct EnumCase: Hashable {
    /// Without backticks.
    let name: String
    /// Whether it carries values.
    let hasValues: Bool
}
