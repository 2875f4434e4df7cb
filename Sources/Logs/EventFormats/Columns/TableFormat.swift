/// `table`: columns that stand under each other, for people.
///
/// The widest cells of the first ``sampleCount`` rows, and the titles, give the widths, see ``TableWidths``. They are kept
/// until they are all there, or the end is; rows that come after an end, as when a log is followed, widen their columns.
/// From then on rows pass through at once, in constant memory, and what is wider than its column is cut with an ellipsis.
/// Widths are columns of a terminal, not characters; what is unprintable is escaped. Without a terminal nothing is cut: a
/// wide cell pushes the rest of its row to the right.
struct TableFormat: LineFormat {
    /// A column and what stands above it.
    struct Column: Sendable {
        let title: String
        let field: Field
    }

    /// How many rows give the widths.
    static let sampleCount = 64

    private let columns: [Column]
    private let terminal: Int?
    private var reader = LineReader()
    private var sample: [[TableCell]]
    private var rowsSeen = 0
    private var natural: [Int]
    private var widths: TableWidths?

    /// - Parameter terminal: How many columns the terminal has; nil if there is none.
    init(columns: [Column], terminal: Int?) {
        self.columns = columns
        self.terminal = terminal
        sample = [columns.map { TableCell(Array($0.title.utf8)) }]
        natural = sample[0].map(\.width)
    }

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        let row = try reader.read(line) { line in
            columns.map { column in
                var text: [UInt8] = []
                _ = column.field.append(of: line, to: &text)
                return TableCell(text)
            }
        }
        if rowsSeen < Self.sampleCount { learn(from: row) }
        if let widths {
            Self.append(row, widths, to: &output)
        } else {
            sample.append(row)
            if rowsSeen == Self.sampleCount { appendSample(to: &output) }
        }
    }

    mutating func end(into output: inout [UInt8]) {
        if widths == nil { appendSample(to: &output) }
    }

    private mutating func learn(from row: [TableCell]) {
        rowsSeen += 1
        guard zip(row, natural).contains(where: { $0.width > $1 }) else { return }
        natural = zip(row, natural).map { max($0.width, $1) }
        if widths != nil { widths = TableWidths(natural: natural, terminal: terminal) }
    }

    private mutating func appendSample(to output: inout [UInt8]) {
        let widths = TableWidths(natural: natural, terminal: terminal)
        for row in sample { Self.append(row, widths, to: &output) }
        sample = []
        self.widths = widths
    }

    /// Appends a row without spaces at its end.
    private static func append(_ row: [TableCell], _ widths: TableWidths, to output: inout [UInt8]) {
        let start = output.count
        for (cell, width) in zip(row, widths.columns) {
            cell.append(to: &output, padding: width, cuts: widths.areLimits)
        }
        while output.count > start, output.last == UInt8(ascii: " ") { output.removeLast() }
        output.append(UInt8(ascii: "\n"))
    }
}
