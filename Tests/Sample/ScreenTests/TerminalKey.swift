/// A key as a terminal sends it; a literal is typed text.
struct TerminalKey: ExpressibleByStringLiteral, Sendable {
    let bytes: String

    init(stringLiteral text: String) { bytes = text }

    static let enter: Self = "\r"
    static let escape: Self = "\u{1B}"
    static let tab: Self = "\t"
    static let backspace: Self = "\u{7F}"
    static let ctrlC: Self = "\u{3}"
    static let ctrlU: Self = "\u{15}"
    static let ctrlZ: Self = "\u{1A}"
    static let down: Self = "\u{1B}[B"
    static let home: Self = "\u{1B}[H"
    static let end: Self = "\u{1B}[F"
}
