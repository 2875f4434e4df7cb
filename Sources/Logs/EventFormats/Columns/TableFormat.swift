internal import TextRendering

/// The `table` format: aligned columns.
///
/// The titles and the widest cells of the first ``sampleCount`` rows determine the widths; see `TableWidths`. Rows are
/// buffered until the sample is complete or the input ends. Rows that arrive after the end of the input, as when a log
/// is followed, can still widen their columns. Afterwards, rows are written immediately, in constant memory. Cells
/// wider than their column are truncated with an ellipsis; times are first shortened to the time of day, see
/// ``TimeForm``. Widths count terminal columns, not characters. Unprintable characters are escaped. Without a terminal,
/// nothing is truncated: a wide cell shifts the rest of its row.
struct TableFormat: LineFormat {
    /// A column and its title.
    struct Column: Sendable {
        let title: String
        let field: Field
        /// The minimum width in terminal columns.
        var minimumWidth = 0

        fileprivate var isTime: Bool { field.view == .rfc3339 }
    }

    /// Rows that determine the widths.
    static let sampleCount = 64

    private let columns: [Column]
    private let terminal: Int?
    private var reader = LineReader()
    private var sample: [[TableCell]]
    private var rowsSeen = 0
    /// The widest cell of each column so far, by the form of times.
    private var natural: [TimeForm: [Int]] = [:]
    private var layout: (widths: TableWidths, times: TimeForm)?

    /// - Parameter terminal: The terminal's width in columns; nil without a terminal.
    init(columns: [Column], terminal: Int?) {
        self.columns = columns
        self.terminal = terminal
        let titles = columns.map { TableCell(printable: Self.printable(Array($0.title.utf8), on: terminal)) }
        sample = [titles]
        for form in TimeForm.allCases { natural[form] = zip(titles, columns).map { max($0.width, $1.minimumWidth) } }
    }

    var isPrintable: Bool { true }

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        let terminal = terminal
        let row = try reader.read(line) { line in
            columns.map { column in
                var text: [UInt8] = []
                _ = column.field.append(of: line, to: &text)
                return TableCell(printable: Self.printable(text, on: terminal))
            }
        }
        if rowsSeen < Self.sampleCount { learn(from: row) }
        if layout != nil {
            append(row, to: &output)
        } else {
            sample.append(row)
            if rowsSeen == Self.sampleCount { appendSample(to: &output) }
        }
    }

    mutating func end(into output: inout [UInt8]) {
        if layout == nil { appendSample(to: &output) }
    }

    private static func printable(_ text: [UInt8], on terminal: Int?) -> [UInt8] {
        var text = text
        text.escapeUnprintable(onTerminal: terminal != nil)
        return text
    }

    private mutating func learn(from row: [TableCell]) {
        rowsSeen += 1
        var isWider = false
        for (form, widths) in natural {
            let new = zip(cells(of: row, form), widths).map { max($0.width, $1) }
            guard new != widths else { continue }
            natural[form] = new
            isWider = true
        }
        if isWider, layout != nil { layout = makeLayout() }
    }

    private mutating func appendSample(to output: inout [UInt8]) {
        layout = makeLayout()
        for row in sample { append(row, to: &output) }
        sample = []
    }

    /// The widths, and the longest form of times that fits.
    private func makeLayout() -> (TableWidths, TimeForm) {
        let isLong = columns.contains(where: \.isTime) && terminal != nil
        for form in isLong ? TimeForm.allCases : [.whole] {
            let widths = TableWidths(natural[form] ?? [], terminal: terminal)
            let fits = zip(columns, widths.columns).allSatisfy { !$0.isTime || $1 >= form.width }
            if !isLong || fits { return (widths, form) }
        }
        return (TableWidths(natural[.seconds] ?? [], terminal: terminal), .seconds)
    }

    private func cells(of row: [TableCell], _ form: TimeForm) -> [TableCell] {
        zip(row, columns).map { cell, column in column.isTime ? form.cell(cell) : cell }
    }

    private func append(_ row: [TableCell], to output: inout [UInt8]) {
        guard let layout else { return }
        layout.widths.append(cells(of: row, layout.times), to: &output)
        output.append(UInt8(ascii: "\n"))
    }
}

/// The form of times in a table. The time of day is more useful than a truncated date.
private enum TimeForm: CaseIterable {
    /// `2018-09-12T11:54:07.351338Z`
    case whole
    /// `11:54:07.351338`
    case timeOfDay
    /// `11:54:07`, which fits every column.
    case seconds

    /// The width in columns.
    var width: Int {
        switch self {
        case .whole: 27
        case .timeOfDay: 15
        case .seconds: 8
        }
    }

    /// A cell in this form; cells that are not times stay unchanged.
    func cell(_ cell: TableCell) -> TableCell {
        guard self != .whole, cell.text.count == Self.whole.width, cell.text[10] == UInt8(ascii: "T"),
            cell.text.last == UInt8(ascii: "Z")
        else { return cell }
        return TableCell(printable: Array(cell.text[11..<(11 + width)]))
    }
}
