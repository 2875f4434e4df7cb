extension String {
    /// Whether the text has control characters: U+0000 to U+001F and U+007F to U+009F.
    package var hasControls: Bool {
        unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }
    }
}
