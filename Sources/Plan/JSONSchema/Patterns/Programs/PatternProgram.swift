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

/// One step of a compiled pattern. Where it does not say otherwise, the next one follows.
enum PatternInstruction {
    /// Takes a character of a set.
    case set(Int32)
    /// Takes a character of a set before the place, going back.
    case setBefore(Int32)
    /// Goes on at the first, and if that fails at the second.
    case split(Int32, Int32)
    case jump(Int32)
    case assert(PatternAssertion)
    /// Keeps the place in a register.
    case keep(Int32)
    /// Forgets what a range of registers keeps.
    case forget(from: Int32, to: Int32)
    /// Fails if the place is the one that a register keeps: a round that took nothing ends a loop.
    case failIfEmpty(Int32)
    /// Goes on elsewhere if the place is the one that a register keeps.
    case leaveIfEmpty(Int32, to: Int32)
    /// Takes what a group matched.
    case backreference(Int32)
    /// Takes what a group matched before the place, going back.
    case backreferenceBefore(Int32)
    /// Tries what follows up to `lookEnd`, then goes on at `next` from the same place.
    case look(isNegative: Bool, next: Int32)
    case lookEnd
    case match
}

extension PatternInstruction {
    /// The instruction with the places of the labels that it names.
    func resolved(_ labels: [Int32]) -> PatternInstruction {
        switch self {
        case .split(let first, let second): .split(labels[Int(first)], labels[Int(second)])
        case .jump(let target): .jump(labels[Int(target)])
        case .leaveIfEmpty(let register, let target): .leaveIfEmpty(register, to: labels[Int(target)])
        case .look(let isNegative, let next): .look(isNegative: isNegative, next: labels[Int(next)])
        default: self
        }
    }
}
