internal import ArgumentParser
internal import CommandSupport
internal import EventLog
internal import EventModel
internal import EventQuery
internal import Foundation
internal import LogFiles
internal import LogStatistics
internal import Primitives
internal import ReportPages

/// `trackctl report`: creates a page of charts.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Create a page of charts: events, sessions, funnels, retention.",
        discussion: """
            Examples:
              trackctl report events.sqlite -o report.html
              trackctl report logs/ -o report.html --since -30d --schemas Schemas
              trackctl report a.jsonl -o a.html --funnel 'launch > search' --within 1h
              trackctl report a.jsonl -o a.html --funnel 'search > page-view:detail'
              trackctl report a.jsonl --event 'page-*' --title 'Pages' > pages.html
              trackctl report lines.jsonl --matrix matrix.jsonl -o tests.html --schemas Schemas

            The page is one HTML file without scripts or external resources, with a table of figures under each \
            chart. The same inputs give the same bytes. Times and days are in UTC.

            A funnel is a sequence of steps that users take in this order, with any other events in between. A step is \
            an event name, in which * matches any text and ? any character. In page-view:detail, the event's value or \
            one of its members must also be the text detail; in search{event.value.page > 1}, the event must also \
            match the condition, written as for --where. Put names and texts that contain > : { } in double quotes. \
            Events are read in input order: pass the files in order of time.

            With a firing matrix (see coverage), the page shows, for each event and route command, the tests that \
            assert the event there. Pass it together with the lines that the same tests recorded, or with any other \
            log.

            With a plan, lines are checked as in trackctl validate. Findings don't affect the exit code; it is 65 if a \
            line holds no event.

            Memory use is constant. With more than 16,384 users or sessions, funnels are estimated from a sample; with \
            more than 32,768, so are session lengths and retention. The page then says so.
            """
    )

    @OptionGroup var input: InputOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "File to write, replacing an existing one (default: standard output).", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Heading of the page.", valueName: "text"))
    var title = "Event report"

    @Flag(help: "Show the creation time. Each run then gives a different page.")
    var stamp = false

    @Option(
        help: ArgumentHelp(
            "Firing matrix of a test run: the tests that assert each event for each route command. Repeatable.",
            valueName: "file"))
    var matrix: [String] = []

    @OptionGroup(title: "Funnels") var funnels: FunnelOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions
    @OptionGroup var scan: ScanOptions

    func run() async throws {
        guard output != nil || !Terminal.isOutput else {
            throw CommandFailure(.usage, "will not write HTML to a terminal: pass a file with -o, or use a pipe")
        }
        let request = try EventRequest(paths: input.inputs, selection, window)
        if let output, let present = FileIdentity(path: output),
            (request.paths + matrix).contains(where: { FileIdentity(path: $0) == present })
        {
            throw CommandFailure(.usage, "\(output) is one of the inputs: choose another name for the page")
        }
        let plan = try scan.planIfThere()
        let matrix = try FiringMatrixTable(paths: matrix, of: plan)
        let file = try output.map { try ReplacedFile(path: $0) }
        let console = Console()
        let plans = funnels.plans
        let reducer = ReportReducer(request, funnels: plans, plan: plan, console: console)
        let compiled = plan?.compiled
        let pool = WorkerPool(jobs: scan.threads, reducer: reducer) { ReportWorker(funnels: plans, plan: compiled) }
        var dropCount: SaturatingCount = 0
        let stream = try LineScan(request: request, console: console).run(pool) { source in
            dropCount += try source.ledger().map { SaturatingCount($0.count) }.sum
        }
        stream.noteIssues(reducer.stats.faultyLines)

        let report = Report(
            title: title, madeAt: stamp ? EventTime(seconds: Int64(Date().timeIntervalSince1970)) : nil,
            inputs: stream.inputs.map(\.name), statistics: reducer.stats.statistics, journeys: reducer.journeys,
            faultyLines: stream.faultyLines, dropCount: dropCount.value,
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

struct FunnelOptions: ParsableArguments {
    /// Limits memory use.
    private static let maximumFunnels = 4

    @Option(
        name: .customLong("funnel"),
        help: ArgumentHelp(
            "Funnel, such as 'launch > search > page-view:detail'. Repeatable, up to 4.", valueName: "steps"),
        transform: Self.steps)
    var funnels: [[EventStep]] = []

    @Option(
        help: ArgumentHelp(
            """
            Whether a funnel follows each user (user_id, the default) or each session (session_id).
            """, valueName: "member"))
    var funnelBy: FunnelPlan.Walker?

    @Option(
        help: ArgumentHelp(
            "Time limit for the steps after the first, such as 30m, 1h or 7d (default: none).",
            valueName: "duration"),
        transform: DurationText.duration)
    var within: Duration?

    func validate() throws {
        guard funnels.count <= Self.maximumFunnels else {
            throw ValidationError(
                "a page can have at most \(Self.maximumFunnels) funnels: create another page for more")
        }
        guard !funnels.isEmpty || (funnelBy == nil && within == nil) else {
            throw ValidationError(
                "\(within == nil ? "--funnel-by" : "--within") needs --funnel: add one, or remove the option")
        }
    }

    /// The funnels that the options set.
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
                "a funnel needs 2 to \(FunnelPlan.maximumSteps) steps separated by >, such as 'launch > search'")
        }
        return steps
    }
}

extension FunnelPlan.Walker: ExpressibleByArgument {}
