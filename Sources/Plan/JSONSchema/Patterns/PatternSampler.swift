/// Makes texts that a pattern finds, by walking through the pattern.
///
/// What a walk cannot keep to (a look around, an edge of a word, an anchor in the middle) is asked of the pattern itself
/// afterwards: a text that it does not find is not given.
package struct PatternSampler: Sendable {
    private let tree: PatternTree
    private let pattern: Pattern
    /// How many scalars a text may have.
    private static let longest = 1 << 20
    /// How much a search may take that checks a text.
    private static let steps = 1_000_000

    /// Reads a pattern; nil for a text that is none, or too large.
    package init?(_ source: String) {
        guard let tree = try? PatternParser.parse(source), let pattern = try? Pattern(source) else { return nil }
        self.tree = tree
        self.pattern = pattern
    }

    /// Whether the pattern finds anything in a text.
    package func finds(in text: [UInt8]) -> Bool {
        var steps = Self.steps
        return text.withUnsafeBufferPointer { pattern.search($0, steps: &steps) == .found }
    }

    /// A text; nil if this walk led to none. Another one may lead to one.
    ///
    /// - Parameters:
    ///   - rounds: How many rounds more than it must an open repetition takes, as far as it may.
    ///   - choose: Gives a number from 0 to below another, which is at least 1.
    package func sample(rounds: ClosedRange<Int>, choose: (Int) -> Int) -> [UInt8]? {
        var walk = PatternWalk(tree: tree, rounds: rounds, longest: Self.longest)
        guard walk.visit(tree.root, choose) else { return nil }
        let text = walk.text
        return finds(in: text) ? text : nil
    }
}
