internal import ArgumentParser
internal import Foundation
internal import LogStatistics

/// `trackctl stats`: counts the events of logs and finds missing and duplicate ones.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count events, users and sessions; find missing and duplicate events.",
        discussion: """
            Examples:
              trackctl stats events.sqlite
              trackctl stats logs/ --since yesterday --event search
              trackctl stats events.sqlite --by hour --event page-view --format csv
              trackctl stats logs/ --by week --time-zone Europe/Berlin --format csv
              trackctl stats events.sqlite --json

            Each install numbers its events 1, 2, 3 …: if a number between the lowest and the highest is missing, its \
            event was lost or is in another file; a number seen twice is a duplicate. Several inputs are counted \
            together. For event logs, dropped events are shown with the reason, and held events with reason and purpose: \
            those that are not delivered because of their users' consent (see trackctl dump). Missing and duplicate events don't \
            affect the exit code. A line without an event sets it to 65.

            --time-zone applies to --by only. Days in --since and --until, such as yesterday, use the time zone in TZ, \
            or this machine's if TZ is not set.

            Users and sessions are counted exactly up to one hundred thousand; larger counts are estimates and are \
            marked as such.
            """
    )

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, csv
    }

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions
    @OptionGroup(title: "Collector") var collector: CollectorOptions
    @OptionGroup var jobs: JobsOptions

    @Option(
        help: ArgumentHelp(
            "Also count by time: minute, hour, day, week (from Monday) or month.", valueName: "step"))
    var by: TimeSteps.Step?

    @Option(
        help: ArgumentHelp(
            "Time zone for --by, such as Europe/Berlin (default: UTC).", valueName: "name"),
        transform: Self.zone)
    var timeZone: TimeZone?

    @Option(help: "text, json or csv.")
    var format: Format?

    @OptionGroup var spreadsheet: SpreadsheetOptions

    @Flag(name: .customLong("json"), help: "Print one JSON object on one line; same as --format json.")
    var asJSON = false

    func validate() throws {
        guard timeZone == nil || by != nil else { throw ValidationError("--time-zone needs --by") }
        try spreadsheet.check(hasFields: format == .csv)
        guard !asJSON || format ?? .json == .json else {
            throw ValidationError(
                "--json and --format \(format?.rawValue ?? "") both set the format: pass only one of them")
        }
    }

    func run() async throws {
        let console = Console()
        var drops: [StatsReport.Drops] = []
        var request = try EventRequest(paths: input.inputs, selection, window, collectors: collector.access)
        request.held = .marked
        let reducer = StatsReducer(LogStatistics(by: by, in: timeZone), of: request, console: console)
        let pool = WorkerPool(jobs: jobs.threads, reducer: reducer) { StatsWorker() }
        let stream = try LineScan(request: request, console: console).run(pool) { source in
            drops += try source.ledger().map { StatsReport.Drops(input: source.name, entry: $0) }
        }
        stream.noteIssues(reducer.faultyLines)
        let report = StatsReport(
            statistics: reducer.statistics, faultyLines: stream.faultyLines, drops: drops, held: reducer.heldEvents)

        let output = BufferedOutput.standardOutput()
        switch asJSON ? .json : format ?? .text {
        case .json: try report.writeJSON(to: output)
        case .csv: try report.writeCSV(isSpreadsheetSafe: spreadsheet.isOn(for: .standardOutput), to: output)
        case .text: try report.writeText(sparklines: Terminal.isOutput, to: output)
        }
        try output.flush()
        console.sayRest()
        // The text report shows this below its table.
        if asJSON || format ?? .text != .text, let uncounted = report.uncounted { console.complain(uncounted) }
        try stream.conclude()
    }

    @Sendable
    private static func zone(_ name: String) throws -> TimeZone {
        guard let zone = TimeZone(identifier: name) else {
            throw ValidationError("unknown time zone '\(name)': write a name such as Europe/Berlin or UTC")
        }
        return zone
    }
}

extension TimeSteps.Step: ExpressibleByArgument {}
