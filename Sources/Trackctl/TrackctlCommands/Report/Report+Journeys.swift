internal import EventQuery
internal import LogStatistics
internal import ReportPages
internal import TextRendering

extension Report {
    /// The length of sessions, and their number of events.
    var sessions: ChartPage.Section {
        let seconds = journeys.sessions.seconds
        let events = journeys.sessions.events
        let tiles = FigureTiles([
            ("Sessions", FigureText.count(statistics.sessions)),
            ("Median length", FigureText.duration(seconds: seconds.median)),
            ("Longest", FigureText.duration(seconds: seconds.highest)),
            ("Median events", events.median.grouped), ("Most events", events.highest.grouped),
        ])
        let note = FigureText.sampleNote("sessions", scale: journeys.sessions.scale).map { Note($0) }
        return ChartPage.Section(
            "sessions", title: "Sessions",
            [tiles] + [note].compactMap { $0 } + [
                Self.chart(
                    "Session length", description: "From a session's first event to its last.", figures: seconds,
                    Self.lengthLabel),
                Self.chart(
                    "Events per session", description: "Number of events in each session.", figures: events,
                    Self.eventsLabel),
            ])
    }

    private static func chart(
        _ title: String, description: String, figures: SessionFigures, _ label: (SessionFigures.Class) -> String
    ) -> BarChart {
        let total = figures.classes.reduce(0) { $0 + $1.count }
        let rows = figures.classes.map { [label($0), $0.count.grouped, FigureText.percent($0.count, of: total)] }
        return BarChart(
            ChartCaption(
                title, description: description, columns: [.text("Class"), .number("Sessions"), .number("Share")],
                rows: rows),
            zip(figures.classes, rows).map { figure, row in
                BarChart.Bar(row[0], length: Double(figure.count), value: "\(row[1]) (\(row[2]))")
            })
    }

    /// `under 1 s`, `10 s to 1 min`, `1 h and more`.
    private static func lengthLabel(_ figure: SessionFigures.Class) -> String {
        let from = FigureText.duration(seconds: figure.from)
        guard let through = figure.through else { return "\(from) and more" }
        let end = FigureText.duration(seconds: through + 1)
        return figure.from == 0 ? "under \(end)" : "\(from) to \(end)"
    }

    /// `1 event`, `3 to 5 events`, `101 events and more`.
    private static func eventsLabel(_ figure: SessionFigures.Class) -> String {
        guard let through = figure.through else { return "\(figure.from) events and more" }
        if figure.from == through { return "\(through) event\(through == 1 ? "" : "s")" }
        return "\(figure.from) to \(through) events"
    }
}

extension Report {
    var funnels: ChartPage.Section {
        guard !journeys.funnels.isEmpty else {
            return ChartPage.Section(
                "funnels", title: "Funnels",
                [Note("No funnels were requested. Add one with --funnel, such as 'launch > search'.")])
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
        let rows = steps.enumerated().map { location, step in
            [
                "\(location + 1). \(step)", counts[location].grouped,
                FigureText.percent(counts[location], of: counts[0]),
                location == 0 ? "" : FigureText.percent(counts[location], of: counts[location - 1]),
            ]
        }
        let caption = ChartCaption(
            steps.joined(separator: " > "),
            description: "\(walkers) that completed the steps in this order\(within ?? "").",
            columns: [.text("Step"), .number(walkers), .number("Of the first"), .number("Of the previous")],
            rows: rows)
        let bars = zip(rows, counts).map { row, count in
            BarChart.Bar(row[0], length: Double(count), value: "\(row[1]) (\(row[2]))")
        }
        var notes = [FigureText.sampleNote(walkers.lowercased(), scale: funnel.scale)].compactMap { $0 }
        if funnel.disorderedCount > 0 {
            notes.append(
                "Steps out of order in the input: \(funnel.disorderedCount.grouped). Pass the inputs in order of time."
            )
        }
        return [BarChart(caption, bars, full: Double(counts[0]))] + notes.map { Note($0) }
    }
}

extension Report {
    private static let shownCohorts = 31

    /// Which users returned on which day.
    var retention: ChartPage.Section {
        let table = journeys.retention.table(maximumCohorts: Self.shownCohorts)
        let days = table.all.count
        guard days > 1 else {
            return ChartPage.Section(
                "retention", title: "Retention by day",
                [
                    Note(
                        "All users were first seen on the last day of these events: there is no retention yet."
                    )
                ])
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
            "Returning users",
            description: "By the day on which users were first seen in these events: the percentage with events N "
                + "days later, in UTC. Days after the last event are empty.",
            columns: [.text("First seen")] + columns.map { .number("Day \($0)") },
            rows: table.cohorts.map { cohort in
                let counts = cohort.counts.map(\.grouped)
                return [Self.date(cohort.day)] + counts + Array(repeating: "", count: days - counts.count)
            })
        var blocks: [any PageBlock] = [
            HeatTable(caption, heads: ("First seen", "Users"), columns: columns, rows: [all] + cohorts)
        ]
        if table.earlierCohorts > 0 {
            blocks.append(
                Note("Users of \(table.earlierCohorts.grouped) earlier days are included in the first row only."))
        }
        blocks += [FigureText.sampleNote("users", scale: journeys.retention.scale)].compactMap { $0.map { Note($0) } }
        return ChartPage.Section("retention", title: "Retention by day", blocks)
    }

    private static func date(_ day: Int64) -> String { String(FigureText.time(second: day * 86_400).prefix(10)) }
}
