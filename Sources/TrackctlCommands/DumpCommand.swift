internal import ArgumentParser
internal import EventLog
internal import Foundation

/// `trackctl dump`: events as JSON lines on standard output.
struct DumpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Writes events as JSON lines to standard output, byte for byte.",
        discussion: """
            Examples:
              trackctl dump events.sqlite
              trackctl dump events.sqlite --event search --event launch --limit 10
              trackctl dump monday.jsonl tuesday.jsonl.gz --since 2018-09-12T22:00:00Z
              gunzip < events.jsonl.gz | trackctl dump -

            A line that holds no event is reported as file:line:column: reason, the rest goes on, and the exit \
            code is 65.
            """
    )

    @Argument(help: "Event logs or files of JSON lines, plain or gzip; - is standard input.")
    var inputs: [String]

    @Option(
        name: .customLong("event"),
        help: ArgumentHelp("Only events of this name; may be given several times.", valueName: "name"))
    var names: [String] = []

    @Option(
        help: ArgumentHelp("Only events at or after this time: RFC 3339 or seconds since 1970.", valueName: "time"),
        transform: EventTime.argument)
    var since: EventTime?

    @Option(
        help: ArgumentHelp("Only events before this time: RFC 3339 or seconds since 1970.", valueName: "time"),
        transform: EventTime.argument)
    var until: EventTime?

    @Option(help: ArgumentHelp("At most so many events.", valueName: "count"))
    var limit: Int?

    func validate() throws {
        guard limit ?? 1 > 0 else { throw ValidationError("--limit must be at least 1") }
        if let since, let until, until <= since {
            throw ValidationError("--until must be later than --since: nothing can lie between them")
        }
    }

    func run() async throws {
        let queue = InputQueue(inputs, console: Console(sharesTerminal: true))
        let output = BufferedOutput.standardOutput()
        let filter = EventFilter(names: Set(names), since: since, until: until)
        var left = limit ?? .max
        try queue.forEachEvent(withStamps: !filter.isOpen) { event in
            guard filter.passes(event) else { return true }
            try output.write(line: event.line)
            left -= 1
            return left > 0
        }
        try output.flush()
        try queue.conclude()
    }
}
