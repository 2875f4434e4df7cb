internal import LogStatistics
internal import ReportPages
internal import TextRendering

extension Report {
    /// How long sessions are, and how many events they have.
    var sessions: ChartPage.Section {
        let (seconds, events) = (journeys.sessions.seconds, journeys.sessions.events)
        let tiles = FigureTiles([
            ("Sessions", FigureText.count(statistics.sessions)),
            ("Median length", FigureText.duration(seconds: seconds.median)),
            ("Longest", FigureText.duration(seconds: seconds.highest)),
            ("Median of events", events.median.grouped), ("Most events", events.highest.grouped),
        ])
        let note = FigureText.sampleNote("sessions", scale: journeys.sessions.scale).map { Note($0) }
        return ChartPage.Section(
            "sessions", title: "Sessions",
            [tiles] + [note].compactMap { $0 } + [
                Self.chart(
                    "Length of sessions", "From a session's first event to its last.", seconds, Self.lengthLabel),
                Self.chart("Events in a session", "How many events sessions have.", events, Self.eventsLabel),
            ])
    }

    private static func chart(
        _ title: String, _ description: String, _ figures: SessionFigures, _ label: (SessionFigures.Class) -> String
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
