/// A group whose end was not yet read.
struct OpenGroup {
    enum Kind {
        /// The pattern itself, which no parenthesis closes.
        case whole
        case plain
        case capturing(Int)
        case look(PatternLook)
    }

    let kind: Kind
    /// Where its parenthesis is.
    let offset: Int
    /// How many capturing groups began before it.
    let groupsBefore: Int
    /// The alternatives that are complete.
    private var alternatives: [PatternNode] = []
    /// What was read of the alternative that is not.
    private var items: [PatternNode] = []

    init(_ kind: Kind, offset: Int, groupsBefore: Int) {
        self.kind = kind
        self.offset = offset
        self.groupsBefore = groupsBefore
    }

    mutating func append(_ node: PatternNode) { items.append(node) }

    mutating func endAlternative() {
        alternatives.append(.joined(items))
        items.removeAll()
    }

    /// What was read between the parentheses.
    mutating func body() -> PatternNode {
        endAlternative()
        return .either(alternatives)
    }
}
