import Testing
import TextRendering

@Suite("Text in Markdown")
struct MarkdownTextTests {
    @Test(
        "starts no block",
        arguments: [
            ("- a", "\\- a"), ("    a", "a"), ("\t- a", "\\- a"), ("+ a", "\\+ a"), ("12. a", "12\\. a"),
            ("1) a", "1\\) a"), ("# a", "\\# a"), ("a - b", "a - b"), ("12 a", "12 a"), ("", ""), ("a\n\n- b", "a - b"),
            ("> a", "\\> a"),
        ])
    func paragraph(_ text: String, _ expected: String) { #expect(MarkdownText.paragraph(text) == expected) }

    @Test("escapes marks that an accent follows")
    func accents() {
        #expect(Array(MarkdownText.plain("a|\u{301}`\u{301}").utf8) == Array("a\\|\u{301}\\`\u{301}".utf8))
        #expect(Array(MarkdownText.code("`\u{301}").utf8) == Array("`` `\u{301} ``".utf8))
        #expect(Array(MarkdownText.code("|\u{301}").utf8) == Array("`\\|\u{301}`".utf8))
    }

    @Test("writes code that a table can't contain as HTML")
    func markup() {
        #expect(MarkdownText.code(#"^a\|b$"#) == "<code>&#94;a&#92;&#124;b&#36;</code>")
        #expect(MarkdownText.code(#"^a\|b$"#, inTable: false) == #"`^a\|b$`"#)
    }
}
