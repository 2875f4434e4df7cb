import ArgumentParser
import CommandSupport
import EventLog
import Foundation
import GitHubClient
import LogFiles
import Primitives
import TextRendering
import TrackingCore

/// Plays a log of public activity through the sample app.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play activity through a headless GitHub client, and store the tracked events.",
        discussion: """
            EXAMPLES
              github-client --out demo
              github-client --activity activity.jsonl.gz --repositories repositories.jsonl.gz --out demo
              github-client --out demo --record actions.jsonl
              github-client --replay actions.jsonl --until 120

            Writes the event log DIR/events.sqlite, and delivers the events to DIR/events.jsonl as JSON lines. To \
            continue an interrupted run, start it again with the same arguments: stored events are compared, the \
            others are appended, and the files are the same as without the interruption.

            --record also writes the app's inputs and actions to a recording, which includes what users typed and \
            viewed. --replay replays a recording without network, clock or files, and compares each step. It prints \
            the contents of the app's stores at the end, at --until, or at the first difference.

            Exit codes: 0 done, 1 a replay differs, 64 usage, 65 invalid data, 66 no such input, 74 cannot read \
            or write, 75 the log is in use.
            """)

    @Option(help: "Activity records, .jsonl or .jsonl.gz; - for standard input. Default: a small session.")
    var activity: String?

    @Option(help: "Repositories to search. Default: github-repositories.jsonl.gz next to the activity.")
    var repositories: String?

    @Option(name: .customLong("out"), help: "Output folder; created if missing.")
    var directory: String?

    @Option(
        name: .customLong("record"), help: "Record the session in FILE; an existing recording becomes FILE.previous.")
    var recording: String?

    @OptionGroup var delivery: CollectorOptions

    @Option(help: ArgumentHelp("Records per second. Default: as fast as possible.", valueName: "count"))
    var pace: Int?

    @Option(help: "Replay a recorded session, and print the stores.")
    var replay: String?

    @Option(help: "Stop the replay after entry N.")
    var until: Int64?

    @Flag(help: "Print the result of the replay as JSON.")
    var json = false

    @Option(
        help: ArgumentHelp("Kill this process after N events, for crash tests.", visibility: .hidden))
    var crashAtEvent: Int64?

    @Option(help: ArgumentHelp("Kill this process during the Nth delivery, for crash tests.", visibility: .hidden))
    var crashInFlush: Int?

    func validate() throws {
        guard pace ?? 1 >= 1 else { throw ValidationError("--pace must be greater than zero") }
        if replay == nil {
            guard directory != nil else { throw ValidationError("Missing expected argument '--out <out>'") }
            guard until == nil, !json else { throw ValidationError("--until and --json require --replay FILE") }
            return
        }
        guard directory == nil, activity == nil, repositories == nil, recording == nil, delivery.collector == nil,
            pace == nil
        else {
            throw ValidationError("--replay cannot be combined with other inputs and outputs; leave them out")
        }
        guard until ?? 1 >= 1 else { throw ValidationError("--until must be greater than zero") }
    }

    func run() async throws {
        try await Failures.reported {
            if let replay {
                try ReplayRun(path: replay, until: until, isJSON: json).run()
            } else if let directory {
                try await play(into: directory)
            }
        }
    }

    private func play(into directory: String) async throws {
        let inputs = try Inputs(activity: activity, repositories: repositories)
        let records = try LogFileReader(path: inputs.activity)
        let catalogue = try inputs.catalogue()
        let crash = CrashPlan(atEvent: crashAtEvent, inFlush: crashInFlush)
        let complaints = Complaints()
        defer { complaints.sayRest() }
        let output = try Output(
            directory: directory, collector: try delivery.sink(), crash: crash, complaints: complaints)
        let session = try await output.closing { try SessionRecording(path: recording) }
        let player = ActivityPlayer(
            log: output.store, flusher: output.flusher, catalogue: catalogue, recorder: session?.recorder,
            diagnostics: output.diagnostics, onEvent: crash.eventWasSent)

        var issues = 0
        var cutShort: CommandFailure?
        let start = ContinuousClock.now
        do {
            while let line = try records.next() {
                if let pace { try await Task.sleep(until: start + .seconds(Double(line.number - 1) / Double(pace))) }
                do {
                    try player.play(try Inputs.read(line, of: records) { try ActivityRecord(line: $0) })
                } catch let issue as InputError {
                    complaints.say("\(issue)")
                    issues += 1
                }
                // Lets the log catch up, so that memory stays flat at any rate of records.
                if line.number.isMultiple(of: 256) { try await output.store.commit() }
                try output.checkResumption(isComplete: false)
            }
        } catch let error as LogFileError {
            cutShort = CommandFailure(error)
        }
        try player.finish()
        let incomplete = session?.close()
        let statistics = try await output.finish(isComplete: cutShort == nil)
        complaints.sayRest()
        let summary = Summary(report: player.report, statistics: statistics, inputs: inputs, output: output).text
        print(StandardStreams.current.isOutputTerminal ? TerminalText.shown(summary) : summary)
        if let cutShort { throw cutShort }
        if let incomplete { throw incomplete }
        if issues > 0 {
            throw CommandFailure(
                .dataError, "\(issues.grouped) faulty line\(issues == 1 ? " was" : "s were") left out")
        }
    }
}

/// Kills the process at a chosen moment, so that tests can check a real crash exactly there.
struct CrashPlan {
    let atEvent: Int64?
    let inFlush: Int?

    /// Kills the process after the chosen event.
    func eventWasSent(_ container: TrackingContainer) {
        if container.seq == atEvent { Self.crash() }
    }

    /// A sink that kills the process in the middle of the chosen delivery.
    func wrap(_ sink: any Sink) -> any Sink {
        guard let inFlush else { return sink }
        return CrashingSink(sink: sink, delivery: inFlush)
    }

    fileprivate static func crash() {
        kill(getpid(), SIGKILL)
    }
}

/// Writes half of a batch, then kills the process before any event of it is acknowledged.
private final class CrashingSink: Sink {
    private let sink: any Sink
    private let delivery: Int
    private let count = Locked(0)

    init(sink: any Sink, delivery: Int) {
        self.sink = sink
        self.delivery = delivery
    }

    var name: String { sink.name }

    func deliver(_ batch: EventBatch) async -> DeliveryResult {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard number == delivery else { return await sink.deliver(batch) }
        let half = Array(batch.records.prefix(max(batch.records.count / 2, 1)))
        let result = await sink.deliver(EventBatch(records: half, checkpoint: batch.checkpoint))
        CrashPlan.crash()
        return result
    }
}
