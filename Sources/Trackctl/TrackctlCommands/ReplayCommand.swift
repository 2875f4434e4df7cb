internal import ArgumentParser
internal import CommandSupport
internal import EventLog
internal import Foundation
internal import LogFiles
internal import LogReplay

/// `trackctl replay`: recorded events into a log, a file or an endpoint.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Sends recorded events to a log, a file or an endpoint.",
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

            An empty log takes the events byte for byte, with their install and numbers. In any other log, an \
            event whose id is known is skipped, and one of another install gets a new number; its line then says \
            where it came from. Replaying twice adds nothing.

            A collector, by its origin or its /v1/events, gets the batches of an event log as the app sends them, with the \
            log's own install and secret, and numbers that the log has lost with their reason; nothing may be selected or \
            changed for that. All other lines are imported, which takes the admin token. Only what its receipts name is \
            delivered; lines that it rejects, or has with other bytes, are refused. The token is in \
            TRACKING_COLLECTOR_TOKEN or in --token-file.

            Any other endpoint gets batches of JSON lines (application/x-ndjson) by POST. Idempotency-Key is the SHA-256 \
            of a batch's lines: a batch that is sent again is the same, with the same key. 408, 425, 429, 5xx and \
            lost connections are tried again, not before Retry-After; 413 halves the batch; other answers than \
            2xx refuse it. null: takes everything, to see how fast the tool is.

            Due times are set by the log or by --rate, never by how slow the target is: what is late is sent as \
            soon as it can be, and the lateness is told at the end. A batch is due with its last event.

            With --resume the place is kept in a file, and the same command goes on from there after Ctrl-C or a \
            kill; of a new file FILE, what is there is in FILE.resume.partial. Inputs are read again from the start \
            for that, and must begin as they did; yesterday is the day that it was when the first run was started.

            A line that holds no event is reported as file:line:column: reason, the rest goes on, and the exit \
            code is 65. It is 2 if events were refused, 69 if the endpoint is away, 130 after Ctrl-C.
            """
    )

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            """
            An event log, made if its name ends in .sqlite or .db; a new file, compressed if its name ends in .gz; - for \
            standard output; the URL of an endpoint; or null:.
            """, valueName: "target"))
    var target: String?

    @OptionGroup(title: "Pace") var pacing: PaceOptions
    @OptionGroup(title: "Changes") var rewriting: RewritingOptions
    @OptionGroup(title: "Delivery") var delivery: DeliveryOptions
    @OptionGroup(title: "Collector") var collector: CollectorOptions

    @Option(
        name: .customLong("resume"),
        help: ArgumentHelp(
            "Keep the place in this file, and go on from it if it is there: nothing is left out.", valueName: "state"))
    var statePath: String?

    @Flag(name: .customLong("from-dlq"), help: "The inputs are files that --on-error dlq=FILE made.")
    var holdsDeadLetters = false

    @Flag(
        name: .customLong("dlq"),
        help: "Of event logs, send the events that were refused when the app delivered them; they stay in the log.")
    var readsDeadLetters = false

    @Flag(help: "Send nothing: tell how many events and bytes there are, and how long it would take.")
    var dryRun = false

    func validate() throws {
        guard target != nil || dryRun else { throw ValidationError("Missing expected argument '--to <target>'") }
        guard pacing.loop == nil || rewriting.ids == .newIds || target == "null:" else {
            throw ValidationError("--loop sends each event several times: give --new-ids with it")
        }
        guard !(holdsDeadLetters && readsDeadLetters) else {
            throw ValidationError("--dlq reads event logs, --from-dlq files: give one of them")
        }
        guard pacing.loop == nil && statePath == nil || !input.inputs.contains("-") else {
            throw ValidationError("standard input can be read only once: --loop and --resume need files")
        }
        guard window.cursorFile == nil || statePath == nil && pacing.loop == nil else {
            throw ValidationError("--cursor-file keeps the place of runs to the end: leave out --resume and --loop")
        }
    }

    func run() async throws {
        // Before an input is opened: the first byte of a pipe may be long in coming.
        Interruption.listen()
        let destination = try target.map { try ReplayDestination(path: $0) } ?? .nothing
        try delivery.check(for: destination)
        let console = Console(sharesTerminal: destination == .standardOutput)
        var request = try EventRequest(paths: input.inputs, selection, window)
        request.holdsDeadLetters = holdsDeadLetters
        request.readsDeadLetters = readsDeadLetters
        // Nothing is sent: the place stays where the last run that sent something left it.
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

        let asked = ReplayFingerprint(command: self, destination: destination, plan: plan).options(request)
        let file = statePath.map { StateFile(path: $0) }
        let kept = try file?.read(for: asked, lanes: plan.lanes)
        if let kept { try request.readTimes(of: selection, now: kept.started) }
        let events = request
        let source = try StreamSource(reading: destination.lineReading) { isFirst in
            EventStream(events, console: console, tellsIssues: isFirst)
        }
        guard source.first.open() else { return try source.first.conclude() }
        let state =
            kept
            ?? ReplayState(
                options: asked, run: UUID().uuidString.lowercased(), started: SelectionOptions.now,
                lanes: plan.lanes)
        if dryRun { return try job.forecast(source, state) }
        let sink = try destination.open(
            isResumable: file != nil, position: kept?.position, isPrompt: plan.pace != .unpaced, delivery, plan,
            logs: try sealedLogs(request, destination, plan), tokenFile: collector.tokenFile)
        try await job.run(source, into: sink, state: state, file: file)
    }

    /// The installs of the logs among the inputs, if all of their lines are sent to a collector, as they are.
    ///
    /// - Throws: `EventLogError`; ``CommandFailure``, `usage`, for lanes, which would tear the numbers apart.
    private func sealedLogs(
        _ request: EventRequest, _ destination: ReplayDestination, _ plan: ReplayPlan
    ) throws -> [SealedLog] {
        guard case .collector = destination, request.isOpen, !holdsDeadLetters, plan.rewriting.isIdentity else {
            return []
        }
        let logs = request.paths.filter { path in
            // What cannot be opened is reported when it is read.
            path != "-" && FileIdentity(path: path)?.isRegularFile == true
                && (try? LogFileBlocks(path: path))?.format == .sqlite
        }
        guard logs.isEmpty || plan.lanes == 1 else {
            throw CommandFailure(
                .usage, "a log is sent to a collector in the order of its numbers: leave out --lanes")
        }
        return try logs.flatMap { try SealedLog.all(EventLogReader(path: $0)) }
    }
}
