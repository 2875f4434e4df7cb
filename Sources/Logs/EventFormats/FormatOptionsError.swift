/// Options that do not go together.
package struct FormatOptionsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    package let description: String
}
