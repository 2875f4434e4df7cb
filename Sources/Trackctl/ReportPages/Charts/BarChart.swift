internal import TextRendering

/// Horizontal bars, one below the other, with labels and values as text.
package struct BarChart: PageBlock {
    package struct Bar: Sendable {
        let label: String
        let length: Double
        let value: String
        let color: SeriesColor

        /// - Parameters:
        /// - length: In any unit, from 0. The longest bar fills the chart's width.
        /// - value: The text next to the bar.
        package init(_ label: String, length: Double, value: String, color: SeriesColor = .first) {
            self.label = label
            self.length = length
            self.value = value
            self.color = color
        }
    }

    private let caption: ChartCaption
    private let bars: [Bar]
    private let full: Double

    /// - Parameter full: The length that fills the width; nil for the longest bar's.
    package init(_ caption: ChartCaption, _ bars: [Bar], full: Double? = nil) {
        self.caption = caption
        self.bars = bars
        self.full = full ?? bars.map(\.length).max() ?? 0
    }

    package var html: String {
        caption.html(around: "<ul class=\"bars\">\n\(bars.map(row).joined(separator: "\n"))\n</ul>")
    }

    private func row(_ bar: Bar) -> String {
        let width = Decimals.text(full > 0 ? 100 * bar.length / full : 0)
        return """
            <li><span class="label">\(HTMLText.escape(bar.label))</span><svg viewBox="0 0 100 1" \
            preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="1"/><rect \
            class="\(bar.color.name)" width="\(width)" height="1"/></svg><span \
            class="value">\(HTMLText.escape(bar.value))</span></li>
            """
    }
}

/// The frame of a chart: title, description, and the figures as a collapsible table.
package struct ChartCaption: Sendable {
    let title: String
    let description: String
    private let figures: DataTable

    /// - Parameter columns: The columns of the figures table.
    package init(_ title: String, description: String, columns: [DataTable.Column], rows: [[String]]) {
        self.title = title
        self.description = description
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

/// Numbers in markup.
enum Decimals {
    /// The number with at most two decimals, the same on every platform.
    static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
        let decimals = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        return (hundredths < 0 ? "-" : "") + "\(whole)\(decimals)"
    }
}

/// Series colors: the Okabe–Ito palette, which is safe for color-blind readers.
package enum SeriesColor: Int, CaseIterable, Sendable {
    /// The color of remaining items.
    case other
    case first, second, third, fourth, fifth, sixth

    /// The colors of named series, in order.
    package static let own = Array(allCases.dropFirst())

    /// The CSS class, which ``ChartStyle`` defines.
    var name: String { "c\(rawValue)" }
}

/// A linear scale of whole numbers from 0 with few, round tick marks.
package struct ValueScale: Sendable, Equatable {
    private static let most = 4

    /// The distance between two ticks.
    let step: Int
    /// The highest tick, at least the highest value.
    package let top: Int

    /// - Parameter highest: The highest value.
    package init(highest: Int) {
        var unit = 1
        while unit <= highest / (10 * Self.most) { unit *= 10 }
        let step = [1, 2, 5, 10].map { $0 * unit }.first { $0 * Self.most >= highest } ?? 10 * unit
        self.step = step
        top = max(1, (highest + step - 1) / step) * step
    }

    /// The ticks from 0 to the top.
    var marks: [Int] { Array(stride(from: 0, through: top, by: step)) }
}
