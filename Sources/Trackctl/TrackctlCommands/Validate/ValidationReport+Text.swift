internal import TextRendering
internal import TrackingPlan

extension ValidationReport {
    /// The findings for people.
    var text: String {
        var blocks = [table]
        if let stoppedAfter {
            let lines = "\(stoppedAfter.grouped) invalid line\(stoppedAfter == 1 ? "" : "s")"
            blocks.append(["stopped after \(lines): what follows was not read (--max-errors)"])
        }
        if !unused.isEmpty {
            blocks.append(["in the plan, but in no line: " + unused.map(\.name).joined(separator: ", ")])
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
