/// A compiled pattern, which every matcher runs or builds on.
struct PatternProgram: Sendable {
    let instructions: [PatternInstruction]
    /// The sets of characters that the instructions name.
    let sets: [ScalarSet]
    /// How many registers the instructions use. Group n has the registers 2n, its start, and 2n + 1, its end.
    let registerCount: Int
    /// Whether a match can only begin at the text's start.
    let isAnchored: Bool
    /// Whether it looks ahead or behind or refers back, which only backtracking can do.
    let needsBacktracking: Bool
    /// Whether words' boundaries matter.
    let usesWords: Bool
}
