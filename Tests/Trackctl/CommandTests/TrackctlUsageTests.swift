import CommandRunner
import Testing

@Suite("trackctl and its usage")
struct TrackctlUsageTests {
    @Test(
        "Wrong usage ends with 64 and a hint under the command's name",
        arguments: [
            ["nonsense"], ["dump"], ["replay", "a.jsonl"], ["stats", "--wrong", "a"], ["dump", "a", "--limit", "0"],
            ["dump", "a", "--since", "lately"], ["dump", "a", "--until", "2018-02-30T00:00:00Z"],
            ["dump", "a", "--since", "2", "--until", "1"], ["dump", "a", "--since", "1.1234567"],
            ["dump", "a", "--last", "0"], ["dump", "a", "--where", "event.nam == 1"], ["dump", "a", "--id", "1"],
            ["dump", "a", "--sample", "0%"], ["dump", "a", "--sample-key", "a..b"],
            ["dump", "a", "--after-cursor", "7"],
            ["dump", "a", "--after-cursor", "a=1", "--cursor-file", "f"],
            ["validate"], ["validate", "a", "--jobs", "0"], ["validate", "a", "--max-errors", "0"],
            ["validate", "a", "--fail-on", "invalid,"], ["validate", "a", "--format", "xml"], ["coverage"],
            ["coverage", "a", "--threshold", "101"], ["coverage", "a", "--threshold-tests", "1"],
            ["coverage", "--tests", "a", "--threshold", "1"], ["schema", "test"],
            ["doctor"], ["doctor", "a", "--dry-run"], ["doctor", "a", "--clock-jump", "5"], ["prune"], ["prune", "a"],
            ["prune", "a", "--older-than", "30"], ["prune", "a", "--keep-bytes", "ten"],
            ["prune", "a", "--keep-events", "-1"], ["prune", "a", "--user", ""],
            ["prune", "a", "--user", "x", "--older-than", "1d"], ["prune", "a", "--older-than", "1d", "--mentions"],
            ["prune", "a", "--user", "x", "--even-unsent"],
            ["report"], ["report", "a", "--funnel", "launch"], ["report", "a", "--funnel", "launch >"],
            ["report", "a", "--within", "1h"], ["report", "a", "--funnel", "a > b", "--within", "soon"],
            ["report", "a", "--funnel-by", "session_id"], ["report", "a", "--funnel", "a > b{event.nam == 1}"],
            ["merge"], ["merge", "a", "-o", "xml"], ["assert", "a"],
            ["import"], ["import", "a"], ["behaviour"], ["behaviour", "a", "-o", "b", "--check", "b"],
            ["generate", "--count", "none"], ["generate", "--users", "2M"],
            ["generate", "--schema", "search", "--event", "s*"], ["generate", "--start", "1969-01-01"],
            ["new", "event"], ["new", "event", "a", "--property", "b"], ["new", "route"],
            ["new", "screen", "a", "b"],
        ])
    func wrongUsage(arguments: [String]) async throws {
        let result = try await trackctl(arguments)
        #expect(result.stderr.hasPrefix("trackctl: "))
        #expect(result.stderr.contains("\nUsage: trackctl"))
        #expect(result.exitCode == 64)
        #expect(result.stdout.isEmpty)
    }

    @Test(
        "All help starts with examples", .builtProgram,
        arguments: [
            [], ["dump"], ["replay"], ["stats"], ["schema"], ["schema", "lint"], ["schema", "lock"],
            ["schema", "docs"], ["schema", "diff"], ["schema", "test"], ["validate"], ["coverage"], ["doctor"],
            ["prune"], ["report"], ["merge"], ["assert"], ["import"], ["behaviour"], ["generate"],
            ["new"], ["new", "event"], ["new", "route"], ["new", "screen"], ["new", "templates"],
        ])
    func help(command: [String]) async throws {
        let result = try await trackctl(command + ["--help"])
        #expect(result.exitCode == 0)
        let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count > 4 && lines[2] == "Examples:" && lines[3].hasPrefix("  trackctl "))
        #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE:") })
    }

    @Test(
        "A mistyped name gets a suggestion",
        arguments: [
            (["dmp", "a"], "unknown command 'dmp': did you mean dump?"),
            (["schema", "lnit"], "unknown command 'lnit': did you mean lint?"),
            (["new", "evnt"], "unknown command 'evnt': did you mean event?"),
            (["nonsense"], "unknown command 'nonsense'; available: dump, tail, "),
            (["dump", "a", "--evnt", "b"], "Unknown option '--evnt'. Did you mean '--event'?"),
        ])
    func mistyped(arguments: [String], message: String) async throws {
        let result = try await trackctl(arguments)
        #expect(result.exitCode == 64)
        #expect(result.stderr.hasPrefix("trackctl: \(message)"))
    }

    @Test("The version is shown", .builtProgram)
    func version() async throws {
        #expect(try await trackctl(["--version"]).text == "0.1.0\n")
    }
}
