/// The size of a terminal.
package struct ScreenSize: Equatable, Sendable {
    /// The number of lines, at least 1.
    package let rows: Int
    /// The number of columns, at least 1.
    package let columns: Int

    /// Creates a size; values below 1 become 1.
    package init(rows: Int, columns: Int) {
        self.rows = max(rows, 1)
        self.columns = max(columns, 1)
    }
}

/// The content of a terminal: its lines from the top, each at most as wide as the terminal.
package struct Screen: Equatable, Sendable {
    package enum Style: Equatable, Sendable {
        case plain, title, selected, faint, alert
    }

    package struct Line: Equatable, Sendable {
        /// Printable text.
        package let text: String
        package let style: Style
    }

    /// The position of the cursor; both values start at 0.
    package struct Cursor: Equatable, Sendable {
        package let row: Int
        package let column: Int
    }

    /// The lines, as many as the terminal has.
    package let lines: [Line]
    /// The position of the next typed character; nil hides the cursor.
    package let cursor: Cursor?

    init(lines: [Line], cursor: Cursor?, size: ScreenSize) {
        let empty = repeatElement(Line(text: "", style: .plain), count: max(size.rows - lines.count, 0))
        self.lines = Array((lines + empty).prefix(size.rows))
        self.cursor = cursor.flatMap { $0.row < size.rows && $0.column < size.columns ? $0 : nil }
    }
}

extension Screen {
    /// The bytes that draw the screen (ECMA-48; `?25` is xterm's and shows or hides the cursor).
    var drawn: String {
        let drawnLines = lines.map { "\u{1B}[K\($0.style.sequence)\($0.text)\u{1B}[0m" }
        let end = cursor.map { "\u{1B}[\($0.row + 1);\($0.column + 1)H\u{1B}[?25h" } ?? ""
        return "\u{1B}[?25l\u{1B}[H" + drawnLines.joined(separator: "\r\n") + end
    }
}

extension Screen.Style {
    /// Bold, reversed, faint; no colors, so that the text is readable on any background.
    fileprivate var sequence: String {
        switch self {
        case .plain: ""
        case .title, .alert: "\u{1B}[1m"
        case .selected: "\u{1B}[7m"
        case .faint: "\u{1B}[2m"
        }
    }
}
