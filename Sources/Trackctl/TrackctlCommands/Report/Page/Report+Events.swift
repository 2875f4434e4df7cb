internal import LogStatistics
internal import ReportPages
internal import TextRendering

extension Report {
    private static let shownTypes = 30

    private static func label(_ event: EventStatistics) -> String { event.name.shortened }

    /// Events over time, the most frequent types each in a colour of its own.
    var overTime: ChartPage.Section {
        let clock = statistics.clock ?? ClockHistogram()
        let axis = TimeAxis(clock)
        var rest = clock.counts
        var series = zip(SeriesColor.own, statistics.events).map { color, event in
            let counts = event.clock?.counts(along: clock) ?? []
            for (column, count) in counts.enumerated() { rest[column] -= count }
            return StackedColumns.Series(Self.label(event), color: color, values: counts)
        }
        let others = statistics.events.count - series.count
        if others > 0 {
            let name = others == 1 ? Self.label(statistics.events[series.count]) : "\(others.grouped) other types"
            series.append(StackedColumns.Series(name, color: .other, values: rest))
        }
        let rows = axis.names.enumerated().map { column, name in
            [name, clock.counts[column].grouped] + series.map { $0.values[column].grouped }
        }
        let caption = ChartCaption(
            "Events in each stretch of \(axis.width)",
            description: "From \(axis.names.first ?? "-") to \(axis.names.last ?? "-"), in UTC.",
            columns: [.text("From"), .number("All")] + series.map { .number($0.name) }, rows: rows)
        return ChartPage.Section(
            "over-time", title: "Events over time",
            [StackedColumns(caption, names: axis.names, series: series, marks: axis.marks) { $0.grouped }])
    }

    /// How many events there are of each type.
    var byType: ChartPage.Section {
        let events = statistics.events
        let bars = events.prefix(Self.shownTypes).enumerated().map { place, event in
            BarChart.Bar(
                Self.label(event), length: Double(event.count),
                value: "\(event.count.grouped) (\(FigureText.percent(event.count, of: statistics.total)))",
                color: place < SeriesColor.own.count ? SeriesColor.own[place] : .other)
        }
        let caption = ChartCaption(
            "Events of each type",
            description: "\(events.count.grouped) type\(events.count == 1 ? "" : "s"), the most frequent first"
                + (events.count > bars.count ? "; the first \(bars.count) are drawn." : "."),
            columns: [.text("Type"), .number("Events"), .number("Share"), .number("Users"), .number("Bytes")],
            rows: events.map {
                [
                    Self.label($0), $0.count.grouped, FigureText.percent($0.count, of: statistics.total),
                    FigureText.count($0.users), $0.bytes.grouped,
                ]
            })
        return ChartPage.Section("by-type", title: "Events by type", [BarChart(caption, bars)])
    }
}
