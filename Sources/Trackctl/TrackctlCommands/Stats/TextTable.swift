/// Rows of text with columns that stand under each other.
struct TextTable {
    private var rows: [[String]]
    private let rightAligned: Set<Int>

    /// - Parameter rightAligned: The columns of numbers, from 0.
    init(_ header: [String], rightAligned: Set<Int>) {
        rows = [header]
        self.rightAligned = rightAligned
    }

    mutating func add(_ row: [String]) { rows.append(row) }

    /// The lines, without spaces at their ends.
    var lines: [String] {
        let widths = Self.widths(rows)
        return rows.map { line($0, widths) }
    }

    /// Shows the lines of this table with further rows below, which are made twice and never kept.
    func forEachLine(followedBy further: some Collection<[String]>, _ body: (String) throws -> Void) rethrows {
        let widths = zip(Self.widths(rows), Self.widths(further)).map { max($0, $1) }
        for row in rows { try body(line(row, widths)) }
        for row in further { try body(line(row, widths)) }
    }

    private static func widths(_ rows: some Sequence<[String]>) -> [Int] {
        rows.reduce(into: []) { widths, row in
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
    }

    private func line(_ row: [String], _ widths: [Int]) -> String {
        let cells = row.enumerated().map { column, cell in
            let padding = String(repeating: " ", count: widths[column] - cell.count)
            return rightAligned.contains(column) ? padding + cell : cell + padding
        }
        let line = cells.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
