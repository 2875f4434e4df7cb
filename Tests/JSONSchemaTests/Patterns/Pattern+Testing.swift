@testable import JSONSchema

extension Pattern {
    /// Searches a text as each test does.
    func search(_ text: String, steps: Int = 1_000_000) -> PatternOutcome {
        var text = text
        return text.withUTF8 { search($0, steps: steps) }
    }

    /// What each matcher says of a text, one after the other.
    static func outcomes(_ source: String, _ text: String) throws -> [PatternOutcome] {
        try [Matcher.best, .table, .steps, .backtracking].map { matcher in
            try Pattern(source, matcher: matcher).search(text)
        }
    }
}
