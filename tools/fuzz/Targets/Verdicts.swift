internal import JSONSchema

/// Checks that all modes of the validator agree.
enum Verdicts {
    static func compare(
        _ validator: inout SchemaValidator, _ text: UnsafeRawBufferPointer, about schema: @autoclosure () -> String
    ) throws {
        let verdict = validator.verdict(on: text)
        let tape = validator.verdictByTape(on: text)
        let (listed, violations) = validator.violations(in: text, atMost: 20)
        if verdict == .valid {
            // The one pass takes fewer steps: it applies no schema twice to a value but where patterns say so.
            if case .undecided = tape {
            } else {
                try require(tape == .valid, "\(schema()): one pass: valid, the tape: \(tape)")
            }
        } else {
            try require(tape == verdict, "\(schema()): first \(verdict), then \(tape)")
        }
        // Collecting goes on where the verdict alone is out, so it may reach a limit.
        if case .undecided = listed { return }
        try require(listed == verdict, "\(schema()): \(verdict) became \(listed) with violations")
        try require(
            violations.isEmpty == (listed != .invalid), "\(schema()): \(listed), with \(violations.count) violations")
        for violation in violations {
            try require(
                (0..<max(text.count, 1)).contains(violation.offset), "\(schema()): a violation lies outside the text")
        }
    }
}
