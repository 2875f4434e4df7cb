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

/// What a terminal is to show: its lines, from the top, each of which fits.
package struct Screen: Equatable, Sendable {
    /// How a line looks.
    package enum Style: Equatable, Sendable {
        case plain, title, selected, faint, alert
    }

    /// A line.
    package struct Line: Equatable, Sendable {
        /// Printable text.
        package let text: String
        /// How it looks.
        package let style: Style
    }

    /// Where something is typed; both from 0.
    package struct Cursor: Equatable, Sendable {
        /// The line.
        package let row: Int
        /// The column.
        package let column: Int
    }

    /// The lines, as many as the terminal has.
    package let lines: [Line]
    /// Where the next character goes; nil if none is awaited.
    package let cursor: Cursor?

    init(lines: [Line], cursor: Cursor?, size: ScreenSize) {
        let empty = repeatElement(Line(text: "", style: .plain), count: max(size.rows - lines.count, 0))
        self.lines = Array((lines + empty).prefix(size.rows))
        self.cursor = cursor.flatMap { $0.row < size.rows && $0.column < size.columns ? $0 : nil }
    }
}

extension Screen {
    /// What draws the screen on a terminal, in one piece (ECMA-48; `?25` is xterm's and shows or hides the cursor).
    var drawn: String {
        let drawnLines = lines.map { "\u{1B}[K\($0.style.sequence)\($0.text)\u{1B}[0m" }
        let end = cursor.map { "\u{1B}[\($0.row + 1);\($0.column + 1)H\u{1B}[?25h" } ?? ""
        return "\u{1B}[?25l\u{1B}[H" + drawnLines.joined(separator: "\r\n") + end
    }
}

extension Screen.Style {
    /// Bold, reversed, faint: no colours, so that it can be read on any background.
    fileprivate var sequence: String {
        switch self {
        case .plain: ""
        case .title, .alert: "\u{1B}[1m"
        case .selected: "\u{1B}[7m"
        case .faint: "\u{1B}[2m"
        }
    }
}
