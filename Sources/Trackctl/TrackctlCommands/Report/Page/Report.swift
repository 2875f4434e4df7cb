internal import EventLog
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
