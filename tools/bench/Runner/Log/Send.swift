import EventLog
import EventModel
import Foundation
import TrackingCore

/// The whole call that an app makes, against C that does the same work, and against one write(2) of the line.
struct Send: Benchmark {
    let name = "send"
    let summary = "tracking.send(.search(…)) on the live environment, times as long as the same work in C"

    /// Half a ring holds as many: the journal does not grow, as it does when a million events a second come.
    private static let count = 3000
    /// The instructions of one call at the commit that the bar was set by, counted by callgrind on x86-64.
    private static let formerInstructions = 4812.0

    func figures(rounds: Int) throws -> [Figure] {
        let folder = try LogFolder()
        let live = try LiveEnvironment(folder)
        guard live.send(), let first = live.log.newest else { throw BenchmarkFailure("cannot send") }
        let baseline = try SendBaseline(folder, like: first)
        let write = try WriteBaseline(folder)
        let clock = SystemTrackingClock()
        var drops: Int64 = 0
        var sent: Int64 = 1
        func sendAll() {
            for _ in 0..<Self.count where !live.send() { drops += 1 }
            sent += Int64(Self.count)
        }
        func sendAndCommit() throws -> Double {
            let time = nanoseconds(1) { sendAll() } / Double(Self.count)
            try waiting { try await live.log.commit() }
            return time
        }
        // The bar is for what is left without loop and clock, which both sides have.
        let net = try Rounds(
            rounds,
            subject: {
                var last = EventTime(microseconds: 0)
                let loop = nanoseconds(Self.count) { last = max(last, clock.now) }
                guard last.microseconds > 0 else { throw BenchmarkFailure("the clock reads zero") }
                return try sendAndCommit() - loop
            }, baseline: { try baseline.measure(count: Self.count) - SendBaseline.clock(count: Self.count) })
        let writes = try Rounds(
            rounds, subject: sendAndCommit, baseline: { try write.measure(first.line, count: Self.count) })
        let instructions = Instructions.count(sendAll).map { Double($0) / Double(Self.count) }
        try waiting { try await live.log.commit() }
        let stored = try waiting { try await live.log.statistics().count }
        guard stored == sent - drops else { throw BenchmarkFailure("\(sent) events were sent, \(stored) stored") }
        try waiting { try await live.log.close() }
        return [
            Figure(name: "net of loop and clock", rounds: net, ratio: .timesAsLong, bar: .atMost(2.2)),
            Figure(name: "one write(2)", rounds: writes, ratio: .timesAsLong, bar: nil),
            Figure(
                name: "instructions", value: instructions, unless: "not counted",
                bar: .atMost(1.05 * Self.formerInstructions)),
            Figure(name: "drops", count: drops, bar: .atMost(0), isCheck: true),
        ]
    }
}

/// How long the slowest calls take while flushes, group commits and checkpoints run at the same time.
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
