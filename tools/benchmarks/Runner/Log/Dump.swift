import CBaselines
import EventLog
import Foundation

/// `trackctl dump` of a million events to a file, against a bare loop in C; both as processes of their own.
struct Dump: Benchmark {
    let name = "dump"
    let summary = "trackctl dump of a million events to a file, times as fast as a bare loop in C"

    func figures(rounds: Int) throws -> [Figure] {
        let folder = try LogFolder()
        try DumpedLog.make(folder, count: 1_000_000)
        let measured = try Rounds(
            max(rounds / 3, 1), subject: { try DumpedLog.dump(folder).nanoseconds / 1e6 },
            baseline: { try DumpedLog.dumpInC(folder).nanoseconds / 1e6 })
        let (trackctl, baseline) = (folder("trackctl.jsonl"), folder("c.jsonl"))
        guard FileManager.default.contentsEqual(atPath: trackctl, andPath: baseline) else {
            throw BenchmarkFailure("the two wrote different bytes")
        }
        return [Figure(name: "dump", rounds: measured, unit: "ms", ratio: .timesFaster, bar: .atLeast(0.85))]
    }
}

/// The most memory that a dump holds, however many events there are.
struct DumpMemory: Benchmark {
    let name = "dump-memory"
    let summary = "the most memory that trackctl dump holds, in KiB, for a million and for ten million events"

    func figures(rounds: Int) throws -> [Figure] {
        try [1_000_000, 10_000_000].map { (count: Int) -> Figure in
            let folder = try LogFolder()
            try DumpedLog.make(folder, count: count)
            return Figure(
                name: "\(count / 1_000_000) million", count: try DumpedLog.dump(folder, isWatched: true).peakKiB,
                bar: .atMost(48 * 1024)
            )
        }
    }
}

/// A log to dump, and the two ways to do it.
enum DumpedLog {
    static func make(_ folder: LogFolder, count: Int) throws {
        let time = SentLine.bytes.withUnsafeBytes { line in
            baseline_insert(
                folder("events.sqlite"), EventLogSchema.statements, line.baseAddress, line.count, Int64(count))
        }
        guard time > 0 else { throw BenchmarkFailure("the log could not be made") }
    }

    static func dump(_ folder: LogFolder, isWatched: Bool = false) throws -> ChildUsage {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("trackctl").path
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw BenchmarkFailure("there is no \(program): run tools/bench, which builds it")
        }
        unlink(folder("trackctl.jsonl"))
        return try ChildUsage.of(
            program, ["dump", folder("events.sqlite")], output: folder("trackctl.jsonl"), isWatched: isWatched)
    }

    static func dumpInC(_ folder: LogFolder) throws -> ChildUsage {
        unlink(folder("c.jsonl"))
        return try ChildUsage.of(
            CommandLine.arguments[0], ["--dump-in-c", folder("events.sqlite"), folder("c.jsonl")], output: "/dev/null")
    }
}
