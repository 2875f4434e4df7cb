internal import EventModel
internal import LogStatistics
internal import ReportPages
internal import TextRendering

/// What `trackctl report` tells.
struct Report {
    let title: String
    /// Nil if the page does not say.
    let madeAt: EventTime?
    /// As messages name them.
    let inputs: [String]
    let statistics: LogStatistics
    let journeys: Journeys
    let faultyLines: Int
    /// How many events the logs lost on purpose.
    let dropCount: Int64
    /// Nil without a plan.
    let validation: ValidationReport?
    /// Nil if none was given.
    let matrix: FiringMatrixTable?

    /// The whole page.
    var page: ChartPage {
        let log =
            statistics.total == 0
            ? [] : [overTime, byType, sessions, funnels, retention]
        return ChartPage(title: title, lead: lead, sections: [overview] + log + [schema] + tested)
    }

    private var lead: [String] {
        let names = inputs.prefix(Self.shownInputs).map(\.shortened).joined(separator: ", ")
        let rest = inputs.count - Self.shownInputs
        let made = madeAt.map { ["Made at \(FigureText.time($0)) UTC."] } ?? []
        return ["From \(names)\(rest > 0 ? " and \(rest.grouped) more" : "")."] + [times].compactMap { $0 } + made
    }

    private var times: String? {
        guard let first = statistics.firstTime, let last = statistics.lastTime else { return nil }
        return "\(FigureText.time(first)) to \(FigureText.time(last)) UTC."
    }

    private static let shownInputs = 3
}

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

/// Figures as the page writes them.
enum FigureText {
    /// `2018-09-12 11:54:07`.
    static func time(_ time: EventTime) -> String {
        String(time.rfc3339.prefix(19)).replacing("T", with: " ")
    }

    /// The same of seconds since 1970; a stretch may begin before the first time that there is.
    static func time(second: Int64) -> String { time(EventTime(clampedSeconds: second)) }

    /// `63.6%`; `-` of nothing.
    static func percent(_ count: Int, of total: Int) -> String {
        guard total > 0 else { return "-" }
        let tenths = Int((1000 * Double(count) / Double(total)).rounded())
        return "\(tenths / 10).\(tenths % 10)%"
    }

    /// `about 400,123` for an estimate.
    static func count(_ counter: UniqueCounter) -> String {
        (counter.isApproximate ? "about " : "") + counter.count.grouped
    }

    /// `45 s`, `3 min 20 s`, `2 h`: the two largest units that are not zero.
    static func duration(seconds: Int) -> String {
        let units = [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]
        guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0 s" }
        var rest = seconds
        let parts = units[first...].prefix(2).compactMap { name, length -> String? in
            defer { rest %= length }
            return rest >= length ? "\((rest / length).grouped) \(name)" : nil
        }
        return parts.joined(separator: " ")
    }

    /// What to say of figures that a sample gave; nil for all.
    static func sampleNote(_ what: String, scale: Int) -> String? {
        guard scale > 1 else { return nil }
        return "There are so many \(what) that these figures are estimates: of a sample of one in \(scale.grouped)."
    }
}
