import Testing
import TextRendering

@Suite("A table of texts")
struct TextTableTests {
    @Test("aligns its columns by their width on a terminal")
    func widths() {
        var table = TextTable(["event", "count", "users"], rightAligned: [1])
        table.add(["検索", "1,024", "なし"])
        table.add(["e\u{301}te\u{301} 👩‍👩‍👧", "7", "~12"])
        table.add(["page-view", "12", ""])
        #expect(
            table.lines == [
                "event      count  users",
                "検索       1,024  なし",
                "e\u{301}te\u{301} 👩‍👩‍👧         7  ~12",
                "page-view     12",
            ])
    }

    @Test("aligns wide cells on the right, too")
    func right() {
        var table = TextTable(["a", "b"], rightAligned: [0])
        table.add(["検索", "x"])
        table.add(["123456", "y"])
        #expect(table.lines == ["     a  b", "  検索  x", "123456  y"])
    }

    @Test("has only the header without rows")
    func empty() { #expect(TextTable(["event", "count"]).lines == ["event  count"]) }

    @Test("is as wide as rows that are generated when shown")
    func further() {
        var table = TextTable(["day", "count"], rightAligned: [1])
        table.add(["1", "2"])
        var lines: [String] = []
        table.forEachLine(followedBy: [["検索", "10"], ["x", "123456"]]) { lines.append($0) }
        #expect(lines == ["day    count", "1          2", "検索      10", "x     123456"])
        lines = []
        TextTable(["day", "count"]).forEachLine(followedBy: []) { lines.append($0) }
        #expect(lines == ["day  count"])
    }

    @Test("narrows its widest columns first, to at least eight columns")
    func narrowing() {
        #expect(TableWidths([5, 30, 20], terminal: 80).columns == [5, 30, 41])
        #expect(TableWidths([5, 30, 20], terminal: 40).columns == [5, 15, 16])
        #expect(TableWidths([5, 30, 20], terminal: 10).columns == [5, 8, 8])
        #expect(TableWidths([5, 30, 20]).columns == [5, 30, 20])
    }
}
