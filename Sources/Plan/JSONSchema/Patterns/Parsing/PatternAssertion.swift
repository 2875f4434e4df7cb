/// What must hold at a place, without any character being taken.
enum PatternAssertion {
    case start
    case end
    case wordBoundary
    case noWordBoundary

    /// Whether it holds between two neighbours.
    @inline(__always)
    func holds(before: TextEdge, after: TextEdge) -> Bool {
        switch self {
        case .start: before == .boundary
        case .end: after == .boundary
        case .wordBoundary: (before == .word) != (after == .word)
        case .noWordBoundary: (before == .word) == (after == .word)
        }
    }
}
