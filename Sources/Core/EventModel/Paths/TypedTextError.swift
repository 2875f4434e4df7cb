/// Why something that a person typed cannot be understood, and where.
package struct TypedTextError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was typed.
    package let source: String
    /// The place of the fault, in characters from 0.
    package let offset: Int
    /// What is wrong and what to write.
    package let reason: String

    /// Column for people: from 1, in characters.
    package var column: Int { offset + 1 }

    /// The reason, and beneath it the text with a mark under the place.
    package var description: String {
        "column \(column): \(reason)\n  \(source)\n  \(String(repeating: " ", count: offset))^"
    }
}
