import ArgumentParser
import CommandSupport
import CrashSupport
import EventLog
import Foundation
import Primitives
import TrackingHTTP

/// A process that the crash harness kills while it delivers to a collector: a real log with a real `HTTPSink`.
@main
struct CollectorSender: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collector-sender",
        abstract: "Sends events to a collector and notes what it was told; tools/crash/run starts and kills it.",
        shouldDisplay: false)

    private enum Screen: RouteCommand {}

    @Option(help: "The folder of the log.")
    var folder: String

    @Option(help: "The notebook that the harness made.")
    var notebook: String

    @Option(help: "The run's number, one of a kind in the log.")
    var run: Int

    @Option(help: "The random seed.")
    var seed: UInt64 = 0

    @Option(help: "The collector's address.")
    var url: String

    @Option(help: "The write key.")
    var key: String

    @Option(help: "When the clock begins that runs fast, in seconds since 1970.")
    var epoch: Int64

    @Flag(help: "Send nothing: deliver what is in the log, and end.")
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
            // What the network does at random says nothing.
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
        // The harness kills it long before.
        while true { try await Task.sleep(for: .seconds(1)) }
    }
}

/// A clock that runs 600 times as fast from an epoch on, so that waits between deliveries are short. All runs agree on it.
struct FastClock: TrackingClock {
    let epoch: EventTime

    var now: EventTime {
        let real = Int64(Date().timeIntervalSince1970 * 1e6)
        return EventTime(microseconds: epoch.microseconds + max(0, real - epoch.microseconds) * 600)
    }
}
