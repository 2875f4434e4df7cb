/// One thing that a repair has done, or would do.
package struct RepairStep: Hashable, Sendable {
    /// The file that it is about.
    package let place: String
    /// What was done, with its numbers.
    package let message: String
}
