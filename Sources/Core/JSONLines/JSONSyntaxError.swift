/// Where and why bytes are not JSON.
public struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Offset of the first wrong byte, from 0.
    public let offset: Int
    /// What was expected, in a few words.
    public let reason: String

    /// Makes an error.
    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    /// Column for people and editors: from 1, in bytes.
    public var column: Int { offset + 1 }

    /// `column 17: expected a value`.
    public var description: String { "column \(column): \(reason)" }
}
