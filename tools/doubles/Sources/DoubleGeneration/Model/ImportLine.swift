/// An `import` of the source files.
struct ImportLine: Hashable, Sendable {
    /// The prefix, such as `@preconcurrency`, with a space.
    let attributes: String
    /// The access level with a space, such as `public `; empty without one.
    let access: String
    /// The imported name, such as `Foundation` or `struct Geometry.Point`.
    let what: String
    let conditions: Conditions
}
