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
    var alternatives: [Int] = []
    /// What was read of the alternative that is not.
    var items: [Int] = []

    init(_ kind: Kind, offset: Int, groupsBefore: Int) {
        self.kind = kind
        self.offset = offset
        self.groupsBefore = groupsBefore
    }
}
