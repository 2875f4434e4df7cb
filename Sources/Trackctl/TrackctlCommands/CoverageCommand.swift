internal import ArgumentParser
internal import CommandSupport
internal import JSONLines
internal import LogFiles
internal import TrackingPlan

/// `trackctl coverage`: measures how much of the plan is in use.
struct CoverageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage",
        abstract: "Show which events, properties and values of the plan are in use.",
        discussion: """
            Examples:
              trackctl coverage events.sqlite
              trackctl coverage monday.jsonl tuesday.jsonl.gz --threshold 90
              trackctl coverage events.jsonl --tests .build/encoded-events.jsonl
              trackctl coverage --tests .build/encoded-events.jsonl --threshold-tests 100
              trackctl coverage --matrix matrix.jsonl --threshold-matrix 100

            Each schema, each property (including optional ones), and each value of an enumeration, constant or \
            boolean counts as one point. Only valid lines of the newest version of each event count. In an app's plan \
            (one without container/), the SDK's events and the envelope don't count. Events that are not in the plan \
            are listed separately. If the plan lists pages, pages never seen and pages not in the plan are listed; \
            they don't affect the percentage. --tests reads a test recorder's log; its coverage is reported \
            separately. --matrix reads the firing matrix that a test run writes to the file in TRACKING_FIRING_MATRIX: \
            the tests that assert an event after a route command.
            """
    )

    @Argument(help: InputOptions.help)
    var inputs: [String] = []

    @Option(
        help: ArgumentHelp("Lines recorded by tests. Repeatable.", valueName: "file"))
    var tests: [String] = []

    @Option(
        help: ArgumentHelp(
            "Firing matrix of a test run: the tests that assert each event for each route command. Repeatable.",
            valueName: "file"))
    var matrix: [String] = []

    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions
    @OptionGroup var scan: ScanOptions

    @Option(help: ArgumentHelp("Minimum coverage in the logs; below it, the exit code is 1.", valueName: "percent"))
    var threshold: Double?

    @Option(help: ArgumentHelp("Minimum coverage in the tests; below it, the exit code is 1.", valueName: "percent"))
    var thresholdTests: Double?

    @Option(
        help: ArgumentHelp(
            """
            Minimum share of routes, and of events, in the matrix; below it, the exit code is 1.
            """, valueName: "percent"))
    var thresholdMatrix: Double?

    @Flag(help: "Count old versions, too.")
    var allVersions = false

    @Flag(name: .customLong("json"), help: "Print one JSON object on one line instead of text.")
    var asJSON = false

    func validate() throws {
        guard !(inputs + tests + matrix).isEmpty else {
            throw ValidationError("pass a log, --tests with lines of tests, or --matrix with a firing matrix")
        }
        guard [threshold, thresholdTests, thresholdMatrix].allSatisfy({ (0...100).contains($0 ?? 0) }) else {
            throw ValidationError("a threshold must be between 0 and 100")
        }
        guard threshold == nil || !inputs.isEmpty else { throw ValidationError("--threshold needs a log") }
        guard thresholdTests == nil || !tests.isEmpty else { throw ValidationError("--threshold-tests needs --tests") }
        guard thresholdMatrix == nil || !matrix.isEmpty else {
            throw ValidationError("--threshold-matrix needs --matrix")
        }
    }

    func run() async throws {
        let plan = try scan.plan()
        let compiled = plan.compiled
        let maps = PlanCoverageMaps(plan.plan)
        var read: [EventStream] = []
        func report(_ request: EventRequest) throws -> CoverageReport? {
            guard !request.paths.isEmpty else { return nil }
            let reducer = CoverageReducer(maps)
            let pool = WorkerPool(jobs: scan.threads, reducer: reducer) { CoverageWorker(compiled, maps) }
            read.append(try LineScan(request: request, console: Console()).run(pool))
            return CoverageReport(reducer.coverage, maps, of: plan, allVersions: allVersions)
        }
        let logs = try report(try EventRequest(paths: inputs, selection, window))
        let tests = try report(EventRequest(paths: try LogPaths.expand(tests, notice: Console.complain)))

        let table = try FiringMatrixTable(paths: matrix, of: plan)
        let output = BufferedOutput.standardOutput()
        try output.write(line: try text(logs: logs, tests: tests, matrix: table, of: plan.name).utf8)
        try output.flush()
        for stream in read { try stream.conclude() }
        try Self.check(logs, threshold: threshold, name: "the logs")
        try Self.check(tests, threshold: thresholdTests, name: "the tests")
        try Self.check(table, thresholdMatrix)
    }

    /// The output. In JSON, `schemas` is the folder of the plan; `logs` and `tests` follow ``CoverageReport/json``,
    /// `matrix` follows ``FiringMatrixTable/json``; each may be null.
    private func text(
        logs: CoverageReport?, tests: CoverageReport?, matrix: FiringMatrixTable?, of folder: String
    ) throws -> String {
        guard asJSON else {
            return [logs?.text("logs"), tests?.text("tests"), matrix?.text].compactMap { $0 }.joined(separator: "\n\n")
        }
        var json = JSONWriter()
        let value: JSONValue = [
            "schemas": .string(folder), "logs": logs?.json ?? .null, "tests": tests?.json ?? .null,
            "matrix": matrix?.json ?? .null,
        ]
        try value.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func check(_ table: FiringMatrixTable?, _ threshold: Double?) throws {
        guard let table, let threshold else { return }
        guard table.isDeclared || threshold == 0 else {
            throw CommandFailure(.findings, FiringMatrixTable.adviceToDeclare)
        }
        for (ratio, name) in [(table.routeRatio, "routes"), (table.eventRatio, "events")]
        where !ratio.reaches(threshold) {
            throw CommandFailure(
                .findings,
                "\(ratio.text) of the \(name) are asserted by a test: below the threshold of \(Self.text(threshold))%"
            )
        }
    }

    private static func text(_ threshold: Double) -> String {
        threshold == threshold.rounded() ? "\(Int(threshold))" : "\(threshold)"
    }

    private static func check(_ report: CoverageReport?, threshold: Double?, name: String) throws {
        guard let report, let threshold, !report.total.reaches(threshold) else { return }
        throw CommandFailure(
            .findings,
            "\(report.total.text) of the plan is seen in \(name): below the threshold of \(text(threshold))%")
    }
}
