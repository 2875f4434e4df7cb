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
