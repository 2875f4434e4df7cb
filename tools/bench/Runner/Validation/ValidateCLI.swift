import Foundation

/// A process that validates a file, against the command line of sourcemeta (AGPL: a tool of this comparison only).
struct ValidateCLI: Benchmark {
    let name = "validate-cli"
    let summary = "a process that validates a file of 100,000 lines, times faster than sourcemeta's jsonschema"

    func figures(rounds: Int) throws -> [Figure] {
        let program = try PythonEnvironment().sourcemeta()
        let folder = try LogFolder()
        try check(ValidationLines(count: 1_000, issues: true), program, folder)
        let count = 100_000
        let files = try ValidationLines(count: count, issues: false).write(to: folder)
        func time(_ program: String, _ arguments: [String]) throws -> Double {
            try ChildUsage.of(
                program, arguments + [files.schema, files.lines], output: folder("output"), errors: folder("errors")
            ).nanoseconds / 1e6
        }
        let measured = try Rounds(
            max(rounds / 3, 1),
            subject: { try time(CommandLine.arguments[0], ["--validate"]) },
            baseline: {
                let time = try time(program, ["validate", "--fast", "-F"])
                guard text(folder("errors")).hasSuffix("\(count) validated, \(count) passed, 0 failed\n") else {
                    throw BenchmarkFailure("the baseline does not validate all lines")
                }
                return time
            })
        return [Figure(name: "all valid", rounds: measured, unit: "ms", ratio: .timesFaster, bar: .atLeast(5))]
    }

    /// Makes sure that both find the planted lines, and nothing else.
    private func check(_ lines: ValidationLines, _ program: String, _ folder: LogFolder) throws {
        let files = try lines.write(to: folder)
        guard try LineValidation.run(schema: files.schema, lines: files.lines) == lines.invalid.count else {
            throw BenchmarkFailure("trackctl does not find the inserted lines")
        }
        // Its status says that lines are invalid; which ones, it writes as `fail: PATH (entry #1)`.
        let script = #""$0" validate --continue --fast -F "$1" "$2"; test $? = 2"#
        _ = try ChildUsage.of(
            "/bin/sh", ["-c", script, program, files.schema, files.lines], output: folder("output"),
            errors: folder("found"))
        let found = text(folder("found")).split(separator: "\n").filter { $0.hasPrefix("fail: ") }.map { line in
            line.split(separator: "#").last.flatMap { Int($0.dropLast()) }.map { $0 - 1 } ?? -1
        }
        guard Set(found).sorted() == lines.invalid else {
            throw BenchmarkFailure("the baseline does not find the inserted lines")
        }
    }

    private func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
