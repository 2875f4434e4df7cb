/// A line of a source file.
struct SourcePosition: Hashable {
    /// As messages name it.
    let file: String
    /// From 1.
    let line: Int
}
