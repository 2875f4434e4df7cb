import Testing
import TextRendering

@Suite("Text widths on a terminal")
struct DisplayWidthTests {
    @Test(
        "has the width of its characters in columns",
        arguments: [
            ("flux", 4), ("", 0), ("größe", 5), ("e\u{301}te", 3), ("検索", 4), ("ｆ", 2), ("한국", 4), ("👍🏽", 2),
            ("👩‍👩‍👧", 2), ("❤\u{FE0F}", 2), ("…", 1), ("\u{200B}", 0), ("🇩🇪", 2),
        ])
    func width(text: String, columns: Int) { #expect(DisplayWidth.of(text) == columns) }

    @Test("is cut before the character that does not fit")
    func prefix() {
        #expect(DisplayWidth.prefix("flux", columns: 4) == "flux")
        #expect(DisplayWidth.prefix("flux", columns: 3) == "flu")
        #expect(DisplayWidth.prefix("検索", columns: 3) == "検")
        #expect(DisplayWidth.prefix("検索", columns: 0) == "")
    }

    @Test("has escapes for scalars that would move the cursor or change the direction")
    func printable() {
        #expect("a\u{1B}[2Jb\nc".printable == "a\\u{1b}[2Jb\\u{a}c")
        #expect("\u{202E}x\u{2028}\u{9B}".printable == "\\u{202e}x\\u{2028}\\u{9b}")
        #expect("größe 👍".printable == "größe 👍")
    }

    @Test(
        "fits into a number of columns, cut or padded",
        arguments: [
            ("flux", 4, "flux", "flux"), ("flux", 6, "flux", "flux  "), ("flux", 3, "fl…", "fl…"), ("flux", 0, "", ""),
            ("検索x", 4, "検…", "検… "), ("検索", 5, "検索", "検索 "),
        ])
    func fitting(text: String, columns: Int, cut: String, fitted: String) {
        #expect(text.cut(to: columns) == cut)
        #expect(text.fitted(to: columns) == fitted)
    }
}
