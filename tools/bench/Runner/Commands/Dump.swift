import CBaselines
import EventLog
import EventModel
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
        try DumpedLog.check(folder, lines: 1_000_000)
        return [Figure(name: "dump", rounds: measured, unit: "ms", ratio: .timesFaster, bar: .atLeast(0.85))]
    }
}

/// `trackctl dump` of a part of a million events, chosen by name and time, against the same selection in SQL from C.
struct DumpSelected: Benchmark {
    let name = "dump-selected"
    let summary = "trackctl dump --event --since of a million events, times as fast as the same in C"

    func figures(rounds: Int) throws -> [Figure] {
        let folder = try LogFolder()
        let count: Int64 = 1_000_000
        try DumpedLog.make(folder, count: Int(count))
        // One in twelve is a search, as in the demo; the later half is asked for.
        guard baseline_execute(folder("events.sqlite"), "UPDATE events SET name = 'page-view' WHERE seq % 12 <> 0") == 0
        else { throw BenchmarkFailure("cannot change the log") }
        let since = 1_700_000_000_000_000 + count / 2
        let options = ["--event", "search", "--since", "1700000000.\(count / 2)"]
        let measured = try Rounds(
            rounds, subject: { try DumpedLog.dump(folder, options).nanoseconds / 1e6 },
            baseline: {
                try DumpedLog.dumpInC(folder, where: "name = 'search' AND time >= \(since)").nanoseconds / 1e6
            })
        try DumpedLog.check(folder, lines: Int((count / 2) / 12) + 1)
        return [Figure(name: "dump", rounds: measured, unit: "ms", ratio: .timesFaster, bar: .atLeast(0.6))]
    }
}

/// The most memory that a dump holds, however many events there are.
struct DumpMemory: Benchmark {
    let name = "dump-memory"
    let summary = "peak memory of trackctl dump, in KiB, for a million and for ten million events"

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
        guard time > 0 else { throw BenchmarkFailure("cannot create the log") }
    }

    static func dump(_ folder: LogFolder, _ options: [String] = [], isWatched: Bool = false) throws -> ChildUsage {
        unlink(folder("trackctl.jsonl"))
        return try Trackctl.run(
            ["dump", folder("events.sqlite")] + options, output: folder("trackctl.jsonl"), isWatched: isWatched)
    }

    static func dumpInC(_ folder: LogFolder, where condition: String = "1") throws -> ChildUsage {
        unlink(folder("c.jsonl"))
        return try ChildUsage.of(
            CommandLine.arguments[0], ["--dump-in-c", folder("events.sqlite"), condition, folder("c.jsonl")],
            output: "/dev/null")
    }

    /// Makes sure that both wrote the same, and so many lines.
    static func check(_ folder: LogFolder, lines: Int) throws {
        let (trackctl, baseline) = (folder("trackctl.jsonl"), folder("c.jsonl"))
        guard FileManager.default.contentsEqual(atPath: trackctl, andPath: baseline) else {
            throw BenchmarkFailure("trackctl and the baseline wrote different bytes")
        }
        let size = try FileManager.default.attributesOfItem(atPath: baseline)[.size] as? Int
        guard size == lines * (SentLine.bytes.count + 1) else { throw BenchmarkFailure("expected \(lines) lines") }
    }
}
