/// Text of the command line that becomes a description.
enum SingleLine {
    /// A text on one line: runs of white space and control characters become a space, those at the ends nothing.
    static func text(_ text: some StringProtocol) -> String {
        String(text).unicodeScalars.split {
            $0.properties.isWhitespace || $0.properties.generalCategory == .control
        }.map { String($0) }.joined(separator: " ")
    }
}
