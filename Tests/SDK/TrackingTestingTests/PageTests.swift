import Testing
import TrackingCore
import TrackingTesting

@Suite("A recorder that checks pages")
struct PageTests {
    /// A page outside the plan, which an app's generated enum can't have.
    private struct AnyPage: TrackingPage {
        let name: String
        var additional: String?
    }

    private static func plan(_ pages: String) throws -> CompiledPlan {
        let file = PlanFile(path: "pages.json", bytes: Array("{\"x-pages\": {\(pages)}}".utf8))
        return try CompiledPlan(EventPlan.standard.adding(PlanFolder(files: [file])))
    }

    private static let pages = """
        "repository-search": {"description": "A."},
        "repository-detail": {"description": "B.", "additional": {"label": "url", "description": "C.", "x-pii": true}}
        """

    @Test("accepts the pages of the plan")
    func planned() throws {
        let app = TestedApp(TrackingRecorder(validatingAgainst: try Self.plan(Self.pages)))
        app.tracking.send(PageView(AnyPage(name: "repository-search")))
        app.tracking.send(PageView(AnyPage(name: "repository-detail", additional: "https://example.com")))
        app.recorder.expect(
            PageView(page: "repository-search"),
            PageView(page: "repository-detail", additional: "https://example.com"))
        #expect(app.recorder.violations.isEmpty)
    }

    @Test("fails the test that sends another page, or a page without its details")
    func others() throws {
        let plan = try Self.plan(Self.pages)
        nonisolated(unsafe) var kinds: [String] = []
        let found = failures {
            let app = TestedApp(TrackingRecorder(validatingAgainst: plan))
            app.tracking.send(PageView(AnyPage(name: "repository-serach")))
            app.tracking.send(PageView(AnyPage(name: "repository-detail")))
            app.recorder.expect(PageView(page: "repository-serach"), PageView(page: "repository-detail"))
            kinds = app.recorder.violations.flatMap(\.findings).map(\.kind.rawValue)
        }
        #expect(kinds == ["page-not-in-plan", "page-additional"])
        #expect(found.count == 2)
        #expect(found.first?.text.contains("the plan has no page repository-serach") == true)
    }

    @Test("needs the app's plan: without it, any page is accepted")
    func plain() {
        let app = TestedApp(TrackingRecorder())
        app.tracking.send(PageView(page: "repository-serach"))
        app.recorder.expect(PageView(page: "repository-serach"))
        #expect(app.recorder.violations.isEmpty)
    }

    @Test("accepts any page if the plan lists none")
    func unlisted() {
        let app = TestedApp(TrackingRecorder(validatingAgainst: .standard))
        app.tracking.send(PageView(AnyPage(name: "repository-serach")))
        app.recorder.expect(PageView(page: "repository-serach"))
    }
}
