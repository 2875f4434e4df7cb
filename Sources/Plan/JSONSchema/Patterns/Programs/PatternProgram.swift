/// A compiled pattern, which all matchers use.
struct PatternProgram: Sendable {
    let instructions: [PatternInstruction]
    /// The character sets of the instructions.
    let sets: [ScalarSet]
    /// The number of registers. Group n uses register 2n for its start and 2n + 1 for its end.
    let registerCount: Int
    /// Whether a match can only start at the start of the text.
    let isAnchored: Bool
    /// Whether it has lookaround or backreferences, which only backtracking supports.
    let needsBacktracking: Bool
    /// Whether it has word boundaries.
    let usesWords: Bool
}

/// One instruction of a compiled pattern. By default, the next instruction follows.
enum PatternInstruction {
    /// Consumes a character of a set.
    case set(Int32)
    /// Consumes the character of a set before the offset, moving backwards.
    case setBefore(Int32)
    /// Continues at the first instruction, and if that fails at the second.
    case split(Int32, Int32)
    case jump(Int32)
    case assert(PatternAssertion)
    /// Saves the offset in a register.
    case keep(Int32)
    /// Clears a range of registers.
    case forget(from: Int32, to: Int32)
    /// Fails if a register has the current offset: an empty round ends a loop.
    case failIfEmpty(Int32)
    /// Jumps if a register has the current offset.
    case leaveIfEmpty(Int32, to: Int32)
    /// Consumes the match of a group.
    case backreference(Int32)
    /// Consumes the match of a group before the offset, moving backwards.
    case backreferenceBefore(Int32)
    /// Tries the instructions up to `lookEnd`, then continues at `next` from the same offset.
    case look(isNegative: Bool, next: Int32)
    case lookEnd
    case match
}

extension PatternInstruction {
    /// Returns the instruction with labels replaced by indexes.
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
