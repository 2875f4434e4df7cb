/// How often a part of a pattern matches.
struct PatternRepetition {
    let minimum: Int
    /// The most often it matches, or nil for without end.
    let maximum: Int?
    /// Whether it rather matches more often than less.
    let isGreedy: Bool
    /// The groups inside of it, which each round forgets.
    let groups: Range<Int>
}
