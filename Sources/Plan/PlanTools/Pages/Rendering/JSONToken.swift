/// A piece of a JSON text that a page shows in one colour.
struct JSONToken {
    /// What it is.
    enum Kind {
        /// A member's name.
        case name
        case string
        case number
        /// `true`, `false`, `null`.
        case literal
        /// Brackets, commas, colons, white space.
        case mark
    }

    let kind: Kind
    let text: String
}
