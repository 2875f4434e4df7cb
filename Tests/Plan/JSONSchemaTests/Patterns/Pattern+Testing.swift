@testable import JSONSchema

extension Pattern {
    /// Searches a text with default limits.
    func search(_ text: String, steps: Int = 1_000_000) -> PatternOutcome {
        var text = text
        var steps = steps
        return text.withUTF8 { search($0, steps: &steps) }
    }

    /// The pattern, compiled for each matcher.
    static func forEachMatcher(_ source: String) throws -> [Pattern] {
        try [Matcher.best, .steps, .backtracking].map { try Pattern(source, matcher: $0) }
    }
}

extension [Pattern] {
    /// The common result of all matchers, or nil if they disagree.
    func search(_ text: String) -> PatternOutcome? {
        let outcomes = map { $0.search(text) }
        return Set(outcomes).count == 1 ? outcomes.first : nil
    }
}
