internal import TextRendering

/// Stacked columns of several series.
package struct StackedColumns: PageBlock {
    /// A series with its color.
    package struct Series: Sendable {
        package let name: String
        let color: SeriesColor
        package let values: [Int]

        /// - Parameter values: One value for each column, from 0.
        package init(_ name: String, color: SeriesColor, values: [Int]) {
            self.name = name
            self.color = color
            self.values = values
        }
    }

    /// A label below the columns.
    package struct Mark: Sendable {
        let location: Double
        let text: String

        /// - Parameter location: From 0, the left edge, to 1, the right edge.
        package init(_ text: String, at location: Double) {
            self.text = text
            self.location = location
        }
    }

    private static let width = 1000.0
    private static let height = 240.0
    /// As a fraction of a column's width.
    private static let gap = 0.14

    private let caption: ChartCaption
    private let names: [String]
    private let series: [Series]
    private let marks: [Mark]
    private let number: @Sendable (Int) -> String
    private let scale: ValueScale

    /// - Parameters:
    /// - names: The columns' names, shown as tooltips.
    /// - series: From the bottom up.
    /// - number: Formats values.
    package init(
        _ caption: ChartCaption, names: [String], series: [Series], marks: [Mark],
        number: @escaping @Sendable (Int) -> String
    ) {
        self.caption = caption
        self.names = names
        self.series = series
        self.marks = marks
        self.number = number
        scale = ValueScale(
            highest: names.indices.map { column in series.reduce(0) { $0 + $1.values[column] } }.max() ?? 0)
    }

    package var html: String { caption.html(around: legend + "\n" + plot) }

    private var legend: String {
        let items = series.map { series in
            """
            <li><svg viewBox="0 0 1 1" aria-hidden="true"><rect class="\(series.color.name)" width="1" \
            height="1"/></svg>\(HTMLText.escape(series.name))</li>
            """
        }
        return "<ul class=\"legend\">\n\(items.joined(separator: "\n"))\n</ul>"
    }

    private var plot: String {
        let values = scale.marks.map { value in
            "<span style=\"bottom:\(percent(value))%\">\(HTMLText.escape(number(value)))</span>"
        }
        let times = marks.map {
            "<span style=\"left:\(Decimals.text(100 * $0.location))%\">\(HTMLText.escape($0.text))</span>"
        }
        return """
            <div class="plot">
            <div class="scale" aria-hidden="true"><span class="widest">\(HTMLText.escape(number(scale.top)))</span>\
            \(values.joined())</div>
            <svg role="img" viewBox="0 0 1000 240" preserveAspectRatio="none">
            <title>\(HTMLText.escape(caption.title))</title><desc>\(HTMLText.escape(caption.description))</desc>
            \(lines)
            \(paths.joined(separator: "\n"))
            \(pointers.joined(separator: "\n"))
            </svg>
            <div class="marks" aria-hidden="true">\(times.joined())</div>
            </div>
            """
    }

    private func percent(_ value: Int) -> String { Decimals.text(100 * Double(value) / Double(scale.top)) }

    private func y(_ value: Int) -> Double { Self.height * (1 - Double(value) / Double(scale.top)) }

    private var columnWidth: Double { Self.width / Double(max(1, names.count)) }

    private var lines: String {
        let path = scale.marks.map { "M0 \(Decimals.text(y($0)))H1000" }.joined()
        let ticks = marks.map { "M\(Decimals.text($0.location * Self.width)) 240v-4" }.joined()
        return "<path class=\"line\" d=\"\(path)\(ticks)\"/>"
    }

    /// A path for each series.
    private var paths: [String] {
        var below = Array(repeating: 0, count: names.count)
        return series.map { series in
            var path = ""
            for (column, value) in series.values.enumerated() where value > 0 {
                let left = (Double(column) + Self.gap / 2) * columnWidth
                let width = columnWidth * (1 - Self.gap)
                let bottom = y(below[column])
                let top = y(below[column] + value)
                path += "M\(Decimals.text(left)) \(Decimals.text(bottom))V\(Decimals.text(top))"
                path += "h\(Decimals.text(width))V\(Decimals.text(bottom))z"
                below[column] += value
            }
            return "<path class=\"\(series.color.name)\" d=\"\(path)\"/>"
        }
    }

    /// A tooltip over each column.
    private var pointers: [String] {
        names.enumerated().map { column, name in
            let values = series.filter { $0.values[column] > 0 }.map { "\($0.name) \(number($0.values[column]))" }
            let text = ["\(name): \(values.isEmpty ? "none" : "")" + values.joined(separator: ", ")].joined()
            return """
                <rect class="pointer" x="\(Decimals.text(Double(column) * columnWidth))" \
                width="\(Decimals.text(columnWidth))" height="240"><title>\(HTMLText.escape(text))</title></rect>
                """
        }
    }
}
