/// Where something stands in the sources.
struct SourcePlace: Hashable, Comparable {
    /// `ShopTests/BasketTests.swift`.
    let file: String
    /// From 1.
    let line: Int64
    /// From 1.
    let column: Int64

    /// By file, line and column.
    static func < (left: Self, right: Self) -> Bool {
        guard left.file == right.file else { return left.file.utf8.lexicographicallyPrecedes(right.file.utf8) }
        return (left.line, left.column) < (right.line, right.column)
    }
}
