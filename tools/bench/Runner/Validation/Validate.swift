import JSONSchema

/// The validator against the fastest that Python has.
struct Validate: Benchmark {
    let name = "validate"
    let summary = "100,000 lines validated on one core, times faster than jsonschema-rs with orjson"

    func figures(rounds: Int) throws -> [Figure] {
        let environment = try PythonEnvironment()
        return try [("all valid", false), ("a tenth invalid", true)].map { name, issues in
            try figure(name, ValidationLines(count: 100_000, issues: issues), environment, rounds: rounds)
        }
    }

    private func figure(
        _ name: String, _ lines: ValidationLines, _ environment: PythonEnvironment, rounds: Int
    ) throws -> Figure {
        let folder = try LogFolder()
        let files = try lines.write(to: folder)
        let baseline = try PythonValidation(environment, schema: files.schema, lines: files.lines)
        var validation = LineValidation(try LineValidation.compiledSchema(ValidationLines.schema.utf8))
        guard lines.bytes.withUnsafeBytes({ validation.invalidLines($0) }) == lines.invalid else {
            throw BenchmarkFailure("\(name): trackctl does not find the inserted lines")
        }
        guard try baseline.invalidLines() == lines.invalid else {
            throw BenchmarkFailure("\(name): the baseline does not find the inserted lines")
        }
        func check(_ count: Int) throws {
            guard count == lines.invalid.count else { throw BenchmarkFailure("\(name): a round finds other lines") }
        }
        let measured = try Rounds(
            rounds,
            subject: {
                var invalid = 0
                let time = nanoseconds(1) { invalid = lines.bytes.withUnsafeBytes { validation.countInvalid($0) } }
                try check(invalid)
                return time / Double(lines.count)
            },
            baseline: {
                let round = try baseline.round()
                try check(round.invalid)
                return round.nanoseconds / Double(lines.count)
            })
        return Figure(name: name, rounds: measured, ratio: .timesFaster, bar: .atLeast(1.5))
    }
}
