import Foundation
import PlanPages
import Primitives
import Testing

@Suite("The HTML page")
struct HTMLPageTests {
    private static func page() throws -> String { try PlanPage.html(PagePlan.plan()) }

    private static func matches(_ pattern: String, in text: String) throws -> [String] {
        let expression = try NSRegularExpression(pattern: pattern, options: .dotMatchesLineSeparators)
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap {
            Range($0.range(at: 1), in: text).map { String(text[$0]) }
        }
    }

    @Test("Each property has a row")
    func rows() throws {
        let rows = try Self.matches("<tr><td>(.*?)</td></tr>", in: Self.page())
        #expect(
            rows == [
                Self.row("", "name", "string", "required", "<code>&quot;order&quot;</code>", "The event&#39;s name."),
                Self.row(
                    "", "plan", "string or integer", "optional",
                    "<code>&quot;free&quot;</code><br><code>&quot;paid&quot;</code><br><code>3</code>", "Which plan."),
                Self.row(
                    "", "code", "string", "required",
                    "<span>at most 9 characters</span><br>"
                        + "<code class=\"pattern\">^(a|`b`)&lt;/script&gt;$</code>",
                    "Which code. <em>personal, truncated to 3 characters</em>"),
                Self.row(
                    "", "lines", "array of objects", "optional", "<span>1 to 20 elements</span>", "What was bought."),
                Self.row("lines[].", "count", "integer", "required", "<span>1 to 2⁵³ − 1</span>", "How many."),
                Self.row(
                    "lines[].", "price", "number", "optional",
                    "<span>at most 1000000.50</span><br><span>more than 0</span>", "Of one."),
                Self.row(
                    "lines[].", "parts", "array of objects", "optional", "<span>at most 2 elements</span>", "Within."),
                Self.row(
                    "lines[].", "tags", "array of strings", "optional",
                    "<span>at most 5 elements</span><br><span>unique elements</span>", "Words."),
                Self.row(
                    "lines[].", "tags[]", "string", nil, "<span>at most 20 characters</span>", " <em>personal</em>"),
                Self.row("", "payment", "object or null", "optional", "", "How it was paid."),
                Self.row("payment.", "card", "uuid", "optional", "", "A card."),
                Self.row("", "event", "object", "optional", "<span>open: its own schema says</span>", ""),
            ])
    }

    private static func row(
        _ way: String, _ name: String, _ type: String, _ need: String?, _ values: String, _ text: String
    ) -> String {
        let need = need.map { " <small>\($0)</small>" } ?? ""
        return "<code><s>\(way)</s>\(name)</code></td><td>\(type)\(need)</td><td>\(values)</td><td>\(text)"
    }

    @Test("Examples are shown as written, in color, and never become markup")
    func examples() throws {
        let examples = try Self.matches("<pre>(.*?)</pre>", in: Self.page())
        #expect(
            examples.first == """
                {
                  <b>&quot;name&quot;</b>: <i class="s">&quot;order&quot;</i>,
                  <b>&quot;code&quot;</b>: <i class="s">&quot;&lt;/script&gt;&lt;b&gt;\\u202e&quot;</i>,
                  <b>&quot;plan&quot;</b>: <i class="l">null</i>,
                  <b>&quot;lines&quot;</b>: [
                    { <b>&quot;count&quot;</b>: <i class="n">2</i>, <b>&quot;price&quot;</b>: <i class="n">1.50</i>, \
                <b>&quot;tags&quot;</b>: [] },
                    { <b>&quot;count&quot;</b>: <i class="n">1</i>, <b>&quot;parts&quot;</b>: \
                [{ <b>&quot;count&quot;</b>: <i class="n">12</i> }] }
                  ]
                }
                """)
        #expect(examples.count == 2)
        let leads = try Self.matches("<p class=\"lead\">(.*?)</p>", in: Self.page())
        #expect(leads == ["Bought | &lt;b&gt;now&lt;/b&gt; &amp; *then*.", "A line."])
    }

    @Test("The history starts with the newest version")
    func history() throws {
        let history = try Self.matches("<dl>(.*?)</dl>", in: Self.page())
        #expect(
            history == [
                """

                <dt>1-0-2</dt>
                <dd>The properties are the same.</dd>
                <dt>1-0-1</dt>
                <dd><code>plan</code> type: string or integer instead of string; now accepts 3; no longer accepts \
                &quot;old&quot;</dd>
                <dd><code>code</code> now required; pattern: ^(a|`b`)&lt;/script&gt;$ instead of none; now personal, truncated \
                to 3 characters</dd>
                <dd><code>lines</code> new, optional</dd>
                <dd><code>payment</code> new, optional</dd>
                <dd><code>note</code> gone</dd>
                <dt>1-0-0 <time>2018-09-12</time></dt>
                <dd>The first version.</dd>

                """
            ])
    }

    @Test("The page loads nothing and runs only its own script and style")
    func selfContained() throws {
        let page = try Self.page()
        let policy = try Self.matches("Content-Security-Policy\" content=\"(.*?)\"", in: page)
        let (style, script) = (
            try Self.matches("<style>(.*?)</style>", in: page), try Self.matches("<script>(.*?)</script>", in: page)
        )
        func source(_ text: String) -> String { "'sha256-\(Data(SHA256.bytes(of: text.utf8)).base64EncodedString())'" }
        #expect(
            try policy == [
                "default-src 'none'; base-uri 'none'; form-action 'none'; "
                    + "style-src \(source(#require(style.first))); script-src \(source(#require(script.first)))"
            ])
        #expect(style.count == 1 && script.count == 1)
        #expect(try Self.matches("(https?://|url\\(|@import| src=| on[a-z]+=)", in: page) == [])
    }

    @Test("The page is deterministic")
    func deterministic() throws {
        #expect(try Self.page() == Self.page())
    }
}
