internal import JSONLines
internal import TextRendering
internal import TrackingPlan

/// Coverage of a plan's pages in the logs, or in the lines of the tests.
struct CoveredPages {
    /// Pages seen, of those that are not deprecated.
    let ratio: CoverageRatio
    /// Names of pages that were never seen, in list order.
    let neverSeen: [String]
    /// Pages that are not in the plan, by name.
    let others: [(page: String, lines: Int)]
    /// Further such lines, whose names are not counted separately.
    let unnamed: Int

    init(_ planned: PlannedPages, _ coverage: PlanCoverage) {
        let current = zip(planned.pages, coverage.pages).filter { !$0.0.isDeprecated }
        neverSeen = current.filter { $0.1 == 0 }.map(\.0.name)
        ratio = CoverageRatio(seen: current.count - neverSeen.count, total: current.count)
        others = coverage.otherPages.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        unnamed = coverage.linesOnUnnamedPages
    }

    /// See ``CoverageReport/json``.
    var json: JSONValue {
        var notInPlan = others.map { other -> JSONValue in
            ["page": .string(other.page), "lines": .integer(Int64(other.lines))]
        }
        if unnamed > 0 { notInPlan.append(["page": .null, "lines": .integer(Int64(unnamed))]) }
        return [
            "seen": .integer(Int64(ratio.seen)), "total": .integer(Int64(ratio.total)),
            "percent": .number(ratio.percent),
            "never_seen": .array(neverSeen.map { .string($0) }), "not_in_plan": .array(notInPlan),
        ]
    }

    /// The text block of the report.
    ///
    /// - Parameter title: The source of the lines: `logs` or `tests`.
    func text(_ title: String) -> [String] {
        func count(_ lines: Int) -> String { "\(lines.grouped) line\(lines == 1 ? "" : "s")" }
        var text = ["\(ratio.seen) of \(ratio.total) pages (\(ratio.text)) seen in the \(title)"]
        text += neverSeen.map { "  \($0): never seen" }
        text += others.map { "  \($0.page): page-not-in-plan, \(count($0.lines))" }
        if unnamed > 0 { text.append("  other names: page-not-in-plan, \(count(unnamed))") }
        return text
    }
}
