/// Text that no spreadsheet takes for a formula when it opens a file of fields.
///
/// A field is one, whatever the quotes around it, if it starts with `=`, `+`, `-` or `@`, as it is or fullwidth (U+FF1D,
/// U+FF0B, U+FF0D, U+FF20), or with a tab, a line feed or a carriage return. Such a text gets a `'` in front, which changes
/// it: for people's spreadsheets, and for no program that reads on. Numbers, times and JSON stay as they are: `-5` is one.
enum SpreadsheetText {
    /// How the fullwidth signs are written in UTF-8.
    private static let fullwidth: [[UInt8]] = ["\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].map { Array($0.utf8) }

    /// Puts a `'` in front of what would be a formula.
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
