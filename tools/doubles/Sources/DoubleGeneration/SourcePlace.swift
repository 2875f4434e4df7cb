/// A line of a source file.
struct SourcePlace: Hashable {
    /// As messages name it.
    let file: String
    /// From 1.
    let line: Int
}
