import Foundation
import JSONLines

/// Prints figures.
struct Report {
    enum Style {
        /// An aligned table a benchmark.
        case text
        /// One line of JSON a figure.
        case json
        /// One row of a Markdown table a figure.
        case markdown
    }

    let style: Style
    private(set) var isMissed = false

    init(style: Style) {
        self.style = style
    }

    mutating func add(_ figures: [Figure], of benchmark: any Benchmark) {
        if figures.contains(where: { !$0.isMet }) { isMissed = true }
        switch style {
        case .json: for figure in figures { print(json(figure, of: benchmark)) }
        case .markdown: for figure in figures where !figure.isCheck { print(row(figure, of: benchmark)) }
        case .text:
            print("\(benchmark.name): \(benchmark.summary)")
            print(table(figures))
        }
        fflush(nil)
    }

    private func table(_ figures: [Figure]) -> String {
        let head = ["", "subject", "baseline", "ratio", "p10…p90", "limit", ""]
        let rows = [head] + figures.map(cells)
        let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 || column == row.count - 1 ? cell + space : space + cell
            }
            return "  " + cells.joined(separator: "  ").trimmingSuffix(" ")
        }.joined(separator: "\n")
    }

    private func cells(_ figure: Figure) -> [String] {
        let bar =
            switch figure.bar {
            case .atLeast(let bar): "≥ \(rounded(bar))"
            case .atMost(let bar): "≤ \(rounded(bar))"
            case nil: ""
            }
        return [
            figure.name,
            figure.medians.map { "\(rounded($0.subject)) \($0.unit)" } ?? "",
            figure.medians.map { "\(rounded($0.baseline)) \($0.unit)" } ?? "",
            figure.missing ?? rounded(figure.value),
            figure.spread.map { "\(rounded($0.lowerBound))…\(rounded($0.upperBound))" } ?? "",
            bar,
            figure.bar == nil || figure.missing != nil ? "" : figure.isMet ? "ok" : "MISSED",
        ]
    }

    private func row(_ figure: Figure, of benchmark: any Benchmark) -> String {
        let cells = cells(figure)
        let value = cells[4].isEmpty ? cells[3] : "\(cells[3]) (\(cells[4]))"
        return "| `\(benchmark.name)` | \(cells[0]) | \(cells[1]) | \(cells[2]) | \(value) | \(cells[5]) |"
    }

    private func json(_ figure: Figure, of benchmark: any Benchmark) -> String {
        var json = JSONWriter()
        func number(_ name: String, _ value: Double) {
            json.key(name)
            if !json.number(value) { json.null() }
        }
        json.beginObject()
        json.key("benchmark")
        json.string(benchmark.name)
        json.key("figure")
        json.string(figure.name)
        if let medians = figure.medians {
            number("subject", medians.subject)
            number("baseline", medians.baseline)
            json.key("unit")
            json.string(medians.unit)
        }
        number(figure.medians == nil ? "count" : "ratio", figure.value)
        if let spread = figure.spread {
            number("p10", spread.lowerBound)
            number("p90", spread.upperBound)
        }
        switch figure.bar {
        case .atLeast(let bar): number("at_least", bar)
        case .atMost(let bar): number("at_most", bar)
        case nil: break
        }
        json.key("ok")
        json.bool(figure.isMet)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Three digits say all that a measurement is good for; whole numbers stay whole.
    private func rounded(_ value: Double) -> String {
        if value == value.rounded(), abs(value) < 1_000_000 { return String(Int(value)) }
        return switch abs(value) {
        case 100...: String(format: "%.0f", value)
        case 10...: String(format: "%.1f", value)
        case 0.1...: String(format: "%.2f", value)
        default: String(format: "%.4f", value)
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        String(self[..<(lastIndex { $0 != character }.map(index(after:)) ?? startIndex)])
    }
}
