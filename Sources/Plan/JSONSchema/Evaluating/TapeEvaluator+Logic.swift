extension TapeEvaluator {
    /// Applies the schemas of the same value.
    mutating func applyLogic(
        _ rules: LogicRules, _ number: Int, to value: Int, marks: Int
    ) throws(ExhaustedLimit) -> Bool {
        var isValid = true
        if rules.reference.exists,
            try !descend(rules.reference, to: value, marks: marks, path: .keyword(.ref))
        {
            isValid = false
        }
        if rules.dynamicReference.exists, isValid || collector != nil {
            let target =
                rules.dynamicAnchor.exists
                ? dynamicTarget(rules.dynamicAnchor) ?? Int(rules.dynamicReference) : Int(rules.dynamicReference)
            if try !descend(ProgramIndex(target), to: value, marks: marks, path: .keyword(.dynamicRef)) {
                isValid = false
            }
        }
        for (location, index) in rules.allOf.indices.enumerated() where isValid || collector != nil {
            let schema = program.lists.base[index]
            if try !descend(schema, to: value, marks: marks, path: .indexed(.allOf, location)) { isValid = false }
        }
        guard isValid || collector != nil else { return false }
        if try !applyAlternatives(rules, number, to: value, marks: marks) { isValid = false }
        guard isValid || collector != nil else { return false }
        if rules.not.exists, try test(rules.not, on: value, marks: Self.noMarks) {
            if isCollecting {
                report(.not, node: number, value: value, message: "must not satisfy the schema in not")
            }
            isValid = false
        }
        guard isValid || collector != nil else { return false }
        if rules.condition.exists, try !applyCondition(rules, to: value, marks: marks) { isValid = false }
        guard isValid || collector != nil else { return false }
        if !rules.dependentSchemas.isEmpty, try !applyDependent(rules, to: value, marks: marks) { isValid = false }
        return isValid
    }

    private mutating func applyAlternatives(
        _ rules: LogicRules, _ number: Int, to value: Int, marks: Int
    ) throws(ExhaustedLimit) -> Bool {
        var isValid = true
        if !rules.anyOf.isEmpty {
            let count = try matches(rules.anyOf, value, marks: marks, stopAt: marks == Self.noMarks ? 1 : .max)
            if count == 0 {
                if isCollecting, try !explain(.anyOf, range: rules.anyOf, value: value) {
                    report(
                        .anyOf, node: number, value: value,
                        message: "must satisfy at least one of \(rules.anyOf.count) schemas, but satisfies none")
                }
                isValid = false
            }
        }
        guard isValid || collector != nil else { return false }
        if !rules.oneOf.isEmpty {
            let count = try matches(rules.oneOf, value, marks: marks, stopAt: collector == nil ? 2 : .max)
            if count != 1 {
                var isExplained = false
                if isCollecting, count == 0 { isExplained = try explain(.oneOf, range: rules.oneOf, value: value) }
                if isCollecting, !isExplained {
                    report(
                        .oneOf, node: number, value: value,
                        message: "must satisfy exactly one of \(rules.oneOf.count) schemas, but satisfies "
                            + (count == 0 ? "none" : "\(count)"))
                }
                isValid = false
            }
        }
        return isValid
    }

    /// Reports the violations of the only alternative that accepts values of this type, if there is just one: the
    /// others cannot be intended.
    private mutating func explain(
        _ keyword: SchemaKeyword, range: ProgramRange, value: Int
    ) throws(ExhaustedLimit) -> Bool {
        var meant: (location: Int, node: ProgramIndex)?
        for (location, index) in range.indices.enumerated() {
            let number = program.lists.base[index]
            let node = program.nodes.base[Int(program.nodes.base[Int(number)].target)]
            guard node.kind != .nothing, hasType(node.types, value) else { continue }
            guard meant == nil else { return false }
            meant = (location, number)
        }
        guard let meant else { return false }
        return try !descend(meant.node, to: value, marks: Self.noMarks, path: .indexed(keyword, meant.location))
    }

    /// Returns how many schemas a value satisfies; only those leave marks.
    private mutating func matches(
        _ range: ProgramRange, _ value: Int, marks: Int, stopAt limit: Int
    ) throws(ExhaustedLimit) -> Int {
        var count = 0
        for index in range.indices {
            if try tryOut(program.lists.base[index], on: value, marks: marks) {
                count += 1
                if count >= limit { break }
            }
        }
        return count
    }

    /// Applies a schema that may fail without a violation. It leaves marks only on success.
    private mutating func tryOut(_ node: ProgramIndex, on value: Int, marks: Int) throws(ExhaustedLimit) -> Bool {
        guard marks != Self.noMarks else { return try test(node, on: value, marks: marks) }
        let count = Int(tape[value].count)
        let own = try pushMarks(count)
        defer { popMarks(own) }
        let isValid = try test(node, on: value, marks: own)
        if isValid { merge(own, into: marks, count) }
        return isValid
    }

    private mutating func applyCondition(
        _ rules: LogicRules, to value: Int, marks: Int
    ) throws(ExhaustedLimit) -> Bool {
        if try tryOut(rules.condition, on: value, marks: marks) {
            guard rules.consequence.exists else { return true }
            return try descend(rules.consequence, to: value, marks: marks, path: .keyword(.then))
        }
        guard rules.alternative.exists else { return true }
        return try descend(rules.alternative, to: value, marks: marks, path: .keyword(.else))
    }

    private mutating func applyDependent(
        _ rules: LogicRules, to value: Int, marks: Int
    ) throws(ExhaustedLimit) -> Bool {
        let node = tape[value]
        guard node.kind == .object else { return true }
        try spendOnParts(of: node)
        let names = program.names.base[Int(rules.dependentSchemas.start)]
        var isValid = true
        var at = value + 1
        while at < node.next, isValid || collector != nil {
            let slot = try slot(of: at, in: names)
            if slot >= 0,
                try !descend(
                    names.entries[slot].node, to: value, marks: marks, path: .named(.dependentSchemas, at))
            {
                isValid = false
            }
            at = Int(tape[at + 1].next)
        }
        return isValid
    }

    /// Applies `unevaluatedItems` and `unevaluatedProperties` to the parts that no schema has evaluated.
    mutating func applyUnevaluated(
        _ node: SchemaNode, _ number: Int, to value: Int, marks: Int
    ) throws(ExhaustedLimit) -> Bool {
        let rules = program.logic.base[Int(node.logic)]
        let container = tape[value]
        let isObject = container.kind == .object
        let schema = isObject ? rules.unevaluatedProperties : rules.unevaluatedItems
        guard schema.exists else { return true }
        let keyword: SchemaKeyword = isObject ? .unevaluatedProperties : .unevaluatedItems
        let isForbidden = program.nodes.base[Int(schema)].kind == .nothing
        var isValid = true
        var at = value + 1
        var location = 0
        while at < container.next {
            let part = isObject ? at + 1 : at
            if self.marks[marks + location] == 0 {
                if isForbidden {
                    if isCollecting {
                        report(
                            keyword, node: number, value: at,
                            message: isObject
                                ? "\"\(text(at))\" is not allowed here" : "element \(location) is not allowed here",
                            at: isObject ? .name(at) : .index(location))
                    }
                    isValid = false
                } else if try !descend(
                    schema, to: part, marks: Self.noMarks, path: .keyword(keyword),
                    token: isObject ? .name(at) : .index(location))
                {
                    isValid = false
                }
                guard isValid || collector != nil else { return false }
                self.marks[marks + location] = 1
            }
            location += 1
            at = Int(tape[part].next)
        }
        return isValid
    }
}
