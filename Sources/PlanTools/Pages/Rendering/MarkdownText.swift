/// Text in Markdown (GitHub's form), so that nothing in it is taken for markup.
enum MarkdownText {
    /// Plain text on one line.
    static func plain(_ text: String) -> String {
        var escaped = ""
        for character in oneLine(text) {
            if "\\`*_{}[]<>#|~&!".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }

    /// A span of code.
    ///
    /// - Parameter inTable: Whether it stands in a table, where even code cannot hold a bare `|`.
    static func code(_ text: String, inTable: Bool = true) -> String {
        let text = oneLine(text)
        var longest = 0
        var run = 0
        for character in text {
            run = character == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let pad = text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
        return fence + pad
            + (inTable ? text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") : text)
            + pad + fence
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
