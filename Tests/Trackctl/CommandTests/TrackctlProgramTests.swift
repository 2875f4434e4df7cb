import CommandRunner
import Foundation
import Testing

/// Most tests run commands within the test process, with ``trackctl(_:stdin:)``; these compare it with the program.
@Suite("The built trackctl, and its commands within the tests")
struct TrackctlProgramTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    @Test(
        "Every command reads, writes and exits the same in both",
        arguments: [
            ["dump", "-"], ["dump", "LOG", "--event", "launch", "-o", "table"], ["dump", "FAULTY"],
            ["tail", "-n", "2", "FILE"], ["stats", "-"], ["stats", "LOG", "--json"], ["report", "-"],
            ["report", "FILE", "--funnel", "launch > search"], ["replay", "-", "--to", "-"],
            ["replay", "FAULTY", "--to", "-"], ["import", "FILE", "--mapping", "FAULTY"],
            ["merge", "FILE", "LOG", "--to", "-"], ["validate", "-", "--schemas", "Schemas"],
            ["validate", "FAULTY", "--schemas", "Schemas", "--format", "sarif"], ["assert", "-e", "launch == 3", "-"],
            ["assert", "-e", "launch > 3", "FILE"], ["coverage", "FILE", "--schemas", "Schemas"],
            ["behaviour", "FILE"], ["generate", "--count", "50", "--seed", "7"], ["doctor", "LOG"],
            ["doctor", "FAULTY"], ["prune", "LOG", "--keep-events", "1", "--dry-run"],
            ["schema", "lint", "Schemas"], ["schema", "lock", "Schemas", "--check"], ["schema", "docs", "none"],
            ["schema", "diff", "Schemas", "--against", "Schemas"], ["schema", "test", "FILE"],
            ["new", "templates", "TEMPLATES"],
            ["new", "event", "Wrong Name"], ["dump", "none.jsonl"], ["dump", "a", "--limit", "0"], ["dmp"],
        ])
    func same(arguments: [String]) async throws {
        let lines = [TrackctlLine].launches(1...3)
        let file = try folder.file("a.jsonl", lines.text)
        let faulty = try folder.file("b.jsonl", lines.text + "{\"v\":1")
        let log = try await folder.log("a.sqlite", lines)
        let templates = "\(folder.path)/templates"
        // Both find a template there; otherwise the first of the two would write it for the second.
        #expect(try await trackctl(["new", "templates", templates]).exitCode == 0)
        try folder.close()
        let locations = ["FILE": file, "FAULTY": faulty, "LOG": log, "TEMPLATES": templates]
        let arguments = arguments.map { locations[$0] ?? $0 }
        let stdin = Array(lines.text.utf8)
        let built = try await runCommand("trackctl", arguments, stdin: stdin)
        let own = try await trackctl(arguments, stdin: stdin)
        // The free space changes between two runs.
        let isSteady = { (line: String) in !line.contains("free-space") }
        #expect(own.lines.filter(isSteady) == built.lines.filter(isSteady))
        #expect(own.stderr == built.stderr)
        #expect(own.exitCode == built.exitCode && built.signal == nil)
        // The commands run in the checkout: files that they write without a folder stay there.
        #expect(!FileManager.default.fileExists(atPath: ".trackctl"))
    }
}
