/// Rows of text in columns that line up on a terminal, whatever script the text is in.
///
/// ```swift
/// var table = TextTable(["event", "count"], rightAligned: [1])
/// table.add(["検索", "12"])
/// for line in table.lines { … }
/// ```
///
/// Cells hold printable text: see `String.printable`.
package struct TextTable {
    private var rows: [[TableCell]]
    private let rightAligned: Set<Int>

    /// - Parameter rightAligned: The columns of numbers, from 0.
    package init(_ header: [String], rightAligned: Set<Int> = []) {
        rows = [header.map { TableCell($0) }]
        self.rightAligned = rightAligned
    }

    package mutating func add(_ row: [String]) { rows.append(row.map { TableCell($0) }) }

    /// The lines, without spaces at their ends.
    package var lines: [String] {
        let widths = TableWidths(Self.widths(rows))
        return rows.map { line($0, widths) }
    }

    /// Shows the lines of this table with further rows below, which are made twice and never kept.
    package func forEachLine(followedBy further: some Collection<[String]>, _ body: (String) throws -> Void) rethrows {
        let cells = further.lazy.map { row in row.map { TableCell($0) } }
        let widths = TableWidths(zip(Self.widths(rows), Self.widths(cells)).map { max($0, $1) })
        for row in rows { try body(line(row, widths)) }
        for row in cells { try body(line(row, widths)) }
    }

    private static func widths(_ rows: some Sequence<[TableCell]>) -> [Int] {
        rows.reduce(into: []) { widths, row in
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
