internal import ArgumentParser
internal import CommandSupport
internal import TrackingPlan

/// `trackctl validate`: every line against its schema.
struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Checks every line against the schemas of the tracking plan.",
        discussion: """
            Examples:
              trackctl validate events.sqlite
              trackctl validate monday.jsonl tuesday.jsonl.gz --schemas Schemas
              trackctl validate events.jsonl --format sarif > events.sarif
              trackctl validate events.jsonl --fail-on invalid,unknown,unused
              trackctl validate events.jsonl --rejects invalid.jsonl

            Inputs are read once, in flat memory, on all processors. What is found is grouped: findings that are \
            alike are counted, with the place of the first. Of the lines only names are printed, those of events and \
            properties, and no value.

            Formats: text; json (one object on one line, whose members only grow in number); github (annotations of \
            a workflow); junit (a suite for each input, a test case for each event); sarif (2.1.0).

            --fail-on takes invalid (a line is not what its schema asks for), unknown (the plan has no such event, \
            or not in that version), unused (an event of the plan is in no line), or none. The exit code is 1 for \
            such findings, and that of the fault if an input cannot be read; then no event counts as unused.

            --rejects takes invalid lines as they are, but of a line past the limit of 32 KiB only the first 64 KiB.
            """
    )

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions
    @OptionGroup var scan: ScanOptions

    @Option(help: "text, json, github, junit or sarif.")
    var format = ValidationFormat.text

    @Option(help: ArgumentHelp("What ends with exit code 1.", valueName: "classes"))
    var failOn = FailOn()

    @Option(help: ArgumentHelp("Stop reading after so many invalid lines.", valueName: "count"))
    var maxErrors: Int?

    @Option(help: ArgumentHelp("Write the invalid lines to this new file.", valueName: "file"))
    var rejects: String?

    func validate() throws {
        guard maxErrors ?? 1 > 0 else { throw ValidationError("--max-errors must be at least 1") }
    }

    func run() async throws {
        let scanned = try scan.plan()
        let (plan, compiled) = (scanned.plan, scanned.compiled)
        let maximum = maxErrors ?? .max
        let rejects = try rejects.map { try RejectsFile(path: $0) }
        let gatherer = FindingGatherer(events: plan.events.count, maximumInvalid: maximum, rejects: rejects)
        let keepsRejected = rejects != nil
        let crew = ChunkCrew(jobs: scan.threads, gatherer: gatherer) {
            LineValidator(compiled, maximumInvalid: maximum, keepsRejected: keepsRejected)
        }
        let request = try EventRequest(paths: input.inputs, selection, window)
        let read = try LineScan(request: request, console: Console(), mayStop: maxErrors != nil).run(crew)
        if let failure = gatherer.failure { throw failure }
        try rejects?.finish(isComplete: read.inputs.allSatisfy { $0.failure == nil })
        let report = ValidationReport(
            plan: scanned, inputs: read.inputs, findings: gatherer.inputs,
            failOn: failOn, stoppedAfter: gatherer.isStopped ? maximum : nil)

        let output = BufferedOutput.standardOutput()
        for line in try format.lines(report) { try output.write(line: line.utf8) }
        try output.flush()
        try read.conclude()
        if report.isFailure { throw ExitCode(ExitStatus.findings.rawValue) }
    }
}
