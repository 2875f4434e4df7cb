extension String {
    /// The text with escapes in the place of what would move a terminal's cursor or end the line.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
        return unicodeScalars.map { $0.isUnprintable ? Self.escape($0) : String($0) }.joined()
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
