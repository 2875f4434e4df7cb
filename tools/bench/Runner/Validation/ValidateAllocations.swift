import CBaselines
import JSONSchema

/// Counts heap blocks while valid lines are validated.
struct ValidateAllocations: Benchmark {
    let name = "validate-allocations"
    let summary = "heap allocations while 100,000 valid lines are validated"

    func figures(rounds: Int) throws -> [Figure] {
        guard allocations_can_be_counted() else { throw BenchmarkFailure("cannot count allocations on this system") }
        let lines = ValidationLines(count: 100_000, issues: false)
        var validation = LineValidation(try LineValidation.compiledSchema(ValidationLines.schema.utf8))
        let faulty = ValidationLines(count: 100, issues: true)
        func count(_ lines: ValidationLines) throws -> Int64 {
            try lines.bytes.withUnsafeBytes { bytes in
                allocations_start()
                let invalid = validation.countInvalid(bytes)
                let blocks = allocations_stop()
                guard invalid == lines.invalid.count else { throw BenchmarkFailure("wrong count of invalid lines") }
                return blocks
            }
        }
        _ = try count(faulty)
        allocations_start()
        withExtendedLifetime([UInt8](repeating: 1, count: rounds)) {}
        let planted = allocations_stop()
        return [
            Figure(name: "a planted array is counted", count: planted, bar: .atLeast(1), isCheck: true),
            Figure(name: "all valid", count: try count(lines), bar: .atMost(1_000)),
        ]
    }
}
