extension TapeEvaluator {
    mutating func applyNumber(
        _ rules: NumberRules, _ number: Int, to value: Int
    ) throws(ExhaustedLimit) -> Bool {
        let bytes = tape.bytes(tape[value])
        let exact = ExactNumber(bytes)
        var isValid = true
        let program = program
        program.forEachBrokenBound(of: rules, exact) { keyword, relation, bound in
            isValid = false
            if isCollecting {
                report(keyword, node: number, value: value, message: "must be \(relation) \(program.text(bound))")
            }
        }
        if rules.multipleOf.exists {
            let divisor = program.divisors[Int(rules.multipleOf)]
            try spend(divisor.steps(exact))
            if !divisor.divides(exact) {
                if isCollecting {
                    report(
                        .multipleOf, node: number, value: value,
                        message: "must be a multiple of \(program.text(rules.multipleOfText))")
                }
                isValid = false
            }
        }
        return isValid
    }
}

extension Program {
    /// Calls `body` with each violated bound: the keyword, the required relation, and the bound.
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

    /// Returns a constant as the schema writes it.
    func text(_ constant: ProgramIndex) -> String {
        let entry = constants.base[Int(constant)]
        let value = JSONDocument.Value(document: documents[Int(entry.document)], index: Int(entry.value))
        return String(decoding: value.source, as: UTF8.self)
    }
}
