import EventLog
import EventModel
import Foundation
import Tracking
import TrackingCore
import TrackingDomainEvents

/// The call that starts a tracker and the first event, and each event after that.
struct Start: Benchmark {
    let name = "start"
    let summary =
        "Tracker.start and the first send on the caller's thread; send through it, times as long as on an open log"

    private static let count = 3000

    func figures(rounds: Int) throws -> [Figure] {
        let folder = try LogFolder()
        var trackers: [Tracker] = []
        // Cold: nothing of it was called in this process before.
        let cold = try start(folder, &trackers)
        let warm = try (0..<max(rounds, 20)).map { _ in try start(folder, &trackers) }
        for tracker in trackers { try waiting { try await tracker.close() } }

        let (open, started) = (try LiveEnvironment(folder), try StartedTracker(folder))
        var drops: Int64 = 0
        func measure(_ send: () -> Bool, _ tracker: Tracker) throws -> Double {
            let time = nanoseconds(1) { for _ in 0..<Self.count where !send() { drops += 1 } } / Double(Self.count)
            try waiting { try await tracker.flushToDisk() }
            return time
        }
        let sends = try Rounds(
            rounds, subject: { try measure(started.send, started.tracking) },
            baseline: { try measure(open.send, open.tracking) })
        func instructions(_ send: () -> Bool) -> Double? {
            Instructions.count { for _ in 0..<Self.count where !send() { drops += 1 } }.map { Double($0) }
        }
        let counted = instructions(started.send).flatMap { ours in instructions(open.send).map { ours / $0 } }
        for tracker in [open.tracking, started.tracking] { try waiting { try await tracker.close() } }
        return [
            Figure(name: "first event, µs", value: Statistics(warm).median, bar: .atMost(50)),
            Figure(name: "first event of a process, µs", value: cold, bar: nil),
            Figure(name: "send", rounds: sends, ratio: .timesAsLong, bar: .atMost(1.1)),
            Figure(name: "instructions of a send", value: counted, unless: "not counted", bar: .atMost(1.05)),
            Figure(name: "drops", count: drops, bar: .atMost(0), isCheck: true),
        ]
    }

    /// Microseconds from the call that starts a tracker to the receipt of its first event.
    private func start(_ folder: LogFolder, _ trackers: inout [Tracker]) throws -> Double {
        let path = folder("started-\(trackers.count)")
        var receipt: TrackingReceipt?
        let time = nanoseconds(1) {
            let tracker = Tracker.start(
                .logOnly, configuration: TrackingConfiguration(folder: path), diagnostics: { _ in })
            receipt = tracker.send(.search(query: "swift event tracking", page: 3))
            trackers.append(tracker)
        }
        guard receipt != nil else { throw BenchmarkFailure("the first event was dropped") }
        return time / 1000
    }
}

/// The SDK as `Tracker.start` makes it, with what ``LiveEnvironment`` has: its log was opened in the background.
struct StartedTracker: Sendable {
    let tracking: Tracker

    /// Starts the tracker and waits until its log is open.
    init(_ folder: LogFolder) throws {
        let tracker = Tracker.start(
            .file(named: "sent"),
            configuration: TrackingConfiguration(folder: folder("tracker")) {
                $0.storage = InMemoryKeyValueStorage()
                $0.context = LiveEnvironment.context
                $0.flushPolicy = FlushPolicy(eventCount: 10_000, interval: nil, onBackground: true)
                $0.sendingLimit = nil
            },
            diagnostics: { _ in })
        try waiting { try await tracker.flushToDisk() }
        while tracker.send(.launch)?.isPending != false { Thread.sleep(forTimeInterval: 0.001) }
        tracking = tracker
    }

    /// Sends one event; false if it was dropped.
    func send() -> Bool { tracking.send(.search(query: "swift event tracking", page: 3)) != nil }
}
