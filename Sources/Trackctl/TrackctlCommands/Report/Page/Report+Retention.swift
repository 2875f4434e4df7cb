internal import LogStatistics
internal import ReportPages
internal import TextRendering

extension Report {
    private static let shownCohorts = 31

    /// Who came back on which day.
    var retention: ChartPage.Section {
        let table = journeys.retention.table(maximumCohorts: Self.shownCohorts)
        let days = table.all.count
        guard days > 1 else {
            return ChartPage.Section(
                "retention", title: "Retention by day",
                [Note("All users were first seen on the last day of these events: who comes back shows a day later.")])
        }
        let columns = (0..<days).map { "\($0)" }
        let all = HeatTable.Row(
            "All", size: table.all[0].of.grouped, shares: table.all.map { Double($0.count) / Double($0.of) })
        let cohorts = table.cohorts.map { cohort in
            HeatTable.Row(
                Self.date(cohort.day), size: cohort.size.grouped,
                shares: cohort.counts.map { Double($0) / Double(cohort.size) })
        }
        let caption = ChartCaption(
            "Users that came back",
            description: "By the day on which users were first seen in these events: how many percent of them had "
                + "events so many days later, in UTC. Days after the last event are left empty.",
            columns: [.text("First seen")] + columns.map { .number("Day \($0)") },
            rows: table.cohorts.map { cohort in
                let counts = cohort.counts.map(\.grouped)
                return [Self.date(cohort.day)] + counts + Array(repeating: "", count: days - counts.count)
            })
        var blocks: [any PageBlock] = [
            HeatTable(caption, heads: ("First seen", "Users"), columns: columns, rows: [all] + cohorts)
        ]
        if table.earlierCohorts > 0 {
            blocks.append(Note("Users of \(table.earlierCohorts.grouped) earlier days are in the first row only."))
        }
        blocks += [FigureText.sampleNote("users", scale: journeys.retention.scale)].compactMap { $0.map { Note($0) } }
        return ChartPage.Section("retention", title: "Retention by day", blocks)
    }

    private static func date(_ day: Int64) -> String { String(FigureText.time(second: day * 86_400).prefix(10)) }
}
