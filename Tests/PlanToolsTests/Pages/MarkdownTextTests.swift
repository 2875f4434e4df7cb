import Testing
import TrackingPlan

@testable import PlanTools

@Suite("Text in Markdown")
struct MarkdownTextTests {
    @Test(
        "begins no block",
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

    @Test("writes code that no table can hold as HTML")
    func markup() {
        #expect(MarkdownText.code(#"^a\|b$"#) == "<code>&#94;a&#92;&#124;b&#36;</code>")
        #expect(MarkdownText.code(#"^a\|b$"#, inTable: false) == #"`^a\|b$`"#)
    }

    @Test("escapes the names of folders")
    func names() throws {
        let file = PlanFile(path: "events/a|b](javascript:x)<b>/1-0-0.json", bytes: Array("{}".utf8))
        let page = try PlanPage.markdown(EventPlan(PlanFolder(files: [file])))
        let target = "a%7Cb%5D%28javascript%3Ax%29%3Cb%3E"
        #expect(page.contains("| [a\\|b\\](javascript:x)\\<b\\>](#\(target)) | 1-0-0 |"))
        #expect(page.contains("## a\\|b\\](javascript:x)\\<b\\>\n"))
        #expect(page.contains("](events/\(target)/1-0-0.json)"))
    }

    @Test("knows its own pages, and takes no other for one")
    func written() throws {
        for page in PlanPage.files(of: try PagePlan.plan()) { #expect(PlanPage.isWritten(page)) }
        let texts = [
            "# Ours\n\nRefresh index.html with `trackctl schema docs Schemas`.\n", "",
            "# Ours\n\(PlanPage.mark)\n", "Put \(PlanPage.generator) into the head.\n",
        ]
        for text in texts { #expect(!PlanPage.isWritten(PlanFile(path: "README.md", bytes: Array(text.utf8)))) }
    }
}
