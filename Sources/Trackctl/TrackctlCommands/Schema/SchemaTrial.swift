internal import DeliveryProtocol
internal import EventModel
internal import Foundation
internal import JSONLines
internal import ReportPages
internal import TextRendering
internal import TrackingPlan

/// What a draft plan says of recorded events. Memory grows with the kinds of findings, up to limits, not with the
/// number of events.
final class SchemaTrial {
    /// The most events, rules and apps that are counted separately.
    private static let maximumRows = 2000
    /// The samples that are kept of a rule.
    private static let maximumSamples = 3
    private static let rest = "(others)"

    /// The events of a group.
    struct Count {
        fileprivate(set) var events = 0
        fileprivate(set) var rejected = 0
        /// Events without a schema in the plan.
        fileprivate(set) var unplanned = 0

        var share: Double { events == 0 ? 0 : Double(rejected) / Double(events) }
    }

    /// The events that violate a rule.
    struct Rule {
        fileprivate(set) var events = 0
        /// Install and number, or input and line.
        fileprivate(set) var samples: [String] = []
    }

    let plan: ScanPlan
    private(set) var total = Count()
    private(set) var byEvent: [String: Count] = [:]
    private(set) var byApp: [String: Count] = [:]
    private(set) var byRule: [String: Rule] = [:]
    /// Lines that the collector rejected, and how many of them the draft accepts.
    private(set) var recheckedLines = 0
    private(set) var acceptedLines = 0
    private var checker: LineChecker

    init(plan: ScanPlan) {
        self.plan = plan
        checker = LineChecker(plan.compiled)
    }

    /// The share of rejected events, from 0 to 1.
    var share: Double { total.share }

    /// Checks a stored line.
    ///
    /// - Parameter location: The input and the line, for lines that are unreadable.
    func check(_ line: UnsafeRawBufferPointer, at location: @autoclosure () -> String) {
        var count = Count()
        count.events = 1
        let event: String
        if let location = checker.validEvent(line) {
            event = Self.reference(plan.plan.events[location])
        } else {
            let result = checker.check(line)
            event = result.event.map { Self.reference(plan.plan.events[$0]) } ?? result.reference?.shortened ?? "(none)"
            let findings = result.findings.filter { FindingClass($0.kind) == .invalid }
            if !result.isValid, !result.isUnplanned, !findings.isEmpty {
                count.rejected = 1
                note(findings, of: event, sample: Self.name(of: line) ?? location())
            } else if !result.isValid {
                count.unplanned = 1
            }
        }
        Self.add(count, to: &total)
        Self.add(count, event, in: &byEvent)
        Self.add(count, Self.app(of: line) ?? "(unknown)", in: &byApp)
    }

    /// Checks a line that the collector rejected.
    func recheck(_ rejected: RejectedLine) {
        guard let bytes = rejected.bytes else { return }
        recheckedLines += 1
        let before = total.rejected
        bytes.withUnsafeBytes {
            check($0, at: "rejected line \(rejected.rejection.line) of receipt \(rejected.receipt)")
        }
        if total.rejected == before { acceptedLines += 1 }
    }

    private func note(_ findings: [LineFinding], of event: String, sample: String) {
        for sentence in Set(findings.map { FindingGroup.Key($0, event: event).sentence }) {
            let name = byRule[sentence] != nil || byRule.count < Self.maximumRows ? sentence : Self.rest
            var rule = byRule[name] ?? Rule()
            rule.events += 1
            if rule.samples.count < Self.maximumSamples { rule.samples.append(sample) }
            byRule[name] = rule
        }
    }

    private static func add(_ count: Count, to sum: inout Count) {
        sum.events += count.events
        sum.rejected += count.rejected
        sum.unplanned += count.unplanned
    }

    private static func add(_ count: Count, _ name: String, in counts: inout [String: Count]) {
        let name = counts[name] != nil || counts.count < maximumRows ? name : rest
        add(count, to: &counts[name, default: Count()])
    }

    private static func reference(_ schema: PlanSchema) -> String { "\(schema.name)/\(schema.version)" }

    /// The install and the number of a line.
    private static func name(of line: UnsafeRawBufferPointer) -> String? {
        guard let container = RecordedContainer(validating: Array(line)) else { return nil }
        return "\(container.installID) seq \(container.seq)"
    }

    private static func app(of line: UnsafeRawBufferPointer) -> String? {
        guard let json = JSONValue(validating: line), case .string(let app)? = json["context"]?["app"] else {
            return nil
        }
        return app.shortened
    }

    private func sorted(_ counts: [String: Count]) -> [(name: String, count: Count)] {
        counts.map { (name: $0.key, count: $0.value) }
            .sorted { ($1.count.rejected, $1.count.events, $0.name) < ($0.count.rejected, $0.count.events, $1.name) }
    }

    private var rules: [(name: String, rule: Rule)] {
        byRule.map { (name: $0.key, rule: $0.value) }
            .sorted { ($1.rule.events, $0.name) < ($0.rule.events, $1.name) }
    }

    private static func percent(_ share: Double) -> String {
        share == 0 ? "0%" : share < 0.0001 ? "<0.01%" : String(format: "%.2f%%", share * 100)
    }

    private var summary: String {
        "\(plan.name) rejects \(total.rejected.grouped) of \(total.events.counted("event")) "
            + "(\(Self.percent(share))); unplanned: \(total.unplanned.grouped)"
    }

    private var recheck: String? {
        recheckedLines == 0
            ? nil
            : "The collector had rejected \(recheckedLines.counted("line")): the plan accepts \(acceptedLines.grouped) of "
                + "them."
    }

    private static let columns = ["events", "rejected", "share", "unplanned"]

    private static func cells(_ count: Count) -> [String] {
        [count.events.grouped, count.rejected.grouped, percent(count.share), count.unplanned.grouped]
    }

    var text: String {
        var blocks = [[summary.printable]]
        if let recheck { blocks.append([recheck]) }
        for (name, counts) in [("event", byEvent), ("app", byApp)] where !counts.isEmpty {
            var table = TextTable([name] + Self.columns, rightAligned: [1, 2, 3, 4])
            for row in sorted(counts) { table.add([row.name.printable] + Self.cells(row.count)) }
            blocks.append(table.lines)
        }
        if !byRule.isEmpty {
            blocks.append(
                rules.flatMap { name, rule in
                    [
                        "\(rule.events.grouped) × \(name)".printable,
                        "    \(rule.samples.joined(separator: ", "))".printable,
                    ]
                })
        }
        return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    /// The report as one object. **Frozen**: members are added, never renamed or removed.
    var json: String {
        get throws {
            func value(_ count: Count) -> [String: JSONValue] {
                [
                    "events": .integer(Int64(count.events)), "rejected": .integer(Int64(count.rejected)),
                    "unplanned": .integer(Int64(count.unplanned)),
                ]
            }
            func rows(_ counts: [String: Count], _ member: String) -> JSONValue {
                .array(sorted(counts).map { .object(value($0.count).merging([member: .string($0.name)]) { $1 }) })
            }
            let report = value(total).merging([
                "by_event": rows(byEvent, "event"), "by_app": rows(byApp, "app"),
                "by_rule": .array(
                    rules.map { name, rule in
                        [
                            "rule": .string(name), "events": .integer(Int64(rule.events)),
                            "samples": .array(rule.samples.map { .string($0) }),
                        ]
                    }),
                "rejected_before": .integer(Int64(recheckedLines)), "accepted_now": .integer(Int64(acceptedLines)),
            ]) { $1 }
            var json = JSONWriter()
            try JSONValue.object(report).write(to: &json)
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }

    func page(of inputs: [String]) -> ChartPage {
        func section(_ anchor: String, title: String, counts: [String: Count]) -> ChartPage.Section {
            let rows = sorted(counts)
            let columns: [DataTable.Column] = [.text(title)] + Self.columns.map { .number($0.capitalized) }
            let bars = rows.filter { $0.count.rejected > 0 }.prefix(30).map { row in
                BarChart.Bar(
                    row.name, length: row.count.share * 100, value: Self.percent(row.count.share), color: .sixth)
            }
            let caption = ChartCaption(
                "Rejected events by \(title.lowercased())", description: "Share of the events that the plan rejects.",
                columns: columns, rows: rows.map { [$0.name] + Self.cells($0.count) })
            return ChartPage.Section(
                anchor, title: "By \(title.lowercased())",
                bars.isEmpty
                    ? [DataTable("Events", columns: columns, rows: rows.map { [$0.name] + Self.cells($0.count) })]
                    : [BarChart(caption, Array(bars), full: 100)])
        }
        let figures = FigureTiles([
            ("Events", total.events.grouped), ("Rejected", total.rejected.grouped),
            ("Share", Self.percent(share)), ("Unplanned", total.unplanned.grouped),
        ])
        let rules = DataTable(
            "Rules", columns: [.number("Events"), .text("Rule"), .text("Samples")],
            rows: self.rules.map { [$0.rule.events.grouped, $0.name, $0.rule.samples.joined(separator: ", ")] })
        return ChartPage(
            title: "Draft plan \(plan.name)",
            lead: ["Checked with \(inputs.map(\.shortened).joined(separator: ", "))."] + [recheck].compactMap { $0 },
            sections: [
                ChartPage.Section("overview", title: "Overview", [figures, Note("\(summary).")]),
                section("events", title: "Event", counts: byEvent), section("apps", title: "App", counts: byApp),
                ChartPage.Section(
                    "rules", title: "By rule", byRule.isEmpty ? [Note("No rule is violated.")] : [rules]),
            ])
    }
}
