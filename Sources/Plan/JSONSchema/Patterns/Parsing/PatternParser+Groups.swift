extension PatternParser {
    /// Reads a group's opening parenthesis and the group's kind.
    mutating func openGroup() throws(PatternSyntaxError) {
        let start = text.offset
        if makesTree, open.count > PatternLimits.depth { throw text.issue("groups are nested too deeply") }
        let before = groupCount
        let kind = try readGroupKind()
        open.append(OpenGroup(kind, offset: start, groupsBefore: before))
    }

    private mutating func readGroupKind() throws(PatternSyntaxError) -> OpenGroup.Kind {
        let start = text.offset
        text.skip()
        if !text.consume("?") {
            groupCount += 1
            return .capturing(groupCount)
        }
        if text.consume(":") { return .plain }
        if let look = takeLook() {
            looks = true
            return .look(look)
        }
        guard text.consume("<") else { throw text.issue("unknown kind of group", at: start) }
        let nameStart = text.offset
        let name = try readGroupName()
        groupCount += 1
        if groupNames.updateValue(groupCount, forKey: name) != nil {
            throw text.issue("duplicate group name", at: nameStart)
        }
        return .capturing(groupCount)
    }

    private mutating func takeLook() -> PatternLook? {
        if text.consume("=") { return .ahead }
        if text.consume("!") { return .notAhead }
        if text.consume("<=") { return .behind }
        if text.consume("<!") { return .notBehind }
        return nil
    }

    /// Reads a group's closing parenthesis and its quantifier.
    mutating func closeGroup() throws(PatternSyntaxError) {
        if open.count == 1 { throw text.issue("closing parenthesis without a group") }
        text.skip()
        let body = bodyOfInnermostGroup()
        let group = open.removeLast()
        switch group.kind {
        case .whole, .plain: try append(body, groupsBefore: group.groupsBefore)
        case .capturing(let number): try append(make(.group(number, body)), groupsBefore: group.groupsBefore)
        case .look(let look):
            append(make(.look(look, body)))
        }
    }

    /// Reads a group's name and the `>` after it.
    mutating func readGroupName() throws(PatternSyntaxError) -> [UInt8] {
        var name = String.UnicodeScalarView()
        while !text.consume(">") {
            let start = text.offset
            guard var value = text.scalar() else { throw text.issue("unterminated group name", at: start) }
            if value == 0x5C {
                guard text.consume("u") else { throw text.issue("a group name allows only the escape \\u", at: start) }
                value = try readUnicodeEscape(from: start)
            }
            guard let scalar = Unicode.Scalar(value), isAllowed(scalar, isFirst: name.isEmpty) else {
                throw text.issue("a group name does not allow this character", at: start)
            }
            name.append(scalar)
        }
        if name.isEmpty { throw text.issue("a group name must not be empty", at: text.offset - 1) }
        return Array(String(name).utf8)
    }

    private func isAllowed(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        if scalar == "$" || scalar == "_" { return true }
        if isFirst { return scalar.properties.isIDStart }
        return scalar.properties.isIDContinue || scalar.value == 0x200C || scalar.value == 0x200D
    }
}

extension PatternParser {
    /// Reads a quantifier, or returns nil if there is none.
    mutating func readQuantifier(groupsBefore: Int) throws(PatternSyntaxError) -> PatternRepetition? {
        let limits: (minimum: Int, maximum: Int?)
        if text.consume("*") {
            limits = (0, nil)
        } else if text.consume("+") {
            limits = (1, nil)
        } else if text.consume("?") {
            limits = (0, 1)
        } else if text.peek() == UInt8(ascii: "{") {
            limits = try readCounts()
        } else {
            return nil
        }
        let isLazy = text.consume("?")
        // Group n has the number n, so the inner groups follow the groups before this one.
        return PatternRepetition(
            minimum: limits.minimum, maximum: limits.maximum, isGreedy: !isLazy,
            groups: groupsBefore + 1..<groupCount + 1)
    }

    /// Reads `{n}`, `{n,}` or `{n,m}`.
    private mutating func readCounts() throws(PatternSyntaxError) -> (minimum: Int, maximum: Int?) {
        let start = text.offset
        text.skip()
        guard let minimum = text.number() else { throw text.issue("a quantifier needs a number", at: start) }
        var maximum: Int? = minimum
        if text.consume(",") { maximum = text.number() }
        guard text.consume("}") else { throw text.issue("unterminated quantifier", at: start) }
        if let maximum, maximum < minimum { throw text.issue("the numbers of a quantifier must ascend", at: start) }
        return (minimum, maximum)
    }
}
