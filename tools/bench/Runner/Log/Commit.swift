import CBaselines
import EventLog
import EventModel
import Foundation

/// A million events through the journal into SQLite, against a bare loop in C over the same tables.
struct Commit: Benchmark {
    let name = "commit"
    let summary = "a million events until the last is committed, times the rate of a bare loop in C"

    private static let count = 1_000_000
    /// So that the journal takes all of them, and the sender waits for nothing.
    private static let maximumPendingBytes = 640 << 20
    /// What either side takes at most, in the page cache and in memory of its own.
    private static let memory = 1536 << 20

    func figures(rounds: Int) throws -> [Figure] {
        var drops: Int64 = 0
        var number = 0
        let folder = try LogFolder()
        let measured = try Rounds(
            max(rounds / 10, 1),
            subject: {
                touch_memory(Self.memory)
                let folder = try LogFolder()
                let log = try folder.openLog(maximumPendingBytes: Self.maximumPendingBytes)
                let time = try nanoseconds(1) {
                    for _ in 0..<Self.count where !SentLine.append(to: log) { drops += 1 }
                    try waiting { try await log.commit() }
                }
                let stored = try waiting { try await log.statistics().count }
                guard stored == Self.count || drops > 0 else { throw BenchmarkFailure("\(stored) events are stored") }
                try waiting { try await log.close() }
                return time / Double(Self.count)
            },
            baseline: {
                number += 1
                touch_memory(Self.memory)
                let time = SentLine.bytes.withUnsafeBytes { line in
                    baseline_insert(
                        folder("baseline-\(number).sqlite"), EventLogSchema.statements, line.baseAddress, line.count,
                        Int64(Self.count))
                }
                guard time > 0 else { throw BenchmarkFailure("the baseline failed") }
                try FileManager.default.removeItem(atPath: folder("baseline-\(number).sqlite"))
                return Double(time) / Double(Self.count)
            })
        return [
            Figure(name: "commit", rounds: measured, ratio: .timesFaster, bar: .atLeast(0.85)),
            Figure(name: "drops", count: drops, bar: .atMost(0), isCheck: true),
        ]
    }
}
