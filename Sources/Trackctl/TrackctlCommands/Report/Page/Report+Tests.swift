internal import ReportPages
internal import TextRendering

extension Report {
    /// Which tests assert which event for which route command; nothing without a firing matrix.
    var tested: [ChartPage.Section] {
        guard let matrix else { return [] }
        var blocks: [any PageBlock] = [
            FigureTiles([
                ("Routes asserted", "\(matrix.routeRatio.seen) of \(matrix.routeRatio.total)"),
                ("Events asserted", "\(matrix.eventRatio.seen) of \(matrix.eventRatio.total)"),
            ]),
            Self.chart(matrix),
        ]
        for (missing, name) in [(matrix.missingRoutes, "routes"), (matrix.missingEvents, "events")]
        where !missing.isEmpty {
            blocks.append(
                Note("No test asserts anything of these \(name): \(missing.map(\.shortened).joined(separator: ", "))."))
        }
        return [ChartPage.Section("tests", title: "Firing tests", blocks)]
    }

    private static func chart(_ matrix: FiringMatrixTable) -> HeatTable {
        let counts = matrix.rows.map { route in matrix.events.map { matrix.tests(of: route, $0).count } }
        let most = max(1, counts.joined().max() ?? 1)
        let rows = zip(matrix.rows, counts).map { route, counts in
            let tests = Set(matrix.events.flatMap { matrix.tests(of: route, $0) })
            return HeatTable.Row(route.shortened, size: tests.count.grouped, counts: counts, maximum: most)
        }
        let pairs = matrix.rows.flatMap { route in
            matrix.events.flatMap { event in
                matrix.tests(of: route, event).map { [route.shortened, event.shortened, $0.shortened] }
            }
        }
        return HeatTable(
            ChartCaption(
                "Tests by route and event",
                description: "How many tests assert the event after the route command that was given last.",
                columns: [.text("Route"), .text("Event"), .text("Test")], rows: pairs),
            heads: ("Route", "Tests"), columns: matrix.events.map(\.shortened), rows: rows)
    }
}
