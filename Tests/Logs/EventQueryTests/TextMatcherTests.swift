import EventQuery
import Testing

@Suite("Patterns of text")
struct TextPatternTests {
    private func matches(_ pattern: String, _ text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes { TextMatcher(glob: pattern).matches($0) }
    }

    @Test(
        "Texts that match",
        arguments: [
            ("", ""), ("*", ""), ("*", "abc"), ("a*", "a"), ("a*c", "abcbc"), ("*b*", "abc"), ("a?c", "aéc"),
            ("?", "😀"), ("a\\*", "a*"), ("**", "x"), ("*a*b*c", "xaxbxbxc"), ("page-*", "page-view"), ("é*", "éa"),
        ])
    func matching(pattern: String, text: String) { #expect(matches(pattern, text)) }

    @Test(
        "Texts that do not match",
        arguments: [
            ("", "a"), ("a", ""), ("a", "A"), ("a*", "ba"), ("a?", "a"), ("?", "ab"), ("a\\*", "ab"), ("*a", "ab"),
            ("*a*b", "aba"), ("e\u{301}", "é"),
        ])
    func notMatching(pattern: String, text: String) { #expect(!matches(pattern, text)) }

    @Test("A pattern without stars matches one text")
    func exact() {
        #expect(TextMatcher(glob: "a\\*b").exact == Array("a*b".utf8))
        #expect(TextMatcher(glob: "a*").exact == nil)
        #expect(TextMatcher(exactly: "a*").exact == Array("a*".utf8))
    }
}
