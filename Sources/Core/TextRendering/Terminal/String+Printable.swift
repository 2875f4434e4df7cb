extension String {
    /// The text with escapes instead of scalars that would move a terminal's cursor or end the line.
    package var printable: String { escaping(\.isUnprintable) }

    /// Like ``printable``, but also escapes direction marks, which are only unsafe on a terminal, and scalars without a
    /// glyph, which hide differences.
    package var printableOnTerminal: String { escaping(\.drivesTerminal) }

    private func escaping(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isEscaped) else { return self }
        return unicodeScalars.map { isEscaped($0) ? Self.escape($0) : String($0) }.joined()
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }
}

extension Unicode.Scalar {
    /// Whether the scalar would move a terminal's cursor, end the line, or change the direction of the following text.
    package var isUnprintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Overrides the direction of the following text.
        case .format: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        default: false
        }
    }

    /// Whether a terminal would do more than show the scalar, or nothing: unprintable scalars, direction marks (U+061C,
    /// U+200E, U+200F), and scalars without a glyph. Joiners (U+200C, U+200D) change the glyphs around them.
    package var drivesTerminal: Bool {
        switch value {
        case 0x061C, 0x200B, 0x200E, 0x200F, 0x2060...0x2064, 0xFEFF, 0xE0000...0xE007F: true
        default: isUnprintable
        }
    }

    /// The JSON escape of the scalar: `\u001b`; two escapes beyond U+FFFF.
    package var jsonEscape: String {
        // Four digits each, as in JSON.
        utf16.map { "\\u" + String(0x1_0000 + Int($0), radix: 16).dropFirst() }.joined()
    }
}

extension String {
    /// The text with at most `columns` columns. `…` replaces the removed part. Requires printable text: see
    /// ``printable``.
    package func cut(to columns: Int) -> String {
        guard DisplayWidth.of(self) > columns else { return self }
        return columns < 1 ? "" : DisplayWidth.prefix(self, columns: columns - 1) + "…"
    }

    /// The text with exactly `columns` columns: cut, or padded with spaces.
    package func fitted(to columns: Int) -> String {
        let text = cut(to: columns)
        return text + String(repeating: " ", count: max(columns - DisplayWidth.of(text), 0))
    }
}
