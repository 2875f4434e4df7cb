internal import TextRendering

/// The name of a suite that says under which condition its tests hold: it begins with Given, When, Then, And or But.
struct Condition {
    private let keyword: Substring
    private let rest: Substring

    /// Nil for any other name.
    init?(_ title: String) {
        keyword = title.prefix { !$0.isWhitespace }
        guard ["given", "when", "then", "and", "but"].contains(keyword.lowercased()) else { return nil }
        rest = title.dropFirst(keyword.count)
    }

    /// The name with its first word in bold.
    var markdown: String { "**\(keyword)**\(MarkdownText.plain(String(rest)))" }
}
