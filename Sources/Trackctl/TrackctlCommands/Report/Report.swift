internal import EventModel
internal import LogStatistics
internal import ReportPages
internal import TextRendering

/// The content of `trackctl report`.
struct Report {
    let title: String
    /// The creation time; nil to omit it.
    let madeAt: EventTime?
    /// The inputs' names in messages.
    let inputs: [String]
    let statistics: LogStatistics
    let journeys: Journeys
    let faultyLines: Int
    /// The number of events that the ledgers report as lost.
    let dropCount: Int64
    /// Nil without a plan.
    let validation: ValidationReport?
    /// Nil without a firing matrix.
    let matrix: FiringMatrixTable?

    var page: ChartPage {
        let log =
            statistics.total == 0
            ? [] : [overTime, byType, sessions, funnels, retention]
        return ChartPage(title: title, lead: lead, sections: [overview] + log + [schema] + tested)
    }

    private var lead: [String] {
        let names = inputs.prefix(Self.shownInputs).map(\.shortened).joined(separator: ", ")
        let rest = inputs.count - Self.shownInputs
        let made = madeAt.map { ["Created at \(FigureText.time($0)) UTC."] } ?? []
        return ["From \(names)\(rest > 0 ? " and \(rest.grouped) more" : "")."] + [times].compactMap { $0 } + made
    }

    private var times: String? {
        guard let first = statistics.firstTime, let last = statistics.lastTime else { return nil }
        return "\(FigureText.time(first)) to \(FigureText.time(last)) UTC."
    }

    private static let shownInputs = 3
}

extension Report {
    /// The key figures.
    var overview: ChartPage.Section {
        let installs = statistics.installs.map(\.statistics)
        let doubled = installs.reduce(0) { $0 + $1.doubleCount }
        var figures = [
            ("Events", statistics.total.grouped), ("Users", FigureText.count(statistics.users)),
            ("Sessions", FigureText.count(statistics.sessions)), ("Installs", installs.count.grouped),
            ("Missing", statistics.missing.grouped), ("Delivered twice", doubled.grouped),
        ]
        if dropCount > 0 { figures.append(("Dropped (ledger)", dropCount.grouped)) }
        if faultyLines > 0 { figures.append(("Malformed lines", faultyLines.grouped)) }
        var notes = [
            "Each install numbers its events. A number that is missing between its first and its last was lost, is in "
                + "another file, or was not selected."
        ]
        if statistics.users.isApproximate || statistics.sessions.isApproximate {
            notes.append("Figures marked “about” are estimates, within 2%.")
        }
        if statistics.uncheckedEvents > 0 || installs.contains(where: \.isApproximate) {
            notes.append("With this many installs or gaps, the numbers of missing and duplicate events are estimates.")
        }
        return ChartPage.Section(
            "overview", title: "Overview", [FigureTiles(figures)] + notes.map { Note($0) as any PageBlock })
    }
}

/// Formats figures for the page.
enum FigureText {
    /// `2018-09-12 11:54:07`.
    static func time(_ time: EventTime) -> String {
        String(time.rfc3339.prefix(19)).replacing("T", with: " ")
    }

    /// The same for seconds since 1970, clamped to the range of times.
    static func time(second: Int64) -> String { time(EventTime(clampedSeconds: second)) }

    /// `63.6%`; `-` if the total is 0.
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

    /// The note on figures from a sample; nil if all were counted.
    static func sampleNote(_ what: String, scale: Int) -> String? {
        guard scale > 1 else { return nil }
        return "These figures are estimates from a sample: 1 in \(scale.grouped) \(what)."
    }
}
