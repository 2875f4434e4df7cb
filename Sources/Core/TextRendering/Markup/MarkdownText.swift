/// Escapes text for Markdown (GitHub's dialect), so that nothing in it is interpreted as markup.
///
/// Works on Unicode scalars: a character may be a Markdown symbol with an accent.
package enum MarkdownText {
    private static let marks: Set<Unicode.Scalar> = [
        "\\", "`", "*", "_", "{", "}", "[", "]", "<", ">", "#", "|", "~", "&", "!",
    ]

    /// Plain text within a line.
    package static func plain(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in oneLine(text) {
            if marks.contains(scalar) { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }

    /// Plain text as a separate paragraph: nothing starts a list, a rule or a code block.
    package static func paragraph(_ text: String) -> String {
        let text = plain(text).unicodeScalars.drop { $0.properties.isWhitespace }
        let number = text.prefix { "0"..."9" ~= $0 }
        let rest = text.dropFirst(number.count)
        let starters: Set<Unicode.Scalar> = number.isEmpty ? ["-", "+", "=", ":"] : [".", ")"]
        guard let first = rest.first, starters.contains(first) else { return String(text) }
        return String(number) + "\\" + String(rest)
    }

    /// A code span.
    ///
    /// - Parameter inTable: Whether the span is in a table, where even code can't contain a bare `|`.
    package static func code(_ text: String, inTable: Bool = true) -> String {
        let text = oneLine(text)
        if inTable, text.contains("|"), text.contains("\\") { return markup(text) }
        let fence = String(repeating: "`", count: longestRun(in: text) + 1)
        let pad = text.first == "`" || text.last == "`" ? " " : ""
        let parts = inTable ? text.split(separator: "|", omittingEmptySubsequences: false) : [text[...]]
        return fence + pad + parts.map { String($0) }.joined(separator: "\\|") + pad + fence
    }

    /// The path of a file as the target of a link.
    package static func target(_ path: String) -> String {
        path.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar)
            guard !isPlain, !"-._/".unicodeScalars.contains(scalar) else { return String(scalar) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.utf8.count == 1 ? "0" : "") + digits
        }.joined()
    }

    /// The length of the longest run of backticks.
    package static func longestRun(in text: some Sequence<Unicode.Scalar>) -> Int {
        var longest = 0
        var run = 0
        for scalar in text {
            run = scalar == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// Code as HTML, for text that no span in a table can contain: readers differ in whether `\\|` ends the cell.
    private static func markup(_ text: String.UnicodeScalarView) -> String {
        let escaped = text.map { scalar in
            let isMark = scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9" ~= scalar) && scalar != " "
            return isMark ? "&#\(scalar.value);" : String(scalar)
        }
        return "<code>\(escaped.joined())</code>"
    }

    /// The text without line breaks and control characters.
    private static func oneLine(_ text: String) -> String.UnicodeScalarView {
        var line = String.UnicodeScalarView()
        for part in text.unicodeScalars.split(whereSeparator: isLineBreak) {
            if !line.isEmpty { line.append(" ") }
            line.append(contentsOf: part.lazy.map { TextScalars.isControl($0) ? "\u{FFFD}" : $0 })
        }
        return line
    }

    private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        "\u{A}"..."\u{D}" ~= scalar || ["\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
    }
}
