internal import ArgumentParser
internal import EventLog
internal import JSONLines
internal import Tracking

/// `trackctl stats`: what is in a log, and whether anything is missing from it.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Counts events, and finds gaps and doubles in their numbers.",
        discussion: """
            Examples:
              trackctl stats events.sqlite
              trackctl stats monday.jsonl.gz tuesday.jsonl.gz
              trackctl stats events.sqlite --json

            Each install numbers its events 1, 2, 3 …, so what is missing between the lowest and the highest \
            number was lost or is in another file, and a number seen twice was delivered twice. Several inputs are \
            counted together. For an event log, what it lost on purpose is shown with the reason. Findings are no \
            errors: the exit code is 0 with gaps, and 65 if a line holds no event.
            """
    )

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions

    @Flag(name: .customLong("json"), help: "One JSON object on one line instead of text.")
    var asJSON = false

    func run() async throws {
        let console = Console()
        var findings = LogFindings()
        var ledgers: [(input: String, entries: [LedgerEntry])] = []
        let request = try EventRequest(paths: input.inputs, selection, window)
        let stream = EventStream(request, console: console, atEnd: { ledgers.append(($0.name, try $0.ledger())) })
        while let chunk = try stream.next() {
            chunk.forEachLine { line in
                if let container = stream.container(line, of: chunk) { findings.add(container) }
                return true
            }
        }
        for ledger in ledgers { findings.add(ledger.entries, of: ledger.input) }

        console.clearProgress()
        let output = BufferedOutput.standardOutput()
        if asJSON {
            var json = JSONWriter()
            try findings.json(faultyLines: stream.faultyLines).write(to: &json)
            try output.write(line: json.bytes)
        } else {
            try output.write(line: findings.text.utf8)
        }
        try output.flush()
        try stream.conclude()
    }
}
