internal import TextRendering

/// Bars that lie one below the other, with their names and values as text.
package struct BarChart: PageBlock {
    /// A bar.
    package struct Bar: Sendable {
        let label: String
        let length: Double
        let value: String
        let color: SeriesColor

        /// - Parameters:
        ///   - length: In any unit, from 0; the longest of a chart fills its width.
        ///   - value: What stands beside it.
        package init(_ label: String, length: Double, value: String, color: SeriesColor = .first) {
            (self.label, self.length, self.value, self.color) = (label, length, value, color)
        }
    }

    private let caption: ChartCaption
    private let bars: [Bar]
    private let full: Double

    /// - Parameter full: The length that fills the width; nil for the longest bar's.
    package init(_ caption: ChartCaption, _ bars: [Bar], full: Double? = nil) {
        (self.caption, self.bars) = (caption, bars)
        self.full = full ?? bars.map(\.length).max() ?? 0
    }

    package var html: String {
        caption.html(around: "<ul class=\"bars\">\n\(bars.map(row).joined(separator: "\n"))\n</ul>")
    }

    private func row(_ bar: Bar) -> String {
        let width = Decimals.text(full > 0 ? 100 * bar.length / full : 0)
        return """
            <li><span class="label">\(HTMLText.escape(bar.label))</span>\
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="1"/>\
            <rect class="\(bar.color.name)" width="\(width)" height="1"/></svg>\
            <span class="value">\(HTMLText.escape(bar.value))</span></li>
            """
    }
}
