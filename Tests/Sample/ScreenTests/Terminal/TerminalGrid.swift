/// The content of a terminal, with the features that the app uses: text, lines, the position of the cursor, erasing to the
/// end of a line, and the alternate screen. Every character counts as one column.
struct TerminalGrid: Sendable, CustomStringConvertible {
    private var cells: [[Character]]
    private var row = 0
    private var column = 0
    private var rest: [UInt8] = []
    /// Whether a program shows the alternate screen.
    private(set) var isAlternate = false
    /// Whether the cursor is visible.
    private(set) var showsCursor = true

    init(rows: Int, columns: Int) {
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// The lines, without trailing spaces.
    var lines: [String] { cells.map { String($0.reversed().drop { $0 == " " }.reversed()) } }

    var description: String { lines.joined(separator: "\n") }

    /// Applies the output of a program.
    mutating func write(_ bytes: some Sequence<UInt8>) {
        rest += bytes
        while let first = rest.first {
            let length = first == 0x1B ? sequenceLength : characterLength(first)
            guard let length, length <= rest.count else { return }
            let piece = Array(rest.prefix(length))
            rest.removeFirst(length)
            if first == 0x1B { obey(piece) } else { put(Character(String(decoding: piece, as: UTF8.self))) }
        }
    }

    /// The length of the sequence at the start (ECMA-48, CSI only); nil if it is incomplete.
    private var sequenceLength: Int? {
        rest.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
    }

    private func characterLength(_ first: UInt8) -> Int {
        switch first {
        case 0xC0...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...: 4
        default: 1
        }
    }

    private mutating func put(_ character: Character) {
        switch character {
        case "\r": column = 0
        case "\n": row = min(row + 1, cells.count - 1)
        default:
            guard column < cells[row].count else { return }
            cells[row][column] = character
            column += 1
        }
    }

    private mutating func obey(_ sequence: [UInt8]) {
        let parameters = String(decoding: sequence.dropFirst(2).dropLast(), as: UTF8.self)
        switch (sequence.last, parameters) {
        case (UInt8(ascii: "H"), _):
            let numbers = parameters.split(separator: ";").compactMap { Int($0) }
            row = min((numbers.first ?? 1) - 1, cells.count - 1)
            column = (numbers.dropFirst().first ?? 1) - 1
        case (UInt8(ascii: "K"), ""):
            for index in column..<max(column, cells[row].count) { cells[row][index] = " " }
        case (UInt8(ascii: "h"), "?25"): showsCursor = true
        case (UInt8(ascii: "l"), "?25"): showsCursor = false
        case (UInt8(ascii: "h"), "?1049"): isAlternate = true
        case (UInt8(ascii: "l"), "?1049"):
            isAlternate = false
            self = cleared()
        default: break  // the style of text
        }
    }

    /// The shell's screen, which was empty.
    private func cleared() -> TerminalGrid {
        var grid = TerminalGrid(rows: cells.count, columns: cells[0].count)
        (grid.rest, grid.showsCursor) = (rest, showsCursor)
        return grid
    }
}
