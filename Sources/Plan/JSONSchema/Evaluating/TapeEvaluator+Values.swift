extension TapeEvaluator {
    /// Applies `enum` and `const`.
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
                    rules.isConstant ? .const : .enum, node: number, value: value,
                    message: rules.isConstant
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
                let tape = tape
                let view = program.views.base[Int(entry.document)]
                let isEqual = try compare { (comparison) throws(ExhaustedLimit) in
                    try comparison.areEqual(tape, at: value, view, at: Int(entry.value))
                }
                if isEqual { return true }
            }
            return false
        }
    }
}

extension Program {
    /// Returns the first values of a rule for a message.
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
