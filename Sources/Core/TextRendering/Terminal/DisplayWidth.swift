/// The width of a text in terminal columns.
///
/// East Asian wide and fullwidth characters and emoji have two columns (Unicode Standard Annex #11), combining marks
/// and invisible characters none, all others one. Escape unprintable characters first: see `String.printable`.
package enum DisplayWidth {
    /// The width of a text in columns. Complexity: O(characters).
    package static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

    /// The width of a character: that of its widest scalar.
    package static func of(_ character: Character) -> Int {
        if character.isASCII { return 1 }
        var width = 0
        for scalar in character.unicodeScalars {
            // The variation selector that turns a symbol into an emoji.
            width = max(width, scalar.value == 0xFE0F ? 2 : of(scalar))
        }
        return width
    }

    /// The longest prefix of a text with at most `columns` columns.
    package static func prefix<Text: StringProtocol>(_ text: Text, columns: Int) -> Text.SubSequence {
        var left = columns
        let end = text.indices.first { index in
            left -= of(text[index])
            return left < 0
        }
        return text[..<(end ?? text.endIndex)]
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: 0
        default: scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
        }
    }

    /// Whether a script's block has wide or fullwidth characters.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case ..<0x1100: false
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
