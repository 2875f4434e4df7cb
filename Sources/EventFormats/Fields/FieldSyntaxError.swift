/// Where and why a path, a list of fields, a rule or a template is wrong.
package struct FieldSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where, in bytes from the start of the text, from 0.
    package let offset: Int
    /// What is wrong and what to write instead, in a few words.
    package let reason: String

    /// Makes an error of a place and a reason.
    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    /// Column for people: from 1, in bytes.
    package var column: Int { offset + 1 }

    /// `column 7: a name is missing`.
    package var description: String { "column \(column): \(reason)" }
}
