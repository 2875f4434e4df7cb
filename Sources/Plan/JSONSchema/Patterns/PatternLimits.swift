/// How big a pattern may get.
enum PatternLimits {
    /// How deep groups may nest.
    static let depth = 250
    /// How many instructions a pattern may need, its counted repetitions written out.
    static let instructions = 50_000
    /// How many states a table may have; a pattern that needs more is searched without one.
    static let states = 1_000
    /// How many places a table may have, so that a row's start fits in 16 bits.
    static let places = 65_536
    /// How much work may go into building a table, in visits of instructions.
    static let tableWork = 500_000
    /// How many sets of characters, and how many classes, a table may tell apart.
    static let sets = 255
    /// How many ways back a search may keep, so that its memory stays bounded.
    static let waysBack = 500_000
}
