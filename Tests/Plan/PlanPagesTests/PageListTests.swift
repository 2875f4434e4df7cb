import PlanPages
import Testing
import TrackingPlan

@Suite("The app's pages in the documentation")
struct PageListTests {
    private static func plan(_ pages: String?) throws -> EventPlan {
        let list = pages.map { PlanFile(path: "pages.json", bytes: Array($0.utf8)) }
        return try EventPlan(PlanFolder(files: PagePlan.folder.files + [list].compactMap { $0 }))
    }

    private static let list = """
        {"x-pages": {
          "basket": {"description": "What <b> you | buy."},
          "article": {"description": "One.", "additional": {"label": "url", "description": "Its *address*.", "x-pii": true}},
          "orders": {"description": "All.", "additional":
            {"label": "year", "description": "Which.", "x-pii": false, "required": false}},
          "log-in": {"description": "Old.", "deprecated": true}
        }}
        """

    @Test("Markdown has a table without deprecated pages")
    func markdown() throws {
        let page = try PlanPage.markdown(Self.plan(Self.list))
        #expect(page.contains("1 event in 3 versions, 3 pages. Generated from the schemas"))
        #expect(
            page.contains(
                """

                ## Pages of the app

                The pages that `page-view` events name: [pages.json](pages.json)

                | page | content | additional | personal data |
                |---|---|---|---|
                | `basket` | What \\<b\\> you \\| buy. |  |  |
                | `article` | One. | `url`: Its \\*address\\*. | personal |
                | `orders` | All. | `year` (optional): Which. |  |

                ## container
                """))
    }

    @Test("HTML has a linked and escaped table")
    func html() throws {
        let page = try PlanPage.html(Self.plan(Self.list))
        #expect(page.contains("<li><a href=\"#_pages\">Pages</a></li>"))
        #expect(page.contains("<tr><td><code>basket</code></td><td>What &lt;b&gt; you | buy.</td><td></td></tr>"))
        #expect(
            page.contains(
                "<td><code>url</code> <small>required</small> Its *address*. <em>personal</em></td></tr>"))
        #expect(!page.contains("log-in"))
    }

    @Test("A plan without pages has no table")
    func none() throws {
        #expect(try !PlanPage.markdown(Self.plan(nil)).contains("Pages of the app"))
        #expect(try !PlanPage.html(Self.plan(nil)).contains("_pages"))
    }
}
