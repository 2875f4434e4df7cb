internal import ArgumentParser
internal import CommandSupport
internal import EventLog
internal import EventModel
internal import EventQuery
internal import Foundation
internal import LogFiles
internal import LogStatistics
internal import ReportPages

/// `trackctl report`: what is in a log, as a page of charts.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Draws a page of charts: events, sessions, funnels, retention.",
        discussion: """
            Examples:
              trackctl report events.sqlite -o report.html
              trackctl report logs/ -o report.html --since -30d --schemas Schemas
              trackctl report a.jsonl -o a.html --funnel 'launch > search' --within 1h
              trackctl report a.jsonl -o a.html --funnel 'search > page-view:detail'
              trackctl report a.jsonl --event 'page-*' --title 'Pages' > pages.html
              trackctl report lines.jsonl --matrix matrix.jsonl -o tests.html --schemas Schemas

            The page is one file of HTML that needs no network and runs no script; it has a table of figures under \
            each chart. The same inputs give the same bytes. Times and days are those of UTC.

            A funnel is the steps that users take in this order, whatever they do between them. A step is an event's \
            name, in which * and ? stand for any text and any character; page-view:detail is one whose value is the \
            text, or has a member that is; search{event.value.page > 1} one for which the condition holds, as with \
            --where. Put a name or text with > : { } in double quotes. Events count in the order of the inputs: name \
            files in the order of time.

            With a firing matrix, as coverage takes it, the page shows which tests assert which event for which route \
            command; give it beside the lines that the same tests recorded, or beside any other log.

            With a plan, lines are checked as by validate. Findings are no errors: the exit code is 0 with them, and \
            65 if a line holds no event.

            Memory is flat. Past some ten thousands of users or sessions, lengths, funnels and retention are those of \
            a sample, and the page says so.
            """
    )

    @OptionGroup var input: InputOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file to write, in place of one that is there (default: standard output).", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("What stands above the page.", valueName: "text"))
    var title = "Event report"

    @Flag(help: "Say when the page was made: then no two are the same.")
    var stamp = false

    @Option(
        help: ArgumentHelp(
            "Which test asserts which event for which route command, as a run of tests wrote it; may be given again.",
            valueName: "file"))
    var matrix: [String] = []

    @OptionGroup(title: "Funnels") var funnels: FunnelOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions
    @OptionGroup var scan: ScanOptions

    func run() async throws {
        guard output != nil || !Terminal.isOutput else {
            throw CommandFailure(.usage, "a page of HTML is not for a terminal: name a file by -o, or use a pipe")
        }
        let request = try EventRequest(paths: input.inputs, selection, window)
        if let output, let present = FileIdentity(path: output),
            (request.paths + matrix).contains(where: { FileIdentity(path: $0) == present })
        {
            throw CommandFailure(.usage, "\(output) is one of the inputs: choose another name for the page")
        }
        let plan = try scan.planIfThere()
        let matrix = try FiringMatrixTable(paths: matrix, of: plan?.plan)
        let file = try output.map { try ReplacedFile(path: $0) }
        let console = Console()
        let plans = funnels.plans
        let reducer = ReportReducer(request, funnels: plans, plan: plan, console: console)
        let compiled = plan?.compiled
        let pool = WorkerPool(jobs: scan.threads, reducer: reducer) { ReportWorker(funnels: plans, plan: compiled) }
        var dropCount: Int64 = 0
        let stream = try LineScan(request: request, console: console).run(pool) { source in
            dropCount += try source.ledger().reduce(0) { $0 + $1.count }
        }
        stream.noteIssues(reducer.stats.faultyLines)

        let report = Report(
            title: title, madeAt: stamp ? EventTime(seconds: Int64(Date().timeIntervalSince1970)) : nil,
            inputs: stream.inputs.map(\.name), statistics: reducer.stats.statistics, journeys: reducer.journeys,
            faultyLines: stream.faultyLines, dropCount: dropCount,
            validation: plan.map { reducer.validation(of: stream.inputs, plan: $0) },
            matrix: matrix)
        let page = Array(report.page.text.utf8)
        try CommandFailure.advising(ifInterrupted: "no page was written: run the same command again") {
            try Interruption.check()
        }
        if let file {
            try file.commit(page)
        } else {
            let output = BufferedOutput.standardOutput()
            try output.write(page)
            try output.flush()
        }
        try stream.conclude()
    }
}

/// Which funnels are counted.
struct FunnelOptions: ParsableArguments {
    /// So that memory stays flat.
    private static let maximumFunnels = 4

    @Option(
        name: .customLong("funnel"),
        help: ArgumentHelp("A funnel, such as 'launch > search > page-view:detail'. Up to 4.", valueName: "steps"),
        transform: Self.steps)
    var funnels: [[EventStep]] = []

    @Option(help: ArgumentHelp("Who takes the steps: user_id or session_id (default: user_id).", valueName: "member"))
    var funnelBy: FunnelPlan.Walker?

    @Option(
        help: ArgumentHelp(
            "How long after the first step the others count, such as 30m, 1h or 7d (default: any time).",
            valueName: "duration"),
        transform: DurationText.duration)
    var within: Duration?

    func validate() throws {
        guard funnels.count <= Self.maximumFunnels else {
            throw ValidationError("at most \(Self.maximumFunnels) funnels go on a page: write another one for more")
        }
        guard !funnels.isEmpty || (funnelBy == nil && within == nil) else {
            throw ValidationError(
                "\(within == nil ? "--funnel-by" : "--within") is about funnels: give one by --funnel")
        }
    }

    /// What was asked for.
    var plans: [FunnelPlan] {
        funnels.map { FunnelPlan(steps: $0, walker: funnelBy ?? .user, within: within) }
    }

    @Sendable
    private static func steps(_ text: String) throws -> [EventStep] {
        let steps = try TypedOption.read(text) { text throws(TypedTextError) in
            try EventStep.list(text, now: SelectionOptions.now)
        }
        guard (2...FunnelPlan.maximumSteps).contains(steps.count) else {
            throw ValidationError(
                "a funnel has 2 to \(FunnelPlan.maximumSteps) steps with > between them, such as 'launch > search'")
        }
        return steps
    }
}

extension FunnelPlan.Walker: ExpressibleByArgument {}
