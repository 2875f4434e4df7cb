import ArgumentParser
import CommandSupport
import CrashSupport
import EventLog
import Foundation
import LogFixtures
import TrackingCore

/// The process that the crash harness kills: a live environment that sends, flushes, rotates and checkpoints.
@main
struct CrashSender: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash-sender",
        abstract: "Send events into a log and record the results. Started and killed by tools/crash/run.",
        shouldDisplay: false)

    /// The size at which the sink finishes a file. Small, so that it happens often.
    static let fileBytes: Int64 = 64 << 10

    private enum Screen: RouteCommand {}

    @Option(help: "Folder of the log and of the sink's files.")
    var folder: String

    @Option(help: "Folder of the sink's files, if different.")
    var sinkFolder: String?

    @Option(help: "Number of delivered events that the log keeps. Default: all.")
    var keepCount: Int64?

    @Option(help: "Notebook that the harness created.")
    var notebook: String

    @Option(help: "Number of the run, unique in the log.")
    var run: Int

    @Option(help: "Random seed.")
    var seed: UInt64 = 0

    @Option(help: "Number of events per lane. Default: the capacity of the notebook.")
    var events: Int?

    @Option(help: "Maximum pause between two bursts, in microseconds.")
    var pause = 3_000

    @Option(help: "Wait for the harness after this event.")
    var gateAfter: Int?

    @Flag(help: "Wait for the harness before anything else.")
    var waitAtStart = false

    @Flag(help: "Invert every fourth result about another writer, at random.")
    var wrongVerdicts = false

    @Flag(help: "Send short lines only.")
    var small = false

    @Flag(help: "Neither flush nor checkpoint while sending.")
    var quiet = false

    @Flag(help: "Also deliver to a collector that fails at random.")
    var collector = false

    @Flag(help: "Let the collector accept everything immediately.")
    var calm = false

    @Flag(help: "Add users who opt out while events are sent.")
    var guests = false

    @Flag(help: "Keep the database locked while sending, so that no events are stored in it.")
    var holdDatabase = false

    @Flag(help: "Lock the database from the gate on.")
    var holdAtGate = false

    @Flag(help: "Checkpoint the write-ahead log before sending, without truncating it.")
    var checkpointAtStart = false

    @Flag(help: "Start a tracker like an app, and send on one lane while the log is being opened.")
    var startsTracker = false

    @Flag(help: "End with SIGKILL after the last event.")
    var dieAfterSending = false

    @Flag(help: "Commit the sent events, then end with SIGKILL.")
    var dieAfterCommit = false

    func run() async throws {
        OrphanWatch.start()
        let notes = try Notebook(opening: notebook)
        notes.enter(.started)
        if waitAtStart { notes.passGate() }
        do {
            if startsTracker {
                try await StartedSending(
                    folder: folder, notebook: notes, run: run, pause: pause, seed: seed, system: system
                ).send()
            } else {
                try await send(notes)
            }
        } catch let error as EventLogError {
            StandardError.write("crash-sender: \(error)\n")
            throw ExitCode((error.code == .inUse ? ExitStatus.busy : .inputOutput).rawValue)
        }
    }

    private var system: LogSystem { wrongVerdicts ? .misjudging(seed: seed) : LogSystem() }

    private func send(_ notes: Notebook) async throws {
        let path = folder + "/events.sqlite"
        let ids = RandomTrackingIDs()
        notes.enter(.opening)
        var options = SQLiteEventStore.Options(
            installID: { ids.uuid() }, retention: Retention(maximumCount: keepCount))
        options.system = system
        let log = try SQLiteEventStore(path: path, options: options)
        notes.leave(.opening)
        let sink = JSONLinesFileSink(
            directory: sinkFolder ?? folder, fileName: "events", rotation: FileRotation(maximumBytes: Self.fileBytes))
        var sinks: [any Sink] = [NotingSink(sink: sink, notebook: notes, maximumBytes: Self.fileBytes)]
        if collector {
            sinks.append(
                try RandomCollector(path: folder + "/collector.log", notebook: notes, isCalm: calm, seed: seed))
        }
        let diagnostics: @Sendable (TrackingDiagnostic) -> Void = { diagnostic in
            notes.noteDiagnostic()
            // Random errors of the collector are expected.
            if case .sinkDelayed(RandomCollector.name, _) = diagnostic { return }
            if case .sinkRefused(RandomCollector.name, _, _) = diagnostic { return }
            StandardError.write("crash-sender: \(diagnostic)\n")
        }
        let flusher = try EventFlusher(
            log: log, sinks: sinks, policy: quiet ? .manual : FlushPolicy(eventCount: 30, interval: .seconds(1)),
            clock: SystemTrackingClock(),
            timer: ContinuousClock(), diagnostics: diagnostics)
        let environment = try TrackingEnvironment<Screen>.live(
            log: log, storage: InMemoryKeyValueStorage(), clock: SystemTrackingClock(), ids: ids, flusher: flusher,
            sendingLimit: nil, context: TrackingContext(app: "crash-sender 1.0", os: nil), diagnostics: diagnostics)
        let neighbour = try DatabaseNeighbour(path: path)
        if checkpointAtStart { neighbour.checkpoint(cutsLog: false) }
        if holdDatabase { try neighbour.holdForEver() }
        let flushing = Flushing(model: environment.tracking, notebook: notes, neighbour: neighbour, seed: seed)
        let tasks =
            quiet
            ? []
            : [
                Task { await flushing.flushAgainAndAgain() }, Task { await flushing.checkpointAgainAndAgain() },
            ]
        let visitors = Guests(log: log, flusher: flusher, notebook: notes, run: run, seed: seed)
        let visiting = guests ? Task { try await visitors.comeAndGo() } : nil
        await sendAll(environment.tracking, notes, neighbour)
        visiting?.cancel()
        try await visiting?.value
        if dieAfterCommit { try await log.commit() }
        if dieAfterSending || dieAfterCommit { kill(getpid(), SIGKILL) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        await flushing.flush()
        // A batch that the collector took before a kill may ask for some of its events again, which is a pause: what is left
        // comes with the next flush by hand.
        if calm { await flushing.flush() }
        notes.enter(.closing)
        try await log.close()
        notes.leave(.closing)
        notes.enter(.finished)
    }

    private func sendAll(_ model: Tracker, _ notes: Notebook, _ neighbour: DatabaseNeighbour) async {
        notes.enter(.sending)
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<notes.lanes {
                let sending = SendingLane(
                    model: model, notebook: notes, run: run, lane: lane, count: events ?? notes.capacity,
                    isSmall: small, maximumPause: pause, gateAfter: lane == 0 ? gateAfter : nil,
                    holding: holdAtGate ? neighbour : nil, seed: seed)
                group.addTask { await sending.send() }
            }
        }
        notes.leave(.sending)
    }
}
