import EventLog
import Foundation
import GitHubClient
import TextRendering

/// The summary that a run prints at its end.
struct Summary {
    let report: ActivityPlayer.Report
    let statistics: EventLogStatistics
    let inputs: Inputs
    let output: Output

    private static let names = ["launch", "background", "page-view", "search", "notification"]

    var text: String {
        let tool = (CommandLine.arguments[0] as NSString).deletingLastPathComponent
        let trackctl = tool.isEmpty ? "trackctl" : "\(tool)/trackctl"
        let database = Self.short(output.database)
        return """
            \(total(report.records)) records of \(report.users) users, from \(inputs.isSample ? "the session that ships with the sample" : Self.short(inputs.activity))

            \(table)

            \(statistics.count) events, seq \(statistics.firstSeq ?? 0) to \(statistics.lastSeq)\(resumed)
              \(database)   the event log
              \(Self.short(output.lines))    the same events as JSON lines

            Next steps:
              \(trackctl) stats \(database)
              \(trackctl) dump \(database) --event search --limit 3
              sqlite3 \(database) 'SELECT seq, time, name FROM event_lines LIMIT 3'
            """
    }

    private var resumed: String {
        output.store.resumedCount > 0
            ? " (\(output.store.resumedCount) were stored by an earlier run and are the same)" : ""
    }

    /// A row for each type of record: the count, the events that the records caused, and the suppressed taps.
    private var table: String {
        let header = ["record", "count"] + Self.names + ["suppressed"]
        var table = TextTable(header, rightAligned: Set(1..<header.count))
        for type in report.records.keys.sorted(by: { (report.records[$0] ?? 0, $1) > (report.records[$1] ?? 0, $0) }) {
            table.add(
                row(
                    type, count: report.records[type] ?? 0, events: report.events[type] ?? [:],
                    suppressed: report.suppressed[type] ?? 0))
        }
        let events = report.events.values.reduce(into: [:]) { sum, counts in sum.merge(counts, uniquingKeysWith: +) }
        table.add(row("all", count: total(report.records), events: events, suppressed: total(report.suppressed)))
        return table.lines.joined(separator: "\n")
    }

    private func row(_ name: String, count: Int, events: [String: Int], suppressed: Int) -> [String] {
        [name, String(count)] + Self.names.map { String(events[$0] ?? 0) } + [String(suppressed)]
    }

    private func total(_ counts: [String: Int]) -> Int { counts.values.reduce(0, +) }

    /// The path relative to the current folder, if shorter.
    private static func short(_ path: String) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
    }
}
