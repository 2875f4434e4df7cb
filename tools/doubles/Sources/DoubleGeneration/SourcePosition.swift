/// A line of a source file.
struct SourcePosition: Hashable {
    /// The path in messages.
    let file: String
    /// The line number, starting at 1.
    let line: Int
}
