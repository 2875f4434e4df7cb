@testable import JSONSchema

extension Pattern {
    /// Searches a text as each test does.
    func search(_ text: String, steps: Int = 1_000_000) -> PatternOutcome {
        var text = text
        var steps = steps
        return text.withUTF8 { search($0, steps: &steps) }
    }

    /// The pattern for each matcher.
    static func forEachMatcher(_ source: String) throws -> [Pattern] {
        try [Matcher.best, .steps, .backtracking].map { try Pattern(source, matcher: $0) }
    }
}

extension [Pattern] {
    /// What all say of a text, or nil if they do not agree.
    func search(_ text: String) -> PatternOutcome? {
        let outcomes = map { $0.search(text) }
        return Set(outcomes).count == 1 ? outcomes.first : nil
    }
}
