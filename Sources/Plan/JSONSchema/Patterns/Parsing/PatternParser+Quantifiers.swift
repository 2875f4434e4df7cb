extension PatternParser {
    /// Reads a quantifier, or nil if none is next.
    mutating func readQuantifier(groupsBefore: Int) throws(PatternSyntaxError) -> PatternRepetition? {
        let limits: (minimum: Int, maximum: Int?)
        if text.take("*") {
            limits = (0, nil)
        } else if text.take("+") {
            limits = (1, nil)
        } else if text.take("?") {
            limits = (0, 1)
        } else if text.peek() == UInt8(ascii: "{") {
            limits = try readCounts()
        } else {
            return nil
        }
        let isLazy = text.take("?")
        // Group n has the number n, so the groups inside begin one after those before.
        return PatternRepetition(
            minimum: limits.minimum, maximum: limits.maximum, isGreedy: !isLazy,
            groups: groupsBefore + 1..<groupCount + 1)
    }

    /// Reads `{n}`, `{n,}` or `{n,m}`.
    private mutating func readCounts() throws(PatternSyntaxError) -> (minimum: Int, maximum: Int?) {
        let start = text.offset
        text.skip()
        guard let minimum = text.number() else { throw text.fault("a repetition needs a number", at: start) }
        var maximum: Int? = minimum
        if text.take(",") { maximum = text.number() }
        guard text.take("}") else { throw text.fault("this repetition has no end", at: start) }
        if let maximum, maximum < minimum { throw text.fault("the numbers of a repetition must ascend", at: start) }
        return (minimum, maximum)
    }
}
