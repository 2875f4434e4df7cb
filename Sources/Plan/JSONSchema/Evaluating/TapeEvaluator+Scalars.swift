extension TapeEvaluator {
    /// `enum` and `const`.
    mutating func applyValues(
        _ node: SchemaNode, _ number: Int, to value: Int
    ) throws(ExhaustedLimit) -> Bool {
        var isValid = true
        for index in node.values.indices {
            let rules = program.values.base[index]
            guard try !isAllowed(value, rules) else { continue }
            isValid = false
            if isCollecting {
                report(
                    rules.isConstant ? .const : .enum, number, value,
                    rules.isConstant
                        ? "must be \(program.listed(rules))" : "must be one of \(program.listed(rules))")
            }
        }
        return isValid
    }

    private mutating func isAllowed(_ value: Int, _ rules: ValueRules) throws(ExhaustedLimit) -> Bool {
        let node = tape[value]
        switch node.kind {
        case .null: return rules.allowsNull
        case .boolean: return node.flag ? rules.allowsTrue : rules.allowsFalse
        case .string:
            guard rules.strings.exists else { return false }
            try spend(Int(node.length) >> 6)
            let table = program.names.base[Int(rules.strings)]
            return tape.withString(node) { table.find($0) >= 0 }
        case .number:
            let exact = ExactNumber(tape.bytes(node))
            for constant in rules.numbers.indices {
                try spend(1 + Int(node.length) >> 6)
                if exact.compare(program.exactNumber(ProgramIndex(constant))) == 0 { return true }
            }
            return false
        default:
            for constant in rules.composites.indices {
                let entry = program.constants.base[constant]
                let (tape, view) = (tape, program.views.base[Int(entry.document)])
                let isEqual = try compare { (comparison) throws(ExhaustedLimit) in
                    try comparison.areEqual(tape, value, view, Int(entry.value))
                }
                if isEqual { return true }
            }
            return false
        }
    }
}

extension Program {
    /// The values of a rule as messages name them, the first few.
    func listed(_ rules: ValueRules) -> String {
        var texts: [String] = []
        if rules.strings.exists {
            let memory = nameTables[Int(rules.strings)]
            texts += (0..<memory.table.count).map { "\"\(memory.name($0))\"" }
        }
        texts += rules.numbers.indices.map { text(ProgramIndex($0)) }
        if rules.allowsNull { texts.append("null") }
        if rules.allowsTrue { texts.append("true") }
        if rules.allowsFalse { texts.append("false") }
        texts += rules.composites.indices.map { text(ProgramIndex($0)) }
        texts = texts.map { $0.utf8.count <= 60 ? $0 : String($0.prefix(50)) + "…" }
        guard texts.count > 8 else { return texts.joined(separator: ", ") }
        return texts.prefix(8).joined(separator: ", ") + " … (\(texts.count) values)"
    }
}

extension TapeEvaluator {
    // MARK: Numbers

    mutating func applyNumber(
        _ rules: NumberRules, _ number: Int, to value: Int
    ) throws(ExhaustedLimit) -> Bool {
        let bytes = tape.bytes(tape[value])
        let exact = ExactNumber(bytes)
        var isValid = true
        let program = program
        program.forEachBrokenBound(of: rules, exact) { keyword, relation, bound in
            isValid = false
            if isCollecting { report(keyword, number, value, "must be \(relation) \(program.text(bound))") }
        }
        if rules.multipleOf.exists {
            let divisor = program.divisors[Int(rules.multipleOf)]
            try spend(divisor.steps(exact))
            if !divisor.divides(exact) {
                if isCollecting {
                    report(.multipleOf, number, value, "must be a multiple of \(program.text(rules.multipleOfText))")
                }
                isValid = false
            }
        }
        return isValid
    }

    // MARK: Strings

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
                    .minLength, number, value,
                    "must have at least \(Self.count(rules.minimumLength, "character")), and has \(result.length)")
            }
        }
        if result.isTooLong {
            if isCollecting {
                report(
                    .maxLength, number, value,
                    "must have at most \(Self.count(rules.maximumLength, "character")), and has \(result.length)")
            }
        }
        if !result.matchesPattern {
            if isCollecting {
                report(
                    .pattern, number, value,
                    "must match the pattern \(program.patternObjects[Int(rules.pattern)].source)")
            }
        }
        if !result.matchesFormat {
            if isCollecting {
                report(.format, number, value, "must have the format \(rules.format?.name ?? "")")
            }
        }
        return result.isValid
    }

    /// Searches for a pattern; what that takes is taken from the text's steps, too.
    @inline(__always)
    mutating func search(_ pattern: ProgramIndex, in text: UnsafeBufferPointer<UInt8>) -> PatternOutcome {
        var left = limits.patternSteps
        defer { steps &-= limits.patternSteps &- left }
        return program.patterns.base[Int(pattern)]._withUnsafeGuaranteedRef { $0.search(text, steps: &left) }
    }

    static func count(_ count: Int64, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

/// What rules for strings say of one.
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

    /// How many Unicode scalars UTF-8 holds.
    static func scalars(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        for byte in text where byte & 0xC0 != 0x80 { count += 1 }
        return count
    }
}

extension Program {
    /// Calls `body` with each bound that a number breaks: the keyword, what the number must be to it, and the bound.
    func forEachBrokenBound(
        of rules: NumberRules, _ number: ExactNumber, _ body: (SchemaKeyword, StaticString, ProgramIndex) -> Void
    ) {
        func compare(_ bound: ProgramIndex) -> Int { number.compare(exactNumber(bound)) }
        if rules.minimum.exists, compare(rules.minimum) < 0 { body(.minimum, "at least", rules.minimum) }
        if rules.maximum.exists, compare(rules.maximum) > 0 { body(.maximum, "at most", rules.maximum) }
        if rules.exclusiveMinimum.exists, compare(rules.exclusiveMinimum) <= 0 {
            body(.exclusiveMinimum, "more than", rules.exclusiveMinimum)
        }
        if rules.exclusiveMaximum.exists, compare(rules.exclusiveMaximum) >= 0 {
            body(.exclusiveMaximum, "less than", rules.exclusiveMaximum)
        }
    }

    func exactNumber(_ constant: ProgramIndex) -> ExactNumber {
        let entry = constants.base[Int(constant)]
        let view = views.base[Int(entry.document)]
        return ExactNumber(view.bytes(view[Int(entry.value)]))
    }

    /// A constant as the schema writes it.
    func text(_ constant: ProgramIndex) -> String {
        let entry = constants.base[Int(constant)]
        let value = JSONDocument.Value(document: documents[Int(entry.document)], index: Int(entry.value))
        return String(decoding: value.source, as: UTF8.self)
    }
}
