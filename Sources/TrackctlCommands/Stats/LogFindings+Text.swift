internal import EventLog
internal import EventQuery

extension LogFindings {
    /// The findings for people.
    var text: String {
        var blocks = [overview]
        if !events.isEmpty { blocks += [eventTable, installTable] }
        if !drops.isEmpty { blocks.append(dropTable) }
        return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private var overview: [String] {
        [
            "events    \(total.grouped)",
            "first     \(firstTime?.rfc3339 ?? "-")",
            "last      \(lastTime?.rfc3339 ?? "-")",
            "installs  \(installs.count.grouped)",
        ]
    }

    private var eventTable: [String] {
        var table = TextTable(["event", "count"], rightAligned: [1])
        for event in events { table.add([event.name, event.count.grouped]) }
        return table.lines
    }

    private var installTable: [String] {
        var table = TextTable(["install", "count", "seq", "missing", "doubled"], rightAligned: [1])
        for (id, findings) in installs {
            table.add([
                id, findings.count.grouped, Self.text(findings.firstSeq...findings.lastSeq),
                Self.text(findings.missing, findings.seen.gaps),
                Self.text(Int64(findings.doubleCount), findings.doubles.ranges),
            ])
        }
        return table.lines
    }

    private var dropTable: [String] {
        var table = TextTable(["lost on purpose", "consumer", "count", "seq", "log"], rightAligned: [2])
        for drop in drops {
            table.add([
                drop.entry.reason.rawValue, drop.entry.consumer ?? "-", drop.entry.count.grouped,
                drop.entry.seqs.map { Self.text($0) } ?? "-", drop.input,
            ])
        }
        return table.lines
    }

    /// `none`, or `4: 7-9, 12`; the ranges past the fifth are counted only.
    private static func text(_ count: Int64, _ ranges: [ClosedRange<Int64>]) -> String {
        guard count > 0 else { return "none" }
        let shown = ranges.prefix(5).map { text($0) }.joined(separator: ", ")
        return "\(count.grouped): \(shown)" + (ranges.count > 5 ? ", … (\((ranges.count - 5).grouped) more)" : "")
    }

    private static func text(_ range: ClosedRange<Int64>) -> String {
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }
}
