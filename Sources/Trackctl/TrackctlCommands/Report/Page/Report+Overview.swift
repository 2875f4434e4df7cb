internal import LogStatistics
internal import ReportPages
internal import TextRendering

extension Report {
    /// The figures of all.
    var overview: ChartPage.Section {
        let installs = statistics.installs.map(\.statistics)
        let doubled = installs.reduce(0) { $0 + $1.doubleCount }
        var figures = [
            ("Events", statistics.total.grouped), ("Users", FigureText.count(statistics.users)),
            ("Sessions", FigureText.count(statistics.sessions)), ("Installs", installs.count.grouped),
            ("Missing", statistics.missing.grouped), ("Delivered twice", doubled.grouped),
        ]
        if dropCount > 0 { figures.append(("Lost on purpose", dropCount.grouped)) }
        if faultyLines > 0 { figures.append(("Faulty lines", faultyLines.grouped)) }
        var notes = [
            "Each install numbers its events: a number that is missing between its first and its last was lost, is in "
                + "another file, or was not selected."
        ]
        if statistics.users.isApproximate || statistics.sessions.isApproximate {
            notes.append("Figures with the word about are estimates, within 2%.")
        }
        if statistics.uncheckedEvents > 0 || installs.contains(where: \.isApproximate) {
            notes.append("There are so many installs or gaps that what is missing or came twice is an estimate.")
        }
        return ChartPage.Section(
            "overview", title: "Overview", [FigureTiles(figures)] + notes.map { Note($0) as any PageBlock })
    }
}
