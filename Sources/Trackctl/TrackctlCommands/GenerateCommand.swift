internal import ArgumentParser
internal import EventModel
internal import EventQuery
internal import FakeData
internal import Foundation
internal import LogFiles
internal import TextRendering

/// `trackctl generate`: generates valid lines.
struct GenerateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generate valid events from the plan, for tests and load tests.",
        discussion: """
            Examples:
              trackctl generate --count 1000 --seed 7
              trackctl generate --count 1e4 --users 500 --to load.jsonl.gz
              trackctl generate --schema search --count 20
              trackctl generate --event "page-*" --start 2026-03-01T08:00:00Z
              trackctl generate --schema order.json --count 5

            The output is a log as the SDK writes it: users with one install each, consecutive numbers, sessions from \
            launch to background, and realistic values that follow the names, formats and examples of the schemas. \
            The same seed gives the same bytes on every machine; a smaller --count gives the first lines of a larger \
            one. Without a folder of schemas, the events are those of the SDK.

            --schema selects an event of the plan by name (search, search/1-0-0) or file \
            (Schemas/events/search/1-0-0.json). Any other file is a plain JSON Schema: its values are written one per \
            line, without an envelope.

            If no value can be found for a schema, the command fails with exit code 65 and reports the schema's name \
            and the JSON pointer of the conflicting part.
            """
    )

    @Option(help: ArgumentHelp("Number of lines: 1000, 1_000_000, 1e6, 500k or 1M.", valueName: "count"))
    var count = EventCount(1000)

    @Option(help: ArgumentHelp("Random seed.", valueName: "number"))
    var seed: UInt64 = 0

    @Option(help: ArgumentHelp("One event of the plan, or a file with a JSON Schema.", valueName: "name-or-file"))
    var schema: String?

    @Option(
        name: .customLong("event"),
        help: ArgumentHelp("Only events with this name; * and ? are wildcards. Repeatable.", valueName: "name"))
    var names: [String] = []

    @Option(help: ArgumentHelp("Number of users, each with one install.", valueName: "count"))
    var users = EventCount(100)

    @Option(
        help: ArgumentHelp(
            "Time of the first event (default: 2025-01-01T00:00:00Z).", valueName: "time"),
        transform: Self.time)
    var start: EventTime?

    @Option(
        help: ArgumentHelp(
            "New file, compressed if its name ends in .gz; or - for standard output.", valueName: "path"))
    var to = "-"

    @OptionGroup var planOptions: PlanOptions

    func validate() throws {
        guard schema == nil || names.isEmpty else {
            throw ValidationError("--schema and --event both select events: pass only one of them")
        }
        guard users.count <= FakeLog.maximumUsers else {
            throw ValidationError("--users must be at most \(FakeLog.maximumUsers.grouped)")
        }
    }

    func run() async throws {
        let source = try source()
        Interruption.listen()
        let path = try NewFile.withLines(to: to, of: "generate") { file in
            let output = file?.output ?? .standardOutput()
            try write(source, to: output, Console(sharesTerminal: file == nil, verb: "written"))
            try output.flush()
            return file?.path
        }
        if let path { Console.complain("\(count.count.counted("line")) in \(path)") }
    }

    private func write(_ source: GeneratedSource, to output: BufferedOutput, _ console: Console) throws {
        var bytes = 0
        var reported = 0
        for number in 1...count.count {
            try source.withNextLine { line in
                bytes += line.count + 1
                try output.write(line: line)
            }
            guard number % 1024 == 0 else { continue }
            try Interruption.check()
            console.expectedBytes = Int(Double(bytes) / Double(number) * Double(count.count))
            console.count(bytes: bytes - reported)
            reported = bytes
        }
        console.clearProgress()
    }

    @Sendable
    private static func time(_ text: String) throws -> EventTime {
        guard let time = TimeExpression(text)?.time(now: SelectionOptions.now), time.microseconds >= 0, time.hasRFC3339
        else {
            throw ValidationError(
                "write a time in 1970 or later, such as 2018-09-12T11:54:07Z, 2018-09-12, 1536753247.35, today or yesterday"
            )
        }
        return time
    }
}

/// A number of events on the command line: `1000000`, `1_000_000`, `1e6`, `500k` or `1M`.
struct EventCount: ExpressibleByArgument {
    let count: Int

    /// The upper limit.
    private static let largest = 1_000_000_000_000

    init(_ count: Int) { self.count = count }

    var defaultValueDescription: String { "\(count)" }

    init?(argument: String) {
        guard let match = argument.wholeMatch(of: /(\d{1,15}(?:_\d{3})*)(?:e(\d{1,2})|([kMG]))?/.asciiOnlyDigits()),
            let number = Int(match.1.filter { $0 != "_" })
        else { return nil }
        let zeros = match.2.flatMap { Int($0) } ?? ["k": 3, "M": 6, "G": 9][match.3 ?? ""] ?? 0
        var count = number
        for _ in 0..<zeros where count <= Self.largest { count *= 10 }
        guard (1...Self.largest).contains(count) else { return nil }
        self.count = count
    }
}
