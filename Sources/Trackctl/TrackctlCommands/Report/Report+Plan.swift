internal import ReportPages
internal import TextRendering
internal import TrackingPlan

extension Report {
    private static let shownEvents = 30
    private static let shownFindings = 50

    /// The findings of the check against the plan.
    var schema: ChartPage.Section {
        guard let validation else {
            return ChartPage.Section(
                "schema", title: "Schema findings",
                [Note("The lines were not checked. Pass the folder of the tracking plan with --schemas.")])
        }
        let total = validation.sum(of: validation.rows(of: validation.total))
        var blocks: [any PageBlock] = [
            FigureTiles([
                ("Lines checked", total.lines.grouped), ("Valid", total.valid.grouped),
                ("Invalid", total.invalid.grouped), ("Kinds of findings", validation.groups.count.grouped),
            ])
        ]
        blocks +=
            total.invalid == 0
            ? [Note("Every line matches its schema.")] : [chart(validation), findings(validation)]
        if validation.groups.count > Self.shownFindings {
            blocks.append(Note("The table shows the first \(Self.shownFindings) kinds. Run trackctl validate for all."))
        }
        if let ungrouped = validation.ungrouped { blocks.append(Note(ungrouped)) }
        if !validation.unused.isEmpty {
            blocks.append(
                Note("In the plan, never seen: \(validation.unused.map(\.name).joined(separator: ", "))."))
        }
        return ChartPage.Section("schema", title: "Schema findings", blocks)
    }

    private func chart(_ validation: ValidationReport) -> BarChart {
        let rows = validation.rows(of: validation.total)
        let faulty = rows.filter { $0.tally.invalid > 0 }.enumerated().sorted {
            ($1.element.tally.invalid, $0.offset) < ($0.element.tally.invalid, $1.offset)
        }.map(\.element)
        return BarChart(
            ChartCaption(
                "Invalid lines by event",
                description: "Lines that don't match the plan.",
                columns: [.text("Event"), .number("Lines"), .number("Valid"), .number("Invalid")],
                rows: rows.map { row in
                    [row.event ?? "(none)"] + [row.tally.lines, row.tally.valid, row.tally.invalid].map(\.grouped)
                }),
            faulty.prefix(Self.shownEvents).map { row in
                BarChart.Bar(
                    row.event ?? "(none)", length: Double(row.tally.invalid),
                    value: "\(row.tally.invalid.grouped) of \(row.tally.lines.grouped)", color: .sixth)
            })
    }

    private func findings(_ validation: ValidationReport) -> DataTable {
        DataTable(
            "Findings",
            columns: [.number("Findings"), .text("Event"), .text("Error"), .text("First occurrence")],
            rows: validation.groups.prefix(Self.shownFindings).map { group in
                [
                    group.count.grouped, group.key.event ?? "(none)",
                    "\(group.key.kind.rawValue): \(group.key.shortSentence)", validation.text(group.sample),
                ]
            })
    }
}

extension Report {
    /// The tests that assert each event for each route command; empty without a firing matrix.
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
                Note("Without assertions (\(name)): \(missing.map(\.shortened).joined(separator: ", "))."))
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
                description: "Number of tests that assert the event after the latest route command.",
                columns: [.text("Route"), .text("Event"), .text("Test")], rows: pairs),
            heads: ("Route", "Tests"), columns: matrix.events.map(\.shortened), rows: rows)
    }
}
