internal import EventQuery
internal import LogStatistics
internal import ReportPages
internal import TextRendering

extension Report {
    /// How far users went on the ways that were asked for.
    var funnels: ChartPage.Section {
        guard !journeys.funnels.isEmpty else {
            return ChartPage.Section(
                "funnels", title: "Funnels",
                [Note("No funnel was asked for: give one by --funnel, such as 'launch > search'.")])
        }
        return ChartPage.Section("funnels", title: "Funnels", journeys.funnels.flatMap(Self.blocks))
    }

    private static func blocks(_ funnel: FunnelStatistics) -> [any PageBlock] {
        let walkers = funnel.plan.walker == .user ? "Users" : "Sessions"
        let counts = funnel.counts
        let steps = funnel.plan.steps.map(\.source.shortened)
        let within = funnel.plan.within.map {
            ", within \(FigureText.duration(seconds: Int($0.components.seconds))) of the first"
        }
        let rows = steps.enumerated().map { place, step in
            [
                "\(place + 1). \(step)", counts[place].grouped, FigureText.percent(counts[place], of: counts[0]),
                place == 0 ? "" : FigureText.percent(counts[place], of: counts[place - 1]),
            ]
        }
        let caption = ChartCaption(
            steps.joined(separator: " > "),
            description: "\(walkers) that took the steps in this order\(within ?? "").",
            columns: [.text("Step"), .number(walkers), .number("Of the first"), .number("Of the step before")],
            rows: rows)
        let bars = zip(rows, counts).map { row, count in
            BarChart.Bar(row[0], length: Double(count), value: "\(row[1]) (\(row[2]))")
        }
        var notes = [FigureText.sampleNote(walkers.lowercased(), scale: funnel.scale)].compactMap { $0 }
        if funnel.disorderedCount > 0 {
            notes.append(
                "Steps that came behind a later one: \(funnel.disorderedCount.grouped). Name the inputs in the order of time."
            )
        }
        return [BarChart(caption, bars, full: Double(counts[0]))] + notes.map { Note($0) }
    }
}
