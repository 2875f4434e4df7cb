import CBaselines
import EventLog
import EventModel
import Foundation

/// A million events through the journal into SQLite, against a bare loop in C over the same tables.
struct Commit: Benchmark {
    let name = "commit"
    let summary = "a million events until the last is committed, times the rate of a bare loop in C"

    private static let count = 1_000_000
    /// Before a block is sent, the one before the last must be committed: a sender of this kind must wait somewhere.
    private static let block = 4000

    func figures(rounds: Int) throws -> [Figure] {
        var drops: Int64 = 0
        var number = 0
        let folder = try LogFolder()
        let measured = try Rounds(
            max(rounds / 10, 1),
            subject: {
                let folder = try LogFolder()
                let log = try folder.openLog()
                return try nanoseconds(1) {
                    var last: Task<Void, any Error>?
                    for index in 1...Self.count {
                        if !SentLine.append(to: log) { drops += 1 }
                        guard index.isMultiple(of: Self.block) else { continue }
                        if let last { try waiting { try await last.value } }
                        last = Task.detached { try await log.commit() }
                    }
                    try waiting { try await log.commit() }
                } / Double(Self.count)
            },
            baseline: {
                number += 1
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
            Figure(name: "commit", rounds: measured, ratio: .timesFaster, bar: .atLeast(0.5)),
            Figure(name: "drops", count: drops, bar: .atMost(0), isCheck: true),
        ]
    }
}
