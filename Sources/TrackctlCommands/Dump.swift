internal import ArgumentParser
internal import CommandSupport
internal import Tracking

/// `trackctl dump`: events as JSON lines, byte for byte as they were stored.
struct Dump: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes events to standard output as JSON lines.",
        discussion: """
            EXAMPLES
              trackctl dump events.sqlite
              trackctl dump events-*.jsonl.gz --event search --event page-view
              zcat old.gz | trackctl dump - --since 2015-01-01T00:00:00Z --limit 10

            Lines come out with their exact bytes. A database may be open for writing elsewhere. A line that is at \
            fault is reported with file, line and column, the others go on, and the command ends with 65.
            """
    )

    @Argument(help: "Databases, .jsonl or .jsonl.gz files, or - for standard input.")
    var inputs: [String]

    @Option(help: "Only events of this name; may be given several times.")
    var event: [String] = []

    @Option(help: "Only events at this time or later: RFC 3339, or seconds since 1970.")
    var since: PointInTime?

    @Option(help: "Only events before this time.")
    var until: PointInTime?

    @Option(help: "At most so many events.")
    var limit: Int?

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must be 0 or more") }
    }

    func run() async throws {
        try await Trackctl.perform {
            var faulty = FaultyLines(command: "trackctl")
            var output = LineOutput()
            var rest = limit ?? .max
            var failure: CommandFailure?
            for path in inputs where rest > 0 {
                do {
                    try await LogInput(path).forEach(reporting: &faulty) { container in
                        guard matches(container) else { return true }
                        try output.write(container.line)
                        rest -= 1
                        return rest > 0
                    }
                } catch let closed as ClosedPipe {
                    throw closed
                } catch {
                    // The other inputs are still worth reading; the first failure is the one to end with.
                    let found = CommandFailure(error)
                    if failure != nil || inputs.count > 1 { Console.report(found.message, by: "trackctl") }
                    failure =
                        failure
                        ?? (inputs.count > 1
                            ? CommandFailure(found.status, "not all inputs could be read") : found)
                }
            }
            try output.flush()
            if let failure = failure ?? faulty.failure("all others were written") { throw failure }
        }
    }

    private func matches(_ container: RecordedContainer) -> Bool {
        (event.isEmpty || event.contains(container.name))
            && (since.map { container.time >= $0.time } ?? true)
            && (until.map { container.time < $0.time } ?? true)
    }
}
