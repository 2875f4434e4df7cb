/// How wide the columns of a table are, and how its rows are written.
package struct TableWidths: Sendable {
    /// The spaces between two columns.
    private static let gap = 2
    /// No column is made narrower than this, however narrow the terminal.
    package static let narrowest = 8

    /// Of each column; in a terminal the last one ends where the terminal does.
    package let columns: [Int]
    /// Whether what is wider is cut.
    private let areLimits: Bool

    /// Makes widths of what the rows take.
    ///
    /// Where they do not fit side by side, the widest column gives way first, one column of the terminal at a time.
    ///
    /// - Parameters:
    ///   - natural: The width of the widest cell of each column, its title included.
    ///   - terminal: The columns of the terminal; nil if there is none, so that nothing is cut.
    package init(_ natural: [Int], terminal: Int? = nil) {
        guard let terminal else {
            columns = natural
            areLimits = false
            return
        }
        var columns = natural
        let room = terminal - Self.gap * (natural.count - 1)
        while columns.reduce(0, +) > room {
            guard let widest = columns.indices.max(by: { columns[$0] < columns[$1] }),
                columns[widest] > Self.narrowest
            else { break }
            columns[widest] -= 1
        }
        // What is left over belongs to the last column, whose later cells may be wider.
        let left = room - columns.reduce(0, +)
        if left > 0, let last = columns.indices.last { columns[last] += left }
        self.columns = columns
        areLimits = true
    }

    /// Appends a row without spaces at its end, and without a line feed.
    package func append(_ row: [TableCell], rightAligned: Set<Int> = [], to output: inout [UInt8]) {
        let start = output.count
        for (column, cell) in row.enumerated() {
            if column > 0 { output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: Self.gap)) }
            cell.append(
                to: &output, columns: columns[column], cuts: areLimits, isRightAligned: rightAligned.contains(column))
        }
        while output.count > start, output.last == UInt8(ascii: " ") { output.removeLast() }
    }
}
