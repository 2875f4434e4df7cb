internal import LogStatistics
internal import ReportPages
internal import TextRendering

extension Report {
    private static let shownTypes = 30

    private static func label(_ event: EventStatistics) -> String { event.name.shortened }

    /// Events over time, with the most frequent types as series.
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
            "Events per \(axis.width)",
            description: "From \(axis.names.first ?? "-") to \(axis.names.last ?? "-"), in UTC.",
            columns: [.text("From"), .number("All")] + series.map { .number($0.name) }, rows: rows)
        return ChartPage.Section(
            "over-time", title: "Events over time",
            [StackedColumns(caption, names: axis.names, series: series, marks: axis.marks) { $0.grouped }])
    }

    /// The number of events of each type.
    var byType: ChartPage.Section {
        let events = statistics.events
        let bars = events.prefix(Self.shownTypes).enumerated().map { location, event in
            BarChart.Bar(
                Self.label(event), length: Double(event.count),
                value: "\(event.count.grouped) (\(FigureText.percent(event.count, of: statistics.total)))",
                color: location < SeriesColor.own.count ? SeriesColor.own[location] : .other)
        }
        let caption = ChartCaption(
            "Events by type",
            description: "\(events.count.grouped) type\(events.count == 1 ? "" : "s"), the most frequent first"
                + (events.count > bars.count ? "; the chart shows the first \(bars.count)." : "."),
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

/// The labels of a histogram's time axis.
struct TimeAxis {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// Intervals between two ticks, in seconds. Longer intervals double.
    private static let steps: [Int64] = [
        1, 5, 15, 30, 60, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 345_600, 604_800,
    ]

    private let clock: ClockHistogram

    init(_ clock: ClockHistogram) { self.clock = clock }

    /// The length of an interval.
    var width: String { FigureText.duration(seconds: Int(clock.width)) }

    /// The start of each interval.
    var names: [String] { clock.counts.indices.map { name(of: clock.start + Int64($0) * clock.width) } }

    /// `2018-09-12 11:54:07`, truncated to the interval's precision.
    private func name(of second: Int64) -> String {
        let time = FigureText.time(second: second)
        return String(time.prefix(clock.width >= 86_400 ? 10 : clock.width >= 60 ? 16 : 19))
    }

    /// The ticks, at full hours, days or other round times.
    var marks: [StackedColumns.Mark] {
        let span = Int64(clock.counts.count) * clock.width
        var step = Self.steps.first { span / $0 <= Self.mostMarks($0) && $0 >= clock.width } ?? 1_209_600
        while span / step > Self.mostMarks(step) { step *= 2 }
        let origin = ClockHistogram.origin
        let first = ((clock.start - origin) / step) * step + origin
        return stride(from: first, to: clock.start + span, by: Int64.Stride(step)).filter { $0 >= clock.start }.map {
            StackedColumns.Mark(label(of: $0, step: step), at: Double($0 - clock.start) / Double(span))
        }
    }

    /// The number of ticks that fit on a phone; labels with seconds are longer.
    private static func mostMarks(_ step: Int64) -> Int64 { step < 60 ? 4 : 6 }

    /// `11:54:07`, `11:54`, `12 Sep`, or `Sep 2018`.
    private func label(of second: Int64, step: Int64) -> String {
        let time = FigureText.time(second: second)
        let parts = time.prefix(10).split(separator: "-")
        guard step >= 86_400 || time.hasSuffix("00:00:00"), parts.count == 3, let month = Int(parts[1]),
            let day = Int(parts[2]), Self.months.indices.contains(month - 1)
        else { return String(time.dropFirst(11).prefix(step < 60 ? 8 : 5)) }
        let name = Self.months[month - 1]
        return step > 60 * 86_400 ? "\(name) \(parts[0])" : "\(day) \(name)"
    }
}
