internal import ArgumentParser
internal import JSONLines
internal import TextRendering
internal import TrackingPlan

/// The output formats of `trackctl validate`.
enum ValidationFormat: String, CaseIterable, ExpressibleByArgument {
    /// Plain text.
    case text
    /// One object on one line.
    case json
    /// Workflow annotations of GitHub Actions.
    case github
    /// JUnit XML.
    case junit
    /// The static analysis results interchange format, 2.1.0.
    case sarif

    func lines(_ report: ValidationReport) throws -> [String] {
        switch self {
        case .text: [report.text]
        case .json: [try Self.text(report.json)]
        case .github: report.github
        case .junit: report.junit
        case .sarif: [try Self.text(report.sarif)]
        }
    }

    private static func text(_ value: JSONValue) throws -> String {
        var json = JSONWriter()
        try value.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension ValidationReport {
    var text: String {
        var blocks = [table]
        if let stoppedAfter {
            let lines = "\(stoppedAfter.grouped) invalid line\(stoppedAfter == 1 ? "" : "s")"
            blocks.append(["stopped after \(lines) (--max-errors): the rest was not read"])
        }
        let allowed = rows(of: total).filter { $0.tally.unplanned > 0 }
        if !allowed.isEmpty {
            let events = allowed.map { row -> String in
                let count = row.tally.unplanned
                return "\(row.event ?? "(none)") (\(count.grouped) line\(count == 1 ? "" : "s"))".printable
            }
            blocks.append([
                "unplanned, allowed by \(UnplannedList.path), not checked: " + events.joined(separator: ", ")
            ])
        }
        if !unused.isEmpty {
            blocks.append(["in the plan, never seen: " + unused.map(\.name).joined(separator: ", ")])
        }
        blocks += groups.map(lines)
        if let ungrouped { blocks.append([ungrouped]) }
        return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private var table: [String] {
        let rows = rows(of: total)
        let isClean = total.invalid == 0
        var table = TextTable(
            ["event", "lines", "valid", "invalid", "first seen", "last seen"]
                + (isClean ? [] : ["sample", "lines by finding"]),
            rightAligned: [1, 2, 3])
        func add(_ name: String, _ tally: EventTally) {
            table.add(
                [
                    name.printable, tally.lines.grouped, tally.valid.grouped, tally.invalid.grouped,
                    tally.span.first ?? "-", tally.span.last ?? "-",
                ] + (isClean ? [] : [tally.sample.map(text)?.printable ?? "-", Self.kinds(tally)]))
        }
        for row in rows { add(row.event ?? "(none)", row.tally) }
        if rows.count != 1 { add("total", sum(of: rows)) }
        return table.lines
    }

    /// `4 invalid-event, 1 not-json`, in the order of the kinds.
    private static func kinds(_ tally: EventTally) -> String {
        let kinds = LineFinding.Kind.allCases.compactMap { kind in
            tally.linesByKind[kind].map { "\($0.grouped) \(kind.rawValue)" }
        }
        return kinds.isEmpty ? "-" : kinds.joined(separator: ", ")
    }

    private func lines(of group: FindingGroup) -> [String] {
        let key = group.key
        let lines = ["\(text(group.sample)): \(key.kind.rawValue): \(key.sentence)", "    " + times(group)]
        return (lines + (key.schemaLocation.isEmpty ? [] : ["    \(key.schemaLocation)"])).map(\.printable)
    }

    private func times(_ group: FindingGroup) -> String {
        let count = group.count == 1 ? "once" : "\(group.count.grouped) times"
        guard let first = group.span.first, let last = group.span.last else { return count }
        return first == last ? "\(count), at \(first)" : "\(count), from \(first) to \(last)"
    }
}

extension ValidationReport {
    /// Workflow annotations of GitHub Actions: one for each unreadable input, and one for each group, at the location
    /// of its first finding.
    ///
    /// GitHub shows ten of each level per step.
    var github: [String] {
        let found = groups.map { group -> String in
            let key = group.key
            let sample = group.sample
            var properties: [(String, String)] = []
            if inputs[sample.input].name != "<stdin>" { properties.append(("file", inputs[sample.input].name)) }
            if !sample.isRow { properties += [("line", "\(sample.line)"), ("col", "\(sample.character)")] }
            properties.append(("title", key.kind.rawValue))
            let location = sample.isRow ? "seq \(sample.line): " : ""
            let count = group.count == 1 ? "" : " (\(group.count.grouped) times)"
            return WorkflowCommand.line(failOn.level(key.kind), properties, message: location + key.sentence + count)
        }
        let unread = inputs.compactMap { input in
            input.failure.map { failure in
                let file = input.name == "<stdin>" ? [] : [("file", input.name)]
                return WorkflowCommand.line("error", file + [("title", "unreadable-input")], message: failure)
            }
        }
        let rest = ungrouped.map { [WorkflowCommand.line("warning", [("title", "more-findings")], message: $0)] } ?? []
        return unread + found + rest + (failsUnused ? unused.map(line) : [])
    }

    private func line(_ schema: PlanSchema) -> String {
        let file = location(of: schema).map { [("file", $0)] } ?? []
        return WorkflowCommand.line(
            "error", file + [("title", FindingRule.unused.id)], message: FindingRule.unusedMessage(schema))
    }
}
