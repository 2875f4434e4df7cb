import ArgumentParser
import CommandSupport
import CrashSupport
import EventLog
import Foundation
import Primitives
import TrackingHTTP

/// A process that delivers to a collector, with a real log and a real `HTTPSink`, until the crash harness kills it.
@main
struct CollectorSender: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collector-sender",
        abstract: "Send events to a collector and record the results. Started and killed by tools/crash/run.",
        shouldDisplay: false)

    private enum Screen: RouteCommand {}

    @Option(help: "Folder of the log.")
    var folder: String

    @Option(help: "Notebook that the harness created.")
    var notebook: String

    @Option(help: "Number of the run, unique in the log.")
    var run: Int

    @Option(help: "Random seed.")
    var seed: UInt64 = 0

    @Option(help: "URL of the collector.")
    var url: String

    @Option(help: "Write key.")
    var key: String

    @Option(help: "Start of the fast clock, in seconds since 1970.")
    var epoch: Int64

    @Flag(help: "Send nothing: deliver the log, then exit.")
    var settle = false

    func run() async throws {
        OrphanWatch.start()
        let notes = try Notebook(opening: notebook)
        let path = folder + "/events.sqlite"
        let (ids, clock) = (RandomTrackingIDs(), FastClock(epoch: EventTime(seconds: epoch)))
        let log = try SQLiteEventStore(path: path, options: .init(installID: { ids.uuid() }, retention: .keepAll))
        let sink = try HTTPSink(url: url, key: key, options: .init(timeout: .seconds(5)), clock: clock)
        let environment = try TrackingEnvironment<Screen>.live(
            log: log, storage: InMemoryKeyValueStorage(), clock: clock, timer: ContinuousClock(), ids: ids,
            sinks: [sink],
            flushPolicy: .manual, sendingLimit: nil,
            context: TrackingContext(app: "collector-sender 1.0", os: nil)
        ) { diagnostic in
            notes.noteDiagnostic()
            // The random network causes delays, which are expected.
            if case .sinkDelayed = diagnostic { return }
            StandardError.write("collector-sender: \(diagnostic)\n")
        }
        let model = environment.tracking
        if settle {
            try await log.commit()
            let last = try EventLogReader(path: path).statistics().lastSeq
            while try await log.cursor(of: sink.name).acknowledged < last {
                await model.flush()
                try await Task.sleep(for: .milliseconds(20))
            }
            try await log.close()
            return
        }
        Task {
            var random = SplitMix64(seed: ~seed)
            while true {
                await model.flush()
                try await Task.sleep(for: .microseconds(Int64(random.below(30_000))))
            }
        }
        var random = SplitMix64(seed: seed)
        for number in 1...notes.capacity {
            notes.begin(lane: 0, number: number)
            let receipt = model.send(TokenEvent(Token(run: run, lane: 0, number: number), isSmall: false))
            notes.acknowledge(lane: 0, number: number, seq: receipt?.seq)
            if random.happens(20) { try await Task.sleep(for: .microseconds(Int64(random.below(20_000)))) }
        }
        // The harness kills the process long before.
        while true { try await Task.sleep(for: .seconds(1)) }
    }
}

/// A clock that runs 600 times as fast from an epoch on, so that waits between deliveries are short. All runs share it.
struct FastClock: TrackingClock {
    let epoch: EventTime

    var now: EventTime {
        let real = Int64(Date().timeIntervalSince1970 * 1e6)
        return EventTime(microseconds: epoch.microseconds + max(0, real - epoch.microseconds) * 600)
    }
}
