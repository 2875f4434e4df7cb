/// An `import` of the sources.
struct ImportLine: Hashable, Sendable {
    /// What stands before it: `@preconcurrency`, for instance, and a space.
    let attributes: String
    /// `public ` and the like; empty if nothing is said.
    let access: String
    /// What is imported: `Foundation`, `struct Geometry.Point`.
    let what: String
    let conditions: Conditions
}
