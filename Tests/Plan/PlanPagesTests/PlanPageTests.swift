import Testing
import TrackingPlan

@testable import PlanPages

@Suite("The pages of a plan")
struct PlanPageTests {
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
