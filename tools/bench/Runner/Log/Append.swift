import EventLog
import EventModel

/// The hand-over alone: an event whose line is ready, into the journal, against one write(2) of that line.
struct Append: Benchmark {
    let name = "append"
    let summary = "an append to the log, times as long as one write(2) of the line"

    private static let count = 5000

    func figures(rounds: Int) throws -> [Figure] {
        let folder = try LogFolder()
        let log = try folder.openLog()
        let baseline = try WriteBaseline(folder)
        var drops: Int64 = 0
        var sent: Int64 = 0
        let measured = try Rounds(
            rounds,
            subject: {
                let time = nanoseconds(Self.count) { if !SentLine.append(to: log) { drops += 1 } }
                sent += Int64(Self.count)
                try waiting { try await log.commit() }
                return time
            }, baseline: { try baseline.measure(SentLine.bytes, count: Self.count) })
        let stored = try waiting { try await log.statistics().count }
        guard stored == sent - drops else { throw BenchmarkFailure("\(sent) events were sent, \(stored) stored") }
        try waiting { try await log.close() }
        return [
            Figure(name: "append", rounds: measured, ratio: .timesAsLong, bar: .atMost(0.5)),
            Figure(name: "drops", count: drops, bar: .atMost(0), isCheck: true),
        ]
    }
}
