internal import ArgumentParser
internal import CommandSupport
internal import DeliveryHTTP
internal import DeliveryProtocol
internal import EventModel
internal import EventQuery
internal import LogFiles
internal import ReportPages

/// `trackctl schema try`: judges a draft plan by events that arrived.
struct SchemaTryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Show which recorded events a draft plan would reject.",
        discussion: """
            Examples:
              trackctl schema try Schemas --collector https://collector.example.com --last 7d
              trackctl schema try Schemas --collector https://collector.example.com --fail-above 0.1 -o try.html
              trackctl schema try Schemas events.jsonl --json

            The report shows the share of events that the plan rejects, by event, by rule and by app, with samples: \
            install and sequence number. It never shows values. Events without a schema in the plan count as \
            unplanned, not as rejected.

            A collector also keeps the lines that it rejected. They are checked, too, and the report shows how many of \
            them the draft accepts.

            Exit code 1: more than --fail-above percent of the events are rejected.
            """
    )

    @Argument(
        help: ArgumentHelp("Folder of the draft plan, then the inputs, as for dump.", valueName: "folder-and-inputs"))
    var arguments: [String]

    @Option(help: ArgumentHelp("Collector whose events to check, as a further input.", valueName: "url"))
    var collector: String?

    @Option(
        help: ArgumentHelp("Only events of this time before now: 7d, 12h.", valueName: "duration"),
        transform: DurationText.duration)
    var last: Duration?

    @Option(help: ArgumentHelp("The highest percentage of rejected events for exit code 0.", valueName: "percent"))
    var failAbove = 0.0

    @Option(name: .shortAndLong, help: ArgumentHelp("Also write the report as an HTML page.", valueName: "file"))
    var output: String?

    @Flag(name: .customLong("json"), help: "Print one JSON object on one line instead of text.")
    var asJSON = false

    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Collector") var access: CollectorOptions

    func validate() throws {
        guard arguments.count > 1 || collector != nil else {
            throw ValidationError("pass the folder of the plan, and an input or --collector")
        }
        guard (0...100).contains(failAbove) else { throw ValidationError("--fail-above must be from 0 to 100") }
        guard last == nil || selection.since == nil else {
            throw ValidationError("--last and --since both set the start: pass only one of them")
        }
        if let collector, !CollectorAddress.isOne(collector) {
            throw ValidationError("--collector must be a URL, such as https://collector.example.com")
        }
    }

    func run() async throws {
        let plan = try ScanPlan(folder: arguments[0])
        let inputs = arguments.dropFirst() + (collector.map { [$0] } ?? [])
        var request = try EventRequest(paths: Array(inputs), selection, collectors: access.access)
        if let last { request.selection.since = SelectionOptions.now.advanced(by: .zero - last) }
        if let output, let present = FileIdentity(path: output),
            request.paths.contains(where: { FileIdentity(path: $0) == present })
        {
            throw CommandFailure(.usage, "\(output) is one of the inputs: choose another name for the page")
        }
        let page = try output.map { try ReplacedFile(path: $0) }
        let trial = SchemaTrial(plan: plan)
        let stream = EventStream(request, console: Console())
        while let chunk = try stream.next() {
            let input = stream.inputs[chunk.input].name
            chunk.forEachLine { line in
                trial.check(line.bytes, at: "\(input):\(line.number)")
                return true
            }
        }
        for url in request.paths.filter(CollectorAddress.isOne) {
            try rejected(of: access.access.client(url), since: request.selection.since) { trial.recheck($0) }
        }
        let text = asJSON ? try trial.json : trial.text
        let standard = BufferedOutput.standardOutput()
        try standard.write(line: text.utf8)
        try standard.flush()
        try page?.commit(Array(trial.page(of: stream.inputs.map(\.name)).text.utf8))
        try stream.conclude()
        guard trial.share * 100 <= failAbove else { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    /// Passes the lines that a collector has rejected to `body`.
    private func rejected(of client: CollectorClient, since: EventTime?, _ body: (RejectedLine) -> Void) throws {
        var receipt: Int64 = 0
        while true {
            let after = receipt
            let lines = try BlockingCall.run { () async throws(CollectorError) in try await client.rejects(after: after)
            }
            guard let last = lines.last, last.receipt > receipt else { return }
            for line in lines where since.map({ line.receivedAt >= $0 }) ?? true { body(line) }
            receipt = last.receipt
            try Interruption.check()
        }
    }
}
