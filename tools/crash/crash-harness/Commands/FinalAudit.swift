import Foundation

/// All comparisons of a settled log, with the rows of the table.
enum FinalAudit {
    static func run(
        folder: String, workspace: Workspace, runs: [Int: RunNotes], hasCollector: Bool = true,
        comparesDump: Bool = true, findings: inout Findings
    ) throws -> [(String, String)] {
        let path = folder + "/events.sqlite"
        let log = LogAudit(path, runs: runs, expecting: runs.keys.sorted())
        findings += log.findings
        let receipts = runs.values.flatMap(\.receipts)
        let numbers = NumbersAudit(path, events: log.numbers, receipts: receipts)
        findings += numbers.findings
        let sink = try SinkAudit(folder: folder, log: path, isFinal: true)
        findings += sink.findings
        var collected: [(String, String)] = []
        if hasCollector {
            let collector = CollectorAudit(path: folder + "/collector.log", log: path, stored: log.numbers)
            findings += collector.findings
            collected = collector.rows
        }
        var dumped: [(String, String)] = []
        if comparesDump {
            let dump = try DumpAudit(log: path, output: workspace.path("dump.jsonl"))
            findings += dump.findings
            dumped = [("lines of trackctl dump", "\(dump.lines)")]
        }
        let reasons = numbers.reasons.sorted { $0.key < $1.key }.map { ("  \($0.key)", "\($0.value)") }
        return [
            ("acknowledged", "\(log.acknowledged)"),
            ("found", "\(log.found)"),
            ("in doubt and found", "\(log.unacknowledged)"),
            ("refused", "\(runs.values.reduce(0) { $0 + $1.refused })"),
            ("numbers", "\(numbers.highest)"), ("explained by the ledger", "\(numbers.explained)"),
        ] + reasons + [
            ("lines in the sink's files", "\(sink.lines)"), ("the sink's files", "\(sink.files)"),
        ] + dumped + collected
    }
}
