/// A table with aligned columns for a terminal, for text in any script.
///
/// ```swift
/// var table = TextTable(["event", "count"], rightAligned: [1])
/// table.add(["検索", "12"])
/// for line in table.lines { … }
/// ```
///
/// Cells must be printable text: see `String.printable`.
package struct TextTable {
    private var rows: [[TableCell]]
    private let rightAligned: Set<Int>

    /// - Parameter rightAligned: The indices of the right-aligned columns, from 0.
    package init(_ header: [String], rightAligned: Set<Int> = []) {
        rows = [header.map { TableCell($0) }]
        self.rightAligned = rightAligned
    }

    package mutating func add(_ row: [String]) { rows.append(row.map { TableCell($0) }) }

    /// The lines, without trailing spaces.
    package var lines: [String] {
        let widths = TableWidths(Self.widths(rows))
        return rows.map { line($0, widths) }
    }

    /// Passes the lines of this table and of further rows. The further rows are generated twice and not stored.
    package func forEachLine(followedBy further: some Collection<[String]>, _ body: (String) throws -> Void) rethrows {
        let cells = further.lazy.map { row in row.map { TableCell($0) } }
        let widths = TableWidths(Self.widths(cells, atLeast: Self.widths(rows)))
        for row in rows { try body(line(row, widths)) }
        for row in cells { try body(line(row, widths)) }
    }

    private static func widths(_ rows: some Sequence<[TableCell]>, atLeast widths: [Int] = []) -> [Int] {
        rows.reduce(into: widths) { widths, row in
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.width)
            }
        }
    }

    private func line(_ row: [TableCell], _ widths: TableWidths) -> String {
        var line: [UInt8] = []
        widths.append(row, rightAligned: rightAligned, to: &line)
        return String(decoding: line, as: UTF8.self)
    }
}

/// The widths of a table's columns, and the layout of its rows.
package struct TableWidths: Sendable {
    /// The number of spaces between two columns.
    private static let gap = 2
    /// The minimum width of a column, even on a narrow terminal.
    package static let narrowest = 8

    /// The width of each column. On a terminal, the last column extends to the edge.
    package let columns: [Int]
    /// Whether wider cells are cut.
    private let areLimits: Bool

    /// Computes widths from the widths of the rows.
    ///
    /// If the columns don't fit, the widest column shrinks first, by one terminal column at a time.
    ///
    /// - Parameters:
    ///   - natural: The width of the widest cell of each column, its title included.
    ///   - terminal: The columns of the terminal; nil without a terminal, so that nothing is cut.
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
        // The rest goes to the last column, whose later cells may be wider.
        let left = room - columns.reduce(0, +)
        if left > 0, let last = columns.indices.last { columns[last] += left }
        self.columns = columns
        areLimits = true
    }

    /// Appends a row without trailing spaces and without a line feed.
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

/// A cell of a table: printable text with its width in terminal columns.
package struct TableCell: Sendable {
    package let text: [UInt8]
    package let width: Int

    /// Measures a text.
    ///
    /// - Parameter printable: UTF-8 text without terminal controls: see `String.printable`.
    package init(printable text: [UInt8]) {
        self.text = text
        // One column per byte, if the text is ASCII.
        width =
            text.contains { $0 >= 0x80 } ? DisplayWidth.of(String(decoding: text, as: UTF8.self)) : text.count
    }

    /// Measures a text.
    ///
    /// - Parameter text: Printable text: see `String.printable`.
    package init(_ text: String) { self.init(printable: Array(text.utf8)) }

    /// Appends the text, padded with spaces.
    ///
    /// - Parameters:
    ///   - columns: The available terminal columns.
    ///   - cuts: Whether wider text is cut with an ellipsis; otherwise it overflows.
    ///   - isRightAligned: Whether the spaces come first.
    func append(to output: inout [UInt8], columns: Int, cuts: Bool, isRightAligned: Bool) {
        guard cuts, width > columns else {
            let padding = repeatElement(UInt8(ascii: " "), count: max(0, columns - width))
            if isRightAligned { output.append(contentsOf: padding) }
            output.append(contentsOf: text)
            if !isRightAligned { output.append(contentsOf: padding) }
            return
        }
        let start = DisplayWidth.prefix(String(decoding: text, as: UTF8.self), columns: columns - 1)
        output.append(contentsOf: start.utf8)
        output.append(contentsOf: "…".utf8)
        // Cutting a wide character leaves a column empty.
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: columns - DisplayWidth.of(start) - 1))
    }
}
