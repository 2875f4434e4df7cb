import Foundation
import JSONSchema

/// One compiled schema, shared by two threads.
struct ValidateCores: Benchmark {
    let name = "validate-cores"
    let summary = "the rate of two threads that validate halves of 100,000 lines, times that of one thread"

    func figures(rounds: Int) throws -> [Figure] {
        let lines = ValidationLines(count: 100_000, issues: false)
        let schema = try LineValidation.compiledSchema(ValidationLines.schema.utf8)
        let middle = lines.bytes[(lines.bytes.count / 2)...].firstIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let halves = [0..<middle, middle..<lines.bytes.count]
        let measured = try Rounds(
            rounds, subject: { try Self.measure(schema, lines, halves) / Double(lines.count) },
            baseline: { try Self.measure(schema, lines, [0..<lines.bytes.count]) / Double(lines.count) })
        return [Figure(name: "2 threads", rounds: measured, ratio: .timesFaster, bar: .atLeast(1.7))]
    }

    /// Nanoseconds of ten times all lines, a thread for each part.
    private static func measure(
        _ schema: CompiledSchema, _ lines: ValidationLines, _ parts: [Range<Int>]
    ) throws -> Double {
        try lines.bytes.withUnsafeBytes { bytes in
            nonisolated(unsafe) let bytes = bytes
            nonisolated(unsafe) let invalid = UnsafeMutablePointer<Int>.allocate(capacity: parts.count)  // one each
            defer { invalid.deallocate() }
            let time = nanoseconds(1) {
                DispatchQueue.concurrentPerform(iterations: parts.count) { part in
                    var validation = LineValidation(schema)
                    invalid[part] = (0..<10).reduce(0) { count, _ in
                        count + validation.countInvalid(UnsafeRawBufferPointer(rebasing: bytes[parts[part]]))
                    }
                }
            }
            guard parts.indices.allSatisfy({ invalid[$0] == 0 }) else {
                throw BenchmarkFailure("a thread finds a line invalid")
            }
            return time / 10
        }
    }
}
