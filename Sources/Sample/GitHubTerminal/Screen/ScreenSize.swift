/// How large a terminal is.
package struct ScreenSize: Equatable, Sendable {
    /// Lines, at least one.
    package let rows: Int
    /// Characters in a line, at least one.
    package let columns: Int

    /// Makes a size; what is below one counts as one.
    package init(rows: Int, columns: Int) {
        self.rows = max(rows, 1)
        self.columns = max(columns, 1)
    }
}
