/// A parsed pattern.
///
/// Nodes name each other by their places, so that no work on a deeply nested pattern needs a deep stack.
struct PatternTree {
    let nodes: [PatternNode]
    /// The place of the node that is the whole pattern.
    let root: Int
    /// The sets of characters that the nodes name, each once.
    let sets: [ScalarSet]
    /// How many capturing groups there are.
    let groupCount: Int
    /// The group that each backreference means.
    let references: [Int]
    /// Whether the pattern looks ahead or behind.
    let looks: Bool
}
