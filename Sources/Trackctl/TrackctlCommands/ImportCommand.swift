internal import ArgumentParser
internal import CommandSupport
internal import EventLog
internal import EventModel
internal import JSONLines
internal import LogFiles
internal import LogReplay
internal import Tracking

/// `trackctl import`: lines of other systems as events.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes events of JSON lines of other systems.",
        discussion: """
            Examples:
              trackctl import hour.jsonl.gz --mapping map.json --to events.jsonl
              trackctl import logs/ --mapping map.json --to events.sqlite
              gunzip < hour.jsonl.gz | trackctl import - --mapping map.json

            The mapping is a JSON file: where each member of an event comes from. The events are numbered in the \
            order of the lines. The same lines and the same mapping give the same bytes, ids included.

            Lines that the mapping makes no event of are counted by reason, on standard error. A line that is no \
            JSON object is reported as file:line:column: reason, the rest goes on, and the exit code is 65.
            """
    )

    private static let eventsPerBatch = 500

    @Argument(
        help: ArgumentHelp(
            "Files of JSON lines (plain, gzip or zstd), folders of them, patterns in quotes; - is standard input.",
            valueName: "files"))
    var files: [String]

    @Option(help: ArgumentHelp("The file that says what becomes of a line.", valueName: "file"))
    var mapping: String

    @Option(
        help: ArgumentHelp(
            """
            An event log, made if its name ends in .sqlite or .db; a new file, compressed if its name ends in .gz; or - \
            for standard output.
            """,
            valueName: "target"))
    var to = "-"

    func run() async throws {
        var run = ImportRun(LineImporter(try ImportMapping(path: mapping)))
        let paths = try LogPaths.expand(files)
        let destination = try ReplayDestination(path: to)
        Interruption.listen()
        let target = try destination.openLocally()
        do {
            for path in paths {
                guard let reader = run.open(path) else { continue }
                while let batch = run.next(of: reader, atMost: Self.eventsPerBatch) {
                    let events = ReplayBatch(batch.map(\.recordedEvent), first: run.result.total)
                    guard case .delivered(let result) = try await target.deliver(events) else {
                        throw CommandFailure(
                            .software, "this is a fault of the program, please report it: a target here took no events")
                    }
                    run.result += result
                    try Interruption.check()
                }
            }
            try Interruption.check()
            try await target.finish()
        } catch {
            await target.abandon(isResumable: false)
            throw CommandFailure(error).advising(destination.adviceAfterFailure)
        }
        try run.conclude()
    }
}
