/// Why something that a person typed is no path or condition, and where.
package struct QueryError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was typed.
    package let source: String
    /// The place of the fault, in characters from 0.
    package let offset: Int
    /// What is wrong and what to write.
    package let reason: String

    /// The reason, and beneath it the text with a mark under the place.
    package var description: String {
        "column \(offset + 1): \(reason)\n  \(source)\n  \(String(repeating: " ", count: offset))^"
    }
}
