import Foundation

/// `trackctl dump FILE --event search` against jq on the same file, each a process on one core.
struct DumpSearch: Benchmark {
    let name = "dump-search"
    let summary = "trackctl dump FILE.jsonl --event search, times faster than jq 'select(.event.name==\"search\")'"

    func figures(rounds: Int) throws -> [Figure] {
        let folder = try LogFolder()
        let count = 300_000
        let lines = try MixedLines(count: count, to: folder("lines.jsonl"))
        var speeds: [Double] = []
        let jq = try Self.path(of: "jq", folder)
        let measured = try Rounds(
            max(rounds / 3, 3),
            subject: {
                let time = try Trackctl.run(
                    ["dump", lines.path, "--event", "search"], output: folder("trackctl.jsonl")
                ).nanoseconds
                speeds.append(Double(lines.bytes) / time)
                return time / 1e6
            },
            baseline: {
                try ChildUsage.of(
                    jq, ["-c", #"select(.event.name=="search")"#, lines.path], output: folder("jq.jsonl")
                ).nanoseconds / 1e6
            })
        let (ours, theirs) = try (Self.lines(folder("trackctl.jsonl")), Self.lines(folder("jq.jsonl")))
        guard ours == MixedLines.searches(in: count), theirs == ours else {
            throw BenchmarkFailure("trackctl found \(ours) searches, jq \(theirs)")
        }
        return [
            Figure(name: "searches", rounds: measured, unit: "ms", ratio: .timesFaster, bar: .atLeast(12)),
            Figure(name: "GB of input per second", value: Statistics(speeds).median, bar: nil),
        ]
    }

    private static func lines(_ path: String) throws -> Int {
        try Data(contentsOf: URL(fileURLWithPath: path)).count { $0 == 0x0A }
    }

    private static func path(of program: String, _ folder: LogFolder) throws -> String {
        let found = folder("which")
        do {
            _ = try ChildUsage.of("/bin/sh", ["-c", "command -v \(program)"], output: found)
        } catch { throw BenchmarkFailure("cannot find \(program): install the package \(program)") }
        return try String(contentsOfFile: found, encoding: .utf8).trimmingCharacters(in: .newlines)
    }
}
