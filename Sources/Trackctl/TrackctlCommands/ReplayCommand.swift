internal import ArgumentParser
internal import CommandSupport
internal import EventLog
internal import Foundation
internal import LogFiles
internal import LogReplay

/// `trackctl replay`: sends recorded events to a log, a file or an endpoint.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Send recorded events to a log, a file or an endpoint.",
        discussion: """
            Examples:
              trackctl replay events.jsonl.gz --to events.sqlite
              trackctl replay events.sqlite --to - | gzip > events.jsonl.gz
              trackctl replay events.sqlite --to https://collector.example.com --token-file token
              trackctl replay events.jsonl --to https://example.org/e --resume state
              trackctl replay events.jsonl --to https://example.org/e --on-error dlq=out
              trackctl replay out --from-dlq --to https://example.org/e
              trackctl replay events.sqlite --dlq --to https://collector.example.com --token-file token
              trackctl replay events.jsonl --rate 500/s --to http://localhost:8080/e
              trackctl replay events.jsonl --loop forever --new-ids --time now --to null:
              trackctl replay events.jsonl --speed 10x --max-gap 1s --to -
              trackctl replay events.jsonl --rate 500/s --dry-run

            An empty log stores the events byte for byte, with their install and numbers. In any other log, an event \
            with a known id is skipped, and an event of another install gets a new number; its line then records the \
            original install and number. Replaying twice adds nothing.

            For a collector, pass its origin or its /v1/events URL. A complete, unchanged event log is sent in batches \
            as the app sends them: with the log's install and secret, and with the reasons for missing numbers. \
            Anything else is imported, which needs the admin token: set TRACKING_COLLECTOR_TOKEN or pass --token-file. \
            Lines that the collector confirms in a receipt count as delivered. Lines that the collector rejects, or \
            already stores with different bytes, count as refused.

            Any other endpoint receives batches of JSON lines (application/x-ndjson) by POST. Idempotency-Key is the \
            SHA-256 of a batch's lines: a resent batch has the same lines and key. 408, 425, 429, 5xx and lost \
            connections are retried, after Retry-After if given; 413 halves the batch; any other response except 2xx \
            rejects it. The target null: accepts everything; use it to measure trackctl's own speed.

            An event of an event log is left out if its user has not agreed to the event's purpose, and has denied it or             has yet to answer. Left out events are counted on standard error, by reason and purpose; a collector is             informed that they are held. A cursor moves past them: after the users have agreed, replay without the             cursor. A target log stores each event with its purpose.

            Send times follow the log (with --speed) or --rate. A slow target does not shift the schedule: late events \
            are sent as soon as possible, and the delay is reported at the end. A batch is sent at the time of its \
            last event.

            --resume keeps the position in a file; the same command then continues after Ctrl-C or a kill. If replay \
            writes a new file FILE, the content is in FILE.resume.partial until FILE is complete. Inputs are read \
            again from the start and must begin with the same lines. Relative times such as yesterday refer to the \
            time of the first run.

            A line without an event is skipped, and reported as file:line:column: reason; the exit code is then 65. \
            Exit code 2: events were rejected; 69: the endpoint is unavailable; 130: interrupted by Ctrl-C.
            """
    )

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            """
            Event log, created if its name ends in .sqlite or .db; new file, compressed if its name ends in .gz; - \
            for standard output; URL of an endpoint; or null:.
            """, valueName: "target"))
    var target: String?

    @OptionGroup(title: "Pace") var pacing: PaceOptions
    @OptionGroup(title: "Changes") var rewriting: RewritingOptions
    @OptionGroup(title: "Delivery") var delivery: DeliveryOptions
    @OptionGroup(title: "Collector") var collector: CollectorOptions

    @Option(
        name: .customLong("resume"),
        help: ArgumentHelp(
            "Keep the position in this file, and continue from it if the file exists.", valueName: "state"))
    var statePath: String?

    @Flag(name: .customLong("from-dlq"), help: "Read files that --on-error dlq=FILE wrote.")
    var holdsDeadLetters = false

    @Flag(
        name: .customLong("dlq"),
        help: "Send the dead letters of event logs: events that were refused on delivery. They stay in the log.")
    var readsDeadLetters = false

    @Flag(help: "Send nothing; print the number of events and bytes, and the duration.")
    var dryRun = false

    func validate() throws {
        guard target != nil || dryRun else { throw ValidationError("Missing expected argument '--to <target>'") }
        guard pacing.loop == nil || rewriting.ids == .newIds || target == "null:" else {
            throw ValidationError("--loop sends each event several times and needs --new-ids")
        }
        guard !(holdsDeadLetters && readsDeadLetters) else {
            throw ValidationError("--dlq reads event logs, --from-dlq reads files: pass only one of them")
        }
        guard pacing.loop == nil && statePath == nil || !input.inputs.contains("-") else {
            throw ValidationError("--loop and --resume read inputs again, which standard input cannot: pass files")
        }
        guard window.cursorFile == nil || statePath == nil && pacing.loop == nil else {
            throw ValidationError("--cursor-file cannot be combined with --resume or --loop: remove it")
        }
    }

    func run() async throws {
        // Start before opening inputs: reading the first byte of a pipe may block.
        Interruption.listen()
        let destination = try target.map { try ReplayDestination(path: $0) } ?? .nothing
        try delivery.check(for: destination)
        let console = Console(sharesTerminal: destination == .standardOutput)
        var request = try EventRequest(paths: input.inputs, selection, window)
        request.holdsDeadLetters = holdsDeadLetters
        request.readsDeadLetters = readsDeadLetters
        request.held = .leftOut
        // A dry run must not advance the cursor.
        if dryRun { request.cursorFile = nil }
        try ReplayFiles(
            inputs: request.paths, destination: destination, state: statePath, deadLetters: delivery.deadLetters
        ).check()
        var plan = ReplayPlan(
            pace: pacing.pace, lanes: delivery.laneCount(for: destination),
            limits: delivery.limits(for: destination))
        plan.rewriting = rewriting.rewriting
        plan.passes = pacing.passes
        plan.rule = delivery.rule
        plan.patience = delivery.retryFor
        let job = ReplayJob(destination: destination, plan: plan, console: console)

        let requested = ReplayFingerprint(command: self, destination: destination, plan: plan).options(request)
        let file = statePath.map { StateFile(path: $0) }
        let kept = try file?.read(for: requested, lanes: plan.lanes)
        if let kept { try request.readTimes(of: selection, now: kept.started) }
        let events = request
        let source = try StreamSource(reading: destination.lineReading) { isFirst in
            EventStream(events, console: console, tellsIssues: isFirst)
        }
        guard source.first.open() else { return try source.first.conclude() }
        let state =
            kept
            ?? ReplayState(
                options: requested, run: UUID().uuidString.lowercased(), started: SelectionOptions.now,
                lanes: plan.lanes)
        if dryRun { return try job.forecast(source, state) }
        let sink = try destination.open(
            isResumable: file != nil, position: kept?.position, isPrompt: plan.pace != .unpaced, delivery, plan,
            logs: try sealedLogs(request, destination: destination, plan: plan), access: collector.access)
        try await job.run(source, into: sink, state: state, file: file)
    }

    /// The installs of the input logs, if all of their lines go to a collector unchanged.
    ///
    /// - Throws: `EventLogError`; ``CommandFailure``, `usage`, if several lanes would change the order of numbers.
    private func sealedLogs(
        _ request: EventRequest, destination: ReplayDestination, plan: ReplayPlan
    ) throws -> [SealedLog] {
        guard case .collector = destination, request.isOpen, !holdsDeadLetters, plan.rewriting.isIdentity else {
            return []
        }
        let logs = request.paths.filter { path in
            // Errors of opening are reported when the input is read.
            path != "-" && FileIdentity(path: path)?.isRegularFile == true
                && (try? LogFileBlocks(path: path))?.format == .sqlite
        }
        guard logs.isEmpty || plan.lanes == 1 else {
            throw CommandFailure(
                .usage, "a log is sent to a collector in number order: remove --lanes")
        }
        return try logs.flatMap { try SealedLog.all(EventLogReader(path: $0)) }
    }
}
