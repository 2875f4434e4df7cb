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
        abstract: "Plays activity through a GitHub client without a screen and keeps what it tracks.",
        discussion: """
            EXAMPLES
              github-client --out demo
              github-client --activity activity.jsonl.gz --repositories repositories.jsonl.gz --out demo
              github-client --out demo --record actions.jsonl
              github-client --replay actions.jsonl --until 120

            Writes DIR/events.sqlite, the event log, and DIR/events.jsonl, the same events flushed as JSON lines. A \
            run that was interrupted is started over with the same arguments: what it had stored is compared, the \
            rest is appended, and the files end up as if nothing had happened.

            With --record it also writes down what comes to the app and what the app does. A recording holds what \
            users typed and looked at. --replay plays one again without anything of the outside, compares each \
            step, writes no file, and prints what the app's stores hold: at the end, at --until, or where the app \
            does something else than recorded.

            Exit codes: 0 done, 1 a replay differs, 64 usage, 65 data at fault, 66 no such input, 74 cannot read \
            or write, 75 the log is in use.
            """)

    @Option(help: "Activity records, .jsonl or .jsonl.gz, - for standard input. Default: a small session.")
    var activity: String?

    @Option(help: "What searches find. Default: github-repositories.jsonl.gz beside the activity, else a small list.")
    var repositories: String?

    @Option(name: .customLong("out"), help: "The folder to write to; made if it isn't there.")
    var directory: String?

    @Option(
        name: .customLong("record"), help: "Record the session here; a recording that is there becomes FILE.previous.")
    var recording: String?

    @OptionGroup var delivery: CollectorOptions

    @Option(help: ArgumentHelp("Play this many records per second. Default: as fast as possible.", valueName: "count"))
    var pace: Int?

    @Option(help: "Play a recorded session again, and print the stores.")
    var replay: String?

    @Option(help: "Stop the replay after this entry, from 1.")
    var until: Int64?

    @Flag(help: "Print the outcome of the replay as JSON.")
    var json = false

    @Option(
        help: ArgumentHelp("Kill this process when this many events were sent: for crash tests.", visibility: .hidden))
    var crashAtEvent: Int64?

    @Option(help: ArgumentHelp("Kill this process half way through this flush: for crash tests.", visibility: .hidden))
    var crashInFlush: Int?

    func validate() throws {
        guard pace ?? 1 >= 1 else { throw ValidationError("--pace must be greater than zero") }
        if replay == nil {
            guard directory != nil else { throw ValidationError("Missing expected argument '--out <out>'") }
            guard until == nil, !json else { throw ValidationError("--until and --json go with --replay FILE.") }
            return
        }
        guard directory == nil, activity == nil, repositories == nil, recording == nil, delivery.collector == nil,
            pace == nil
        else {
            throw ValidationError("--replay takes all its input from FILE and writes nothing: leave out the others.")
        }
        guard until ?? 1 >= 1 else { throw ValidationError("--until counts entries from 1.") }
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
                // Lets the log catch up, so that memory stays flat however fast records come.
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

/// Ends the process with SIGKILL at a chosen moment, so that tests can kill a real process exactly there.
struct CrashPlan {
    let atEvent: Int64?
    let inFlush: Int?

    /// Kills the process if this event is the one.
    func eventWasSent(_ container: TrackingContainer) {
        if container.seq == atEvent { Self.crash() }
    }

    /// A sink that kills the process half way through the chosen flush.
    func wrap(_ sink: any Sink) -> any Sink {
        guard let inFlush else { return sink }
        return CrashingSink(sink: sink, delivery: inFlush)
    }

    fileprivate static func crash() {
        kill(getpid(), SIGKILL)
    }
}

/// Writes half of a batch, then ends the process before anything of it is acknowledged.
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
