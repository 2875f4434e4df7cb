import Foundation

/// `trackctl stats` of a file of a million lines on one thread, against DuckDB's `read_json` on one thread, which computes
/// the same: by event the count, the bytes and the users; the first and last time, the sessions, missing and duplicate events.
struct Stats: Benchmark {
    let name = "stats"
    let summary = "trackctl stats --jobs 1 of a million lines, times as fast as DuckDB on one thread"

    func figures(rounds: Int) throws -> [Figure] {
        let environment = try PythonEnvironment()
        let folder = try LogFolder()
        let count = 1_000_000
        let lines = try MixedLines(count: count, to: folder("lines.jsonl"))
        let measured = try Rounds(
            max(rounds / 3, 3),
            subject: {
                try Trackctl.run(["stats", lines.path, "--jobs", "1", "--json"], output: folder("ours")).nanoseconds
                    / 1e6
            },
            baseline: {
                _ = try ChildUsage.of(
                    environment.python, [PythonEnvironment.file("stats_baseline.py"), lines.path],
                    output: folder("theirs"))
                let answer = try String(contentsOfFile: folder("theirs"), encoding: .utf8).split(separator: "\n")
                guard answer.count == 2, let milliseconds = Double(answer[0]) else {
                    throw BenchmarkFailure("DuckDB does not respond")
                }
                let ours = try String(contentsOfFile: folder("ours"), encoding: .utf8)
                // Counts, bytes and users of each event, as in our output.
                guard answer[1].split(separator: " ").allSatisfy({ ours.contains($0) }) else {
                    throw BenchmarkFailure("DuckDB's figures differ: \(answer[1])")
                }
                // Without the start of Python and the loading of the library.
                return milliseconds
            })
        return [Figure(name: "stats", rounds: measured, unit: "ms", ratio: .timesFaster, bar: .atLeast(1))]
    }
}
