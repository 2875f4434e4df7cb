import EventQuery
import Testing

@Suite("Patterns of text")
struct TextPatternTests {
    private func matches(_ pattern: String, _ text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes { TextMatcher(glob: pattern).matches($0) }
    }

    @Test(
        "What matches",
        arguments: [
            ("", ""), ("*", ""), ("*", "abc"), ("a*", "a"), ("a*c", "abcbc"), ("*b*", "abc"), ("a?c", "aéc"),
            ("?", "😀"), ("a\\*", "a*"), ("**", "x"), ("*a*b*c", "xaxbxbxc"), ("page-*", "page-view"), ("é*", "éa"),
        ])
    func matching(pattern: String, text: String) { #expect(matches(pattern, text)) }

    @Test(
        "What does not match",
        arguments: [
            ("", "a"), ("a", ""), ("a", "A"), ("a*", "ba"), ("a?", "a"), ("?", "ab"), ("a\\*", "ab"), ("*a", "ab"),
            ("*a*b", "aba"), ("e\u{301}", "é"),
        ])
    func notMatching(pattern: String, text: String) { #expect(!matches(pattern, text)) }

    @Test("A pattern without stars is one text")
    func exact() {
        #expect(TextMatcher(glob: "a\\*b").exact == Array("a*b".utf8))
        #expect(TextMatcher(glob: "a*").exact == nil)
        #expect(TextMatcher(exactly: "a*").exact == Array("a*".utf8))
    }
}
