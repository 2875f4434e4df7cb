import Foundation
import PlanTools
import Testing
import TrackingPlan

@Suite("The pages in Schemas")
struct PagesInSchemasTests {
    @Test("are what the schemas give: trackctl schema docs writes them")
    func fresh() throws {
        let folder = try PlanFolder(path: PlanLinterTests.schemas)
        let plan = try EventPlan(folder)
        for (path, text) in [
            (PlanPage.markdownPath, PlanPage.markdown(plan)), (PlanPage.htmlPath, PlanPage.html(plan)),
            (LintRulePage.path, LintRulePage.markdown),
        ] {
            let isFresh = folder.file(path)?.bytes == Array(text.utf8)
            #expect(isFresh, "\(path) is stale: run trackctl schema docs")
        }
    }
}
