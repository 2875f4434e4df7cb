internal import TextRendering

/// What stands around a chart: its title and description, and its figures as a table to be opened.
package struct ChartCaption: Sendable {
    let title: String
    let description: String
    private let figures: DataTable

    /// - Parameter columns: Of the table of figures.
    package init(_ title: String, description: String, columns: [DataTable.Column], rows: [[String]]) {
        (self.title, self.description) = (title, description)
        figures = DataTable("Figures: \(title)", columns: columns, rows: rows)
    }

    func html(around chart: String) -> String {
        """
        <figure>
        <figcaption><h3>\(HTMLText.escape(title))</h3><p>\(HTMLText.escape(description))</p></figcaption>
        \(chart)
        <details><summary>Figures</summary>
        \(figures.html)
        </details>
        </figure>
        """
    }
}
