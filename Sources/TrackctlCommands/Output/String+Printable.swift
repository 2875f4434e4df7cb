extension String {
    /// The text with escapes in the place of what would move a terminal's cursor or end the line.
    var printable: String {
        guard unicodeScalars.contains(where: Self.isUnprintable) else { return self }
        return unicodeScalars.map { Self.isUnprintable($0) ? Self.escape($0) : String($0) }.joined()
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Which overrides the direction of what follows.
        case .format: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        default: false
        }
    }
}
