extension String {
    /// The text with escapes in the place of what would move a terminal's cursor or end the line.
    package var printable: String { escaping(\.isUnprintable) }

    /// The same, and with escapes in the place of marks of direction, which only a terminal must not see.
    package var printableOnTerminal: String { escaping(\.drivesTerminal) }

    private func escaping(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isEscaped) else { return self }
        return unicodeScalars.map { isEscaped($0) ? Self.escape($0) : String($0) }.joined()
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }
}

extension Unicode.Scalar {
    /// Whether it would move a terminal's cursor, end the line, or turn the direction of what follows.
    package var isUnprintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Which overrides the direction of what follows.
        case .format: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        default: false
        }
    }

    /// Whether a terminal would not just show it: what is unprintable, and marks of direction (U+061C, U+200E, U+200F).
    package var drivesTerminal: Bool { isUnprintable || value == 0x061C || value == 0x200E || value == 0x200F }

    /// JSON's escape of it: `\u001b`, or two of them past U+FFFF.
    package var jsonEscape: String {
        // Four digits each, as JSON has them.
        utf16.map { "\\u" + String(0x1_0000 + Int($0), radix: 16).dropFirst() }.joined()
    }
}

extension String {
    /// The text in at most so many columns; `…` stands for what was cut off. Printable text: see ``printable``.
    package func cut(to columns: Int) -> String {
        guard DisplayWidth.of(self) > columns else { return self }
        return columns < 1 ? "" : DisplayWidth.prefix(self, columns: columns - 1) + "…"
    }

    /// The text in exactly so many columns: cut, or filled with spaces.
    package func fitted(to columns: Int) -> String {
        let text = cut(to: columns)
        return text + String(repeating: " ", count: max(columns - DisplayWidth.of(text), 0))
    }
}
