internal import ArgumentParser
internal import CommandSupport
internal import EventImport
internal import EventLog
internal import EventModel
internal import JSONLines
internal import LogFiles
internal import LogReplay
internal import TextRendering

/// `trackctl import`: converts other systems' logs to events.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Convert other systems' JSON lines to events.",
        discussion: """
            Examples:
              trackctl import hour.jsonl.gz --mapping map.json --to events.jsonl
              trackctl import logs/ --mapping map.json --to events.sqlite
              gunzip < hour.jsonl.gz | trackctl import - --mapping map.json

            The mapping is a JSON file that gives the source of each member of an event. Events are numbered in line \
            order. The same lines and the same mapping give the same bytes, including ids.

            Lines that produce no event are counted by reason; the counts go to standard error. A line that is not a \
            JSON object is reported as file:line:column: reason and skipped; the exit code is then 65.
            """
    )

    private static let eventsPerBatch = 500

    @Argument(
        help: ArgumentHelp(
            "Files of JSON lines (plain, gzip or zstd), folders of them, or quoted patterns; - for standard input.",
            valueName: "files"))
    var files: [String]

    @Option(help: ArgumentHelp("File with the mapping.", valueName: "file"))
    var mapping: String

    @Option(
        help: ArgumentHelp(
            """
            Event log, created if its name ends in .sqlite or .db; new file, compressed if its name ends in .gz; or - \
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
                            .software, "internal error: a local target rejected events; please report it")
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

/// Reads other systems' logs and counts the outcomes. Reports errors and continues.
struct ImportRun {
    private var importer: LineImporter
    private var lines = 0
    private var refusals: [Refusal: Int] = [:]
    private var faultyLines = 0
    private var repeated = RepeatedMessages(shown: Console.shownRepeats)
    /// Whether the current file cannot be read further.
    private var isBroken = false
    /// The status of the first error.
    private var status = ExitStatus.ok
    /// The outcomes of the events.
    var result = ReplayResult()

    init(_ importer: LineImporter) { self.importer = importer }

    /// Opens a file; reports an error and returns nil if that fails.
    mutating func open(_ path: String) -> LogFileReader? {
        isBroken = false
        do { return try LogFileReader(path: path) } catch {
            report(error)
            return nil
        }
    }

    /// The next events of a file; nil at the end.
    mutating func next(of reader: LogFileReader, atMost count: Int) -> [RecordedContainer]? {
        var batch: [RecordedContainer] = []
        do {
            while !isBroken, batch.count < count, let (line, number) = try reader.next() {
                if let event = event(line, of: reader.name, number: Int64(number)) { batch.append(event) }
            }
        } catch {
            isBroken = true
            report(error)
        }
        return batch.isEmpty ? nil : batch
    }

    private mutating func event(_ line: LineSplitter.Line, of name: String, number: Int64) -> RecordedContainer? {
        lines += 1
        do {
            let content = try line.content(input: name, line: number)
            return try importer.event(of: ForeignLine(content))
        } catch let refusal as Refusal {
            refusals[refusal, default: 0] += 1
        } catch {
            faultyLines += 1
            let message = "\((error as? InputError) ?? InputError(error, input: name, line: number))"
            if repeated.admits(message) { StandardError.say(message) }
            fail(.dataError)
        }
        return nil
    }

    /// Reports the outcomes of all lines.
    ///
    /// - Throws: `ExitCode` if there was an error; it has been reported.
    mutating func conclude() throws {
        for rest in repeated.takeRest() { StandardError.say(rest) }
        Console.complain("\(lines.counted("line")): \(result.summary)")
        let sorted = refusals.sorted { ($1.value, $0.key.reason) < ($0.value, $1.key.reason) }
        for (refusal, count) in sorted {
            Console.complain("\(count.counted("line")) without an event: \(refusal.reason)")
        }
        if faultyLines > 0 { Console.complain("\(faultyLines.counted("malformed line"))") }
        if status != .ok { throw ExitCode(status.rawValue) }
    }

    private mutating func report(_ error: any Error) {
        let failure = CommandFailure(error)
        Console.complain(failure.message)
        fail(failure.status)
    }

    private mutating func fail(_ status: ExitStatus) {
        if self.status == .ok { self.status = status }
    }
}
