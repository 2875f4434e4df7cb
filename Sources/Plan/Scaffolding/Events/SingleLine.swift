/// Command-line text that becomes a description.
enum SingleLine {
    /// Returns a text on one line: runs of white space and control characters become one space, and are trimmed at the
    /// ends.
    static func text(_ text: some StringProtocol) -> String {
        String(text).unicodeScalars.split {
            $0.properties.isWhitespace || $0.properties.generalCategory == .control
        }.map { String($0) }.joined(separator: " ")
    }
}
