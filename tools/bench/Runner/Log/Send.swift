import EventLog
import EventModel
import Foundation
import Tracking

/// The whole call that an app makes, against one write(2) of the line that it sends.
struct Send: Benchmark {
    let name = "send"
    let summary = "tracking.send(.search(…)) on the live environment, times as long as one write(2) of the line"

    private static let count = 5000

    func figures(rounds: Int) throws -> [Figure] {
        let folder = try LogFolder()
        let live = try LiveEnvironment(folder)
        let baseline = try WriteBaseline(folder)
        guard live.send(), let line = live.log.newest?.line else { throw BenchmarkFailure("nothing can be sent") }
        var drops: Int64 = 0
        var sent: Int64 = 1
        let measured = try Rounds(
            rounds,
            subject: {
                let time = nanoseconds(Self.count) { if !live.send() { drops += 1 } }
                sent += Int64(Self.count)
                try waiting { try await live.log.commit() }
                return time
            }, baseline: { try baseline.measure(line, count: Self.count) })
        let stored = try waiting { try await live.log.statistics().count }
        guard stored == sent - drops else { throw BenchmarkFailure("\(sent) events were sent, \(stored) stored") }
        try waiting { try await live.log.close() }
        return [
            Figure(name: "send", rounds: measured, ratio: .timesAsLong, bar: .atMost(1)),
            Figure(name: "drops", count: drops, bar: .atMost(0), isCheck: true),
        ]
    }
}

/// How long the slowest calls take while flushes, group commits and checkpoints run beside them.
struct SendTail: Benchmark {
    let name = "send-tail"
    let summary = "microseconds of the slowest sends while flushes, group commits and checkpoints run"

    private static let block = 4000

    func figures(rounds: Int) throws -> [Figure] {
        let folder = try LogFolder()
        let live = try LiveEnvironment(folder)
        let flushing = Task.detached {
            var count: Int64 = 0
            while !Task.isCancelled {
                await live.tracking.flush()
                count += 1
            }
            return count
        }
        var times: [Double] = []
        var drops: Int64 = 0
        times.reserveCapacity(rounds * 2 * Self.block)
        for _ in 0..<rounds * 2 {
            for _ in 0..<Self.block {
                var isSent = false
                times.append(nanoseconds(1) { isSent = live.send() } / 1000)
                if !isSent { drops += 1 }
            }
            try waiting { try await live.log.commit() }
        }
        flushing.cancel()
        let flushes = try waiting { await flushing.value }
        try waiting { try await live.log.close() }
        let statistics = Statistics(times)
        return [
            Figure(name: "99.9th percentile", value: statistics.quantile(0.999), bar: .atMost(100)),
            Figure(name: "99th percentile", value: statistics.quantile(0.99), bar: nil),
            Figure(name: "slowest", value: statistics.quantile(1), bar: nil),
            Figure(name: "flushes meanwhile", count: flushes, bar: .atLeast(1), isCheck: true),
            Figure(name: "drops", count: drops, bar: .atMost(0), isCheck: true),
        ]
    }
}

/// Eight threads together, against one.
struct SendThreads: Benchmark {
    let name = "send-threads"
    let summary = "the rate of eight threads that send together, times that of one thread"

    private static let threads = 8
    private static let count = 500

    func figures(rounds: Int) throws -> [Figure] {
        let folder = try LogFolder()
        let live = try LiveEnvironment(folder)
        let measured = try Rounds(
            rounds, subject: { try Self.measure(live, threads: Self.threads, each: Self.count) },
            baseline: { try Self.measure(live, threads: 1, each: Self.count * Self.threads) })
        try waiting { try await live.log.close() }
        return [Figure(name: "8 threads", rounds: measured, ratio: .timesFaster, bar: .atLeast(0.7))]
    }

    /// Nanoseconds an event, from the first thread's start to the last one's end.
    private static func measure(_ live: LiveEnvironment, threads: Int, each: Int) throws -> Double {
        let total = threads * each
        let time = nanoseconds(1) {
            DispatchQueue.concurrentPerform(iterations: threads) { _ in
                for _ in 0..<each { _ = live.send() }
            }
        }
        try waiting { try await live.log.commit() }
        return time / Double(total)
    }
}
