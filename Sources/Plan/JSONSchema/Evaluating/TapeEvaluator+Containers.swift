extension TapeEvaluator {
    mutating func applyArray(
        _ rules: ArrayRules, _ number: Int, to array: Int, marks: Int
    ) throws(ExhaustedLimit) -> Bool {
        let node = tape[array]
        let count = Int64(node.count)
        try spendOnParts(of: node)
        var isValid = true
        if count < rules.minimumItems {
            if isCollecting {
                report(
                    .minItems, node: number, value: array,
                    message: "must have at least \(Self.count(rules.minimumItems, "element")), but has \(count)")
            }
            isValid = false
        }
        if count > rules.maximumItems {
            if isCollecting {
                report(
                    .maxItems, node: number, value: array,
                    message: "must have at most \(Self.count(rules.maximumItems, "element")), but has \(count)")
            }
            isValid = false
        }
        guard isValid || collector != nil else { return false }
        if rules.isUnique, count > 1, try !areUnique(number, array) { isValid = false }
        guard isValid || collector != nil else { return false }
        var matches: Int64 = 0
        var location = 0
        var at = array + 1
        while at < node.next {
            let schema =
                location < rules.prefix.count ? program.lists.base[Int(rules.prefix.start) + location] : rules.items
            if schema.exists {
                let isPrefix = location < rules.prefix.count
                if try !descend(
                    schema, to: at, marks: Self.noMarks,
                    path: isPrefix ? .indexed(.prefixItems, location) : .keyword(.items), token: .index(location))
                {
                    isValid = false
                    guard collector != nil else { return false }
                }
                if marks != Self.noMarks { self.marks[marks + location] = 1 }
            }
            if rules.contains.exists, try test(rules.contains, on: at, marks: Self.noMarks) {
                matches += 1
                if marks != Self.noMarks { self.marks[marks + location] = 1 }
            }
            location += 1
            at = Int(tape[at].next)
        }
        if rules.contains.exists, !checkMatches(matches, rules: rules, number: number, array: array) { isValid = false }
        return isValid
    }

    private mutating func areUnique(_ number: Int, _ array: Int) throws(ExhaustedLimit) -> Bool {
        let tape = tape
        let duplicates = try compare { (comparison) throws(ExhaustedLimit) in try comparison.duplicates(in: tape, array)
        }
        guard let duplicates else { return true }
        if isCollecting {
            report(
                .uniqueItems, node: number, value: array,
                message: "elements \(duplicates.first) and \(duplicates.second) are equal, but must be unique")
        }
        return false
    }

    private mutating func checkMatches(_ matches: Int64, rules: ArrayRules, number: Int, array: Int) -> Bool {
        if matches < rules.minimumContains {
            if isCollecting {
                report(
                    matches == 0 && rules.minimumContains == 1 ? .contains : .minContains, node: number, value: array,
                    message: "must have at least \(Self.count(rules.minimumContains, "element")) matching contains, "
                        + "but has \(matches)")
            }
            return false
        }
        if matches > rules.maximumContains {
            if isCollecting {
                report(
                    .maxContains, node: number, value: array,
                    message: "must have at most \(Self.count(rules.maximumContains, "element")) matching contains, "
                        + "but has \(matches)")
            }
            return false
        }
        return true
    }

    mutating func applyObject(
        _ rules: ObjectRules, _ number: Int, to object: Int, marks: Int
    ) throws(ExhaustedLimit) -> Bool {
        let node = tape[object]
        let names = program.names.base[Int(rules.names)]
        try spendOnParts(of: node)
        let seen = try pushMarks(names.count)
        defer { popMarks(seen) }
        var isValid = true
        var location = 0
        var at = object + 1
        while at < node.next {
            let slot = try slot(of: at, in: names)
            if slot >= 0 { self.marks[seen + slot] = 1 }
            if try !applyMember(
                rules, number: number, name: at, slot: slot, isMarked: marks == Self.noMarks ? nil : marks + location)
            {
                isValid = false
                guard collector != nil else { return false }
            }
            location += 1
            at = Int(tape[at + 1].next)
        }
        return checkPresence(rules, number: number, object: object, seen: seen) && isValid
    }

    private mutating func applyMember(
        _ rules: ObjectRules, number: Int, name: Int, slot: Int, isMarked mark: Int?
    ) throws(ExhaustedLimit) -> Bool {
        var isValid = true
        var isEvaluated = false
        let schema = slot >= 0 ? program.names.base[Int(rules.names)].entries[slot].node : .none
        if schema.exists {
            isEvaluated = true
            isValid = try descend(
                schema, to: name + 1, marks: Self.noMarks, path: .named(.properties, name), token: .name(name))
        }
        for index in rules.patterns.indices where isValid || collector != nil {
            let entry = program.patternProperties.base[index]
            guard try isFound(entry.pattern, in: name) else { continue }
            isEvaluated = true
            let isMatch = try descend(
                entry.node, to: name + 1, marks: Self.noMarks,
                path: .pattern(entry.pattern), token: .name(name))
            isValid = isValid && isMatch
        }
        if !isEvaluated, rules.additional.exists {
            isEvaluated = true
            if program.nodes.base[Int(rules.additional)].kind == .nothing {
                if isCollecting {
                    report(
                        .additionalProperties, node: number, value: name,
                        message: "\"\(text(name))\" is not allowed here", at: .name(name))
                }
                isValid = false
            } else {
                isValid = try descend(
                    rules.additional, to: name + 1, marks: Self.noMarks, path: .keyword(.additionalProperties),
                    token: .name(name))
            }
        }
        if rules.propertyNames.exists, isValid || collector != nil,
            try !descend(
                rules.propertyNames, to: name, marks: Self.noMarks, path: .keyword(.propertyNames), token: .name(name))
        {
            isValid = false
        }
        if let mark, isEvaluated { marks[mark] = 1 }
        return isValid
    }

    /// Returns the index of a member's name in a table; -1 if it is not there.
    mutating func slot(of name: Int, in names: NameTable) throws(ExhaustedLimit) -> Int {
        let node = tape[name]
        try spend(Int(node.length) >> 6)
        return tape.withString(node) { names.find($0) }
    }

    func text(_ name: Int) -> String { tape.withString(tape[name]) { String(decoding: $0, as: UTF8.self) } }

    private mutating func isFound(_ pattern: ProgramIndex, in name: Int) throws(ExhaustedLimit) -> Bool {
        let tape = tape
        try spend(1 + Int(tape[name].length) >> 6)
        let outcome = tape.withString(tape[name]) { search(pattern, in: $0) }
        if outcome == .exhausted { throw .patternSteps }
        try spend(0)
        return outcome == .found
    }

    /// Checks the rules that depend on which members are present.
    private mutating func checkPresence(_ rules: ObjectRules, number: Int, object: Int, seen: Int) -> Bool {
        var isValid = true
        let count = Int64(tape[object].count)
        if count < rules.minimumProperties {
            if isCollecting {
                report(
                    .minProperties, node: number, value: object,
                    message: "must have at least \(Self.count(rules.minimumProperties, "member")), but has \(count)")
            }
            isValid = false
        }
        if count > rules.maximumProperties {
            if isCollecting {
                report(
                    .maxProperties, node: number, value: object,
                    message: "must have at most \(Self.count(rules.maximumProperties, "member")), but has \(count)")
            }
            isValid = false
        }
        func name(_ slot: Int32) -> String { program.nameTables[Int(rules.names)].name(Int(slot)) }
        for index in rules.required.indices {
            let slot = program.lists.base[index]
            guard marks[seen + Int(slot)] == 0 else { continue }
            if isCollecting {
                report(.required, node: number, value: object, message: "\"\(name(slot))\" is missing")
            }
            isValid = false
        }
        for index in rules.dependentRequired.indices {
            let entry = program.nameDependencies.base[index]
            guard marks[seen + Int(entry.slot)] != 0, marks[seen + Int(entry.needed)] == 0 else { continue }
            if isCollecting {
                report(
                    .dependentRequired, node: number, value: object,
                    message: "\"\(name(entry.needed))\" is missing, but \"\(name(entry.slot))\" requires it")
            }
            isValid = false
        }
        return isValid
    }
}
