internal import ArgumentParser
internal import CommandSupport
internal import EventLog
internal import Tracking

/// `trackctl stats`: what is in a log.
struct Stats: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts events, and finds gaps and doubles in their numbers.",
        discussion: """
            EXAMPLES
              trackctl stats events.sqlite
              trackctl stats events-*.jsonl.gz --json

            Several inputs are counted together. Gaps and doubles are found in `seq`, within each install, between \
            its lowest and highest number.
            """
    )

    @Argument(help: "Databases, .jsonl or .jsonl.gz files, or - for standard input.")
    var inputs: [String]

    @Flag(help: "One JSON object instead of text.")
    var json = false

    func run() async throws {
        try await Trackctl.perform {
            var faulty = FaultyLines(command: "trackctl")
            var summary = LogSummary()
            var failure: CommandFailure?
            for path in inputs {
                do {
                    let input = try LogInput(path)
                    try await input.forEach(reporting: &faulty) { container in
                        summary.add(container)
                        return true
                    }
                    summary.drops += try input.ledger()
                } catch {
                    failure = CommandFailure(error)
                    break
                }
            }
            // A log that is cut short still has counts worth showing; one that isn't there has none.
            if failure == nil || summary.count > 0 {
                var output = LineOutput()
                try output.write(json ? summary.json : Array(summary.text.utf8))
                try output.flush()
            }
            if let failure = failure ?? faulty.failure("all others are counted") { throw failure }
        }
    }
}
