/// What a terminal is told before and after each kind of text, as SGR sequences (ECMA-48).
package struct Palette: Sendable {
    /// Before names of members.
    package let name: String
    /// Before strings.
    package let string: String
    /// Before numbers.
    package let number: String
    /// Before `true`, `false` and `null`.
    package let literal: String
    /// After each of them.
    package let reset: String

    /// Makes a palette.
    package init(name: String, string: String, number: String, literal: String, reset: String) {
        self.name = name
        self.string = string
        self.number = number
        self.literal = literal
        self.reset = reset
    }

    /// Names blue, strings green, numbers cyan, literals magenta: readable on dark and on light.
    package static let standard = Palette(
        name: "\u{1B}[34m", string: "\u{1B}[32m", number: "\u{1B}[36m", literal: "\u{1B}[35m", reset: "\u{1B}[0m")
}
