extension TapeEvaluator {
    mutating func applyString(
        _ rules: StringRules, _ number: Int, to value: Int
    ) throws(ExhaustedLimit) -> Bool {
        let node = tape[value]
        try spend(Int(node.length) >> 6 + (rules.format?.steps(Int(node.length)) ?? 0))
        let tape = tape
        let result = tape.withString(node) { text in
            StringCheck(rules, text) { search(rules.pattern, in: $0) }
        }
        if result.isExhausted { throw .patternSteps }
        try spend(0)
        if result.isTooShort {
            if isCollecting {
                report(
                    .minLength, node: number, value: value,
                    message:
                        "must have at least \(Self.count(rules.minimumLength, "character")), but has \(result.length)")
            }
        }
        if result.isTooLong {
            if isCollecting {
                report(
                    .maxLength, node: number, value: value,
                    message:
                        "must have at most \(Self.count(rules.maximumLength, "character")), but has \(result.length)")
            }
        }
        if !result.matchesPattern {
            if isCollecting {
                report(
                    .pattern, node: number, value: value,
                    message: "must match the pattern \(program.patternObjects[Int(rules.pattern)].source)")
            }
        }
        if !result.matchesFormat {
            if isCollecting {
                report(.format, node: number, value: value, message: "must have the format \(rules.format?.name ?? "")")
            }
        }
        return result.isValid
    }

    /// Searches for a pattern. Its steps also count towards the text's steps.
    @inline(__always)
    mutating func search(_ pattern: ProgramIndex, in text: UnsafeBufferPointer<UInt8>) -> PatternOutcome {
        var left = limits.patternSteps
        defer { steps &-= limits.patternSteps &- left }
        return program.patterns.base[Int(pattern)]._withUnsafeGuaranteedRef { $0.search(text, steps: &left) }
    }

    static func count(_ count: Int64, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

struct StringCheck {
    private(set) var length: Int64 = 0
    private(set) var isTooShort = false
    private(set) var isTooLong = false
    private(set) var matchesPattern = true
    private(set) var matchesFormat = true
    private(set) var isExhausted = false

    var isValid: Bool { !isTooShort && !isTooLong && matchesPattern && matchesFormat && !isExhausted }

    /// - Parameter search: Searches for the pattern of the rules.
    init(
        _ rules: StringRules, _ text: UnsafeBufferPointer<UInt8>,
        search: (UnsafeBufferPointer<UInt8>) -> PatternOutcome
    ) {
        if rules.hasLengths {
            length = Int64(Self.scalars(text))
            isTooShort = length < rules.minimumLength
            isTooLong = length > rules.maximumLength
        }
        if rules.pattern.exists {
            switch search(text) {
            case .found: break
            case .notFound: matchesPattern = false
            case .exhausted: isExhausted = true
            }
        }
        if let format = rules.format { matchesFormat = format.accepts(text) }
    }

    /// Returns the number of Unicode scalars in UTF-8.
    static func scalars(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        for byte in text where byte & 0xC0 != 0x80 { count += 1 }
        return count
    }
}
