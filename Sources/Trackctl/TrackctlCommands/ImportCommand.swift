internal import ArgumentParser
internal import CommandSupport
internal import EventLog
internal import EventModel
internal import JSONLines
internal import LogFiles
internal import LogReplay
internal import TextRendering

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

/// Reads lines of other systems, and counts what becomes of them. What is at fault is reported, and the rest goes on.
struct ImportRun {
    private var importer: LineImporter
    private var lines = 0
    private var refusals: [Refusal: Int] = [:]
    private var faultyLines = 0
    private var repeated = RepeatedMessages(shown: Console.shownRepeats)
    /// Whether the file that is being read cannot be read any further.
    private var isBroken = false
    /// What was wrong first.
    private var status = ExitStatus.ok
    /// What became of the events.
    var result = ReplayResult()

    init(_ importer: LineImporter) { self.importer = importer }

    /// Opens a file; nil if it cannot be, which is reported.
    mutating func open(_ path: String) -> LogFileReader? {
        isBroken = false
        do { return try LogFileReader(path: path) } catch {
            report(error)
            return nil
        }
    }

    /// The next events of a file; nil if there are none left.
    mutating func next(of reader: LogFileReader, atMost count: Int) -> [RecordedContainer]? {
        var batch: [RecordedContainer] = []
        do {
            while !isBroken, batch.count < count, let (line, number) = try reader.next() {
                if let event = event(line, reader.name, Int64(number)) { batch.append(event) }
            }
        } catch {
            isBroken = true
            report(error)
        }
        return batch.isEmpty ? nil : batch
    }

    private mutating func event(_ line: LineSplitter.Line, _ name: String, _ number: Int64) -> RecordedContainer? {
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

    /// Tells what became of the lines.
    ///
    /// - Throws: `ExitCode` if anything was wrong; it has been reported.
    mutating func conclude() throws {
        for rest in repeated.takeRest() { StandardError.say(rest) }
        Console.complain("\(lines.counted("line")): \(result.summary)")
        let sorted = refusals.sorted { ($1.value, $0.key.reason) < ($0.value, $1.key.reason) }
        for (refusal, count) in sorted { Console.complain("no event of \(count.counted("line")): \(refusal.reason)") }
        if faultyLines > 0 { Console.complain("no event of \(faultyLines.counted("faulty line"))") }
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
