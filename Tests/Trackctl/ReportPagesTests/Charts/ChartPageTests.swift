import Foundation
import ReportPages
import Testing

@Suite("Pages of charts")
struct ChartPageTests {
    /// Markup, quotes and a control character.
    private static let nasty = "</title><script>alert('1')</script>\" & \u{7}"
    private static let escaped = "&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; &amp; \u{FFFD}"

    private func page(_ text: String) -> String {
        let caption = ChartCaption(
            text, description: text, columns: [.text(text), .number(text)], rows: [[text, text]])
        let columns = StackedColumns(
            caption, names: [text], series: [.init(text, color: .first, values: [3])], marks: [.init(text, at: 0)]
        ) { "\($0) \(text)" }
        return ChartPage(
            title: text, lead: [text],
            sections: [
                .init(
                    text, title: text,
                    [
                        Note(text), FigureTiles([(text, text)]),
                        DataTable(text, columns: [.text(text)], rows: [[text]]),
                        BarChart(caption, [.init(text, length: 1, value: text)]), columns,
                        HeatTable(
                            caption, heads: (text, text), columns: [text], rows: [.init(text, size: text, shares: [1])]),
                    ])
            ]
        ).text
    }

    @Test("No text becomes markup anywhere")
    func escaping() {
        let page = page(Self.nasty)
        #expect(!page.contains("<script") && !page.contains("alert('"))
        #expect(!page.unicodeScalars.contains("\u{7}"))
        // The same places hold harmless text.
        let locations = self.page("harmless").components(separatedBy: "harmless").count
        #expect(page.components(separatedBy: Self.escaped).count == locations && locations > 40)
    }

    @Test("Nothing is loaded and nothing runs")
    func selfContained() {
        let page = page("x").replacing("http-equiv", with: "")
        #expect(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\""))
        for word in ["http", "//", "url(", "@import", "src=", "<script", "<link"] {
            #expect(!page.contains(word), "\(word)")
        }
    }

    @Test("Each chart has a title, a description and its figures")
    func captions() {
        let page = page("x")
        for element in ["<figcaption><h3>x</h3><p>x</p>", "<details><summary>Figures</summary>"] {
            #expect(page.components(separatedBy: element).count == 4)
        }
        #expect(page.contains("<title>x</title><desc>x</desc>"))
    }

    @Test(
        "A scale has a few marks at round values",
        arguments: [
            (0, 1), (1, 1), (3, 3), (4, 4), (5, 6), (8, 8), (9, 10), (41, 60), (100, 100), (1999, 2000), (7001, 8000),
        ])
    func scale(highest: Int, top: Int) {
        let scale = ValueScale(highest: highest)
        #expect(scale.top == top)
    }
}
