internal import TextRendering

/// A block in a section of a ``ChartPage``.
package protocol PageBlock: Sendable {
    /// The block in HTML, without a final line feed.
    var html: String { get }
}

/// A paragraph of small print.
package struct Note: PageBlock {
    private let text: String

    package init(_ text: String) { self.text = text }

    package var html: String { "<p class=\"note\">\(HTMLText.escape(text))</p>" }
}

/// Single figures, side by side.
package struct FigureTiles: PageBlock {
    private let figures: [(name: String, value: String)]

    package init(_ figures: [(name: String, value: String)]) { self.figures = figures }

    package var html: String {
        let tiles = figures.map { name, value in
            "<div><dt>\(HTMLText.escape(name))</dt><dd>\(HTMLText.escape(value))</dd></div>"
        }
        return "<dl class=\"tiles\">\n\(tiles.joined(separator: "\n"))\n</dl>"
    }
}

/// A table that scrolls horizontally if it is wider than the page.
package struct DataTable: PageBlock {
    package struct Column: Sendable {
        let title: String
        let isNumber: Bool

        package static func text(_ title: String) -> Column { Column(title: title, isNumber: false) }
        package static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
    }

    private let name: String
    private let columns: [Column]
    private let rows: [[String]]

    /// - Parameters:
    /// - name: The accessibility label.
    ///   - rows: A cell for each column.
    package init(_ name: String, columns: [Column], rows: [[String]]) {
        self.name = name
        self.columns = columns
        self.rows = rows
    }

    package var html: String {
        let heads = columns.map { "<th scope=\"col\"\(mark($0))>\(HTMLText.escape($0.title))</th>" }
        let lines = rows.map { row in
            "<tr>\(zip(columns, row).map { "<td\(mark($0))>\(HTMLText.escape($1))</td>" }.joined())</tr>"
        }
        return """
            <div class="scroll" role="region" aria-label="\(HTMLText.escape(name))" tabindex="0"><table>
            <thead><tr>\(heads.joined())</tr></thead>
            <tbody>
            \(lines.joined(separator: "\n"))
            </tbody>
            </table></div>
            """
    }

    private func mark(_ column: Column) -> String { column.isNumber ? " class=\"number\"" : "" }
}
