internal import TextRendering

/// A heat map: a table of percentages or counts whose cells are shaded by value.
package struct HeatTable: PageBlock {
    package struct Row: Sendable {
        let label: String
        let size: String
        fileprivate let cells: [(text: String, share: Double)]

        /// - Parameters:
        /// - size: The total that the shares refer to.
        /// - shares: From 0 to 1, starting at the first column. Remaining columns are empty.
        package init(_ label: String, size: String, shares: [Double]) {
            self.label = label
            self.size = size
            cells = shares.map { ("\(Int((100 * $0).rounded()))", $0) }
        }

        /// - Parameters:
        /// - size: The text next to the label.
        /// - counts: From 0, starting at the first column. Remaining columns are empty.
        /// - maximum: The count with the darkest shade, greater than 0.
        package init(_ label: String, size: String, counts: [Int], maximum: Int) {
            self.label = label
            self.size = size
            cells = counts.map { ("\($0)", Double($0) / Double(maximum)) }
        }
    }

    private let caption: ChartCaption
    private let heads: [String]
    private let columns: [String]
    private let rows: [Row]

    /// - Parameters:
    /// - heads: The headings of the labels and of the sizes.
    /// - columns: The headings of the shares.
    package init(_ caption: ChartCaption, heads: (label: String, size: String), columns: [String], rows: [Row]) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
        self.heads = [heads.label, heads.size]
    }

    package var html: String {
        let titles = (heads + columns).map { "<th scope=\"col\">\(HTMLText.escape($0))</th>" }
        let lines = rows.map { row in
            """
            <tr><th \
            scope="row">\(HTMLText.escape(row.label))</th><td>\(HTMLText.escape(row.size))</td>\(row.cells.map(cell).joined())\(String(repeating: "<td></td>", count: columns.count - row.cells.count))</tr>
            """
        }
        return caption.html(
            around: """
                <div class="scroll" role="region" aria-label="\(HTMLText.escape(caption.title))" tabindex="0">\
                <table class="heat">
                <thead><tr>\(titles.joined())</tr></thead>
                <tbody>
                \(lines.joined(separator: "\n"))
                </tbody>
                </table></div>
                """)
    }

    private func cell(_ text: String, _ share: Double) -> String {
        guard share > 0 else { return "<td class=\"none\">0</td>" }
        return "<td class=\"share\" style=\"--share:\(Decimals.text(share))\">\(text)</td>"
    }
}
