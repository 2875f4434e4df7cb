import CBaselines
import Foundation

// benchmarks [NAME ...] [--json | --markdown] [--rounds N]: runs them in turn; status 1 if a bar is missed, 2 if one failed.
// benchmarks --list: their names, one a line.

func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("benchmarks: \(message)\n".utf8))
    exit(status)
}

var names: [String] = []
var rounds = 31
var style = Report.Style.text
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--list":
        for benchmark in Benchmarks.all { print(benchmark.name) }
        exit(0)
    case "--dump-in-c":
        // The baseline of `dump`, as a process of its own.
        guard let log = arguments.popFirst(), let condition = arguments.popFirst(), let output = arguments.popFirst(),
            baseline_dump(log, condition, output) >= 0
        else {
            fail("cannot dump the log", status: 74)
        }
        exit(0)
    case "--validate":
        // The subject of `validate-cli`, as a process of its own.
        guard let schema = arguments.popFirst(), let lines = arguments.popFirst() else {
            fail("--validate needs a schema and a file of lines", status: 64)
        }
        do {
            exit(try LineValidation.run(schema: schema, lines: lines) == 0 ? 0 : 1)
        } catch { fail("\(error)", status: 74) }
    case "--json": style = .json
    case "--markdown": style = .markdown
    case "--rounds":
        guard let count = arguments.popFirst().flatMap({ Int($0) }), count > 0 else {
            fail("--rounds needs a number from 1", status: 64)
        }
        rounds = count
    default:
        guard Benchmarks.all.contains(where: { $0.name == argument }) else {
            fail("unknown benchmark '\(argument)': see --list", status: 64)
        }
        names.append(argument)
    }
}

var report = Report(style: style)
for benchmark in Benchmarks.all where names.isEmpty || names.contains(benchmark.name) {
    do {
        report.add(try benchmark.figures(rounds: rounds), of: benchmark)
    } catch {
        fail("\(benchmark.name): \(error)", status: 2)
    }
}
exit(report.isMissed ? 1 : 0)
