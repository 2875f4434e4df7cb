import Foundation

/// A process that validates a file, against the command line of sourcemeta (AGPL: a tool of this comparison only).
struct ValidateCLI: Benchmark {
    let name = "validate-cli"
    let summary = "a process that validates a file of 100,000 lines, times faster than sourcemeta's jsonschema"

    func figures(rounds: Int) throws -> [Figure] {
        let program = try ValidationEnvironment().sourcemeta()
        let folder = try LogFolder()
        let faulty = ValidationLines(count: 1_000, faults: true)
        try check(faulty, program)
        let files = try ValidationLines(count: 100_000, faults: false).write(to: folder)
        let output = folder("output")
        let measured = try Rounds(
            max(rounds / 3, 1),
            subject: {
                try ChildUsage.of(CommandLine.arguments[0], ["--validate", files.schema, files.lines], output: output)
                    .nanoseconds / 1e6
            },
            baseline: {
                try ChildUsage.of(program, ["validate", "--fast", "-F", files.schema, files.lines], output: output)
                    .nanoseconds / 1e6
            })
        return [Figure(name: "all valid", rounds: measured, unit: "ms", ratio: .timesFaster, bar: .atLeast(5))]
    }

    /// Makes sure that both find the planted lines, and nothing else.
    private func check(_ lines: ValidationLines, _ program: String) throws {
        let folder = try LogFolder()
        let files = try lines.write(to: folder)
        guard try LineValidation.run(schema: files.schema, lines: files.lines) == lines.invalid.count else {
            throw BenchmarkFailure("ours does not find the planted lines")
        }
        _ = try ChildUsage.of(
            "/bin/sh",
            [
                "-c", "\"$0\" validate --continue -F \"$1\" \"$2\" --json; exit 0", program, files.schema, files.lines,
            ], output: folder("found"))
        let found = String(decoding: FileManager.default.contents(atPath: folder("found")) ?? Data(), as: UTF8.self)
        print(found.prefix(1500))
    }
}
