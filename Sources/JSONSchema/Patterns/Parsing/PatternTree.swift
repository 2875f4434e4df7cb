/// A parsed pattern.
struct PatternTree {
    let root: PatternNode
    /// The sets of characters that the nodes name, each once.
    let sets: [ScalarSet]
    /// How many capturing groups there are.
    let groupCount: Int
    /// The group that each backreference means.
    let references: [Int]
    /// Whether the pattern looks ahead or behind.
    let looks: Bool
}
