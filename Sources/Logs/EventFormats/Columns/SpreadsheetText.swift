/// Keeps spreadsheets from reading text as formulas.
///
/// Spreadsheets treat a field as a formula, with or without quotes, if it starts with `=`, `+`, `-` or `@` (also in
/// full width: U+FF1D, U+FF0B, U+FF0D, U+FF20), or with a tab, a line feed or a carriage return. Such text is
/// prefixed with `'`. This changes the text, so use it for spreadsheets only. Numbers, times and JSON stay unchanged:
/// `-5` is a number.
enum SpreadsheetText {
    /// The full-width signs in UTF-8.
    private static let fullwidth: [[UInt8]] = ["\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].map { Array($0.utf8) }

    /// Prefixes text that would be a formula with `'`.
    static func makeSafe(_ text: inout [UInt8]) {
        if startsFormula(text) { text.insert(UInt8(ascii: "'"), at: 0) }
    }

    private static func startsFormula(_ text: [UInt8]) -> Bool {
        switch text.first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: true
        case 0xEF: fullwidth.contains { text.starts(with: $0) }
        default: false
        }
    }
}
