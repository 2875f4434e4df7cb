import Foundation
import Testing
import TrackingPlan

@testable import PlanPages

@Suite("Generated pages of a plan")
struct PlanPageTests {
    @Test("Folder names are escaped")
    func names() throws {
        let file = PlanFile(path: "events/a|b](javascript:x)<b>/1-0-0.json", bytes: Array("{}".utf8))
        let page = try PlanPage.markdown(EventPlan(PlanFolder(files: [file])))
        let target = "a%7Cb%5D%28javascript%3Ax%29%3Cb%3E"
        #expect(page.contains("| [a\\|b\\](javascript:x)\\<b\\>](#\(target)) | 1-0-0 |"))
        #expect(page.contains("## a\\|b\\](javascript:x)\\<b\\>\n"))
        #expect(page.contains("](events/\(target)/1-0-0.json)"))
    }

    @Test(
        "The priority of a critical event is shown",
        arguments: [
            ([""], false), ([#""x-priority": "normal""#], false), ([#""x-priority": "high""#], false),
            ([#""x-priority": "critical""#], true), (["", #""x-priority": "critical""#], true),
            ([#""x-priority": "critical""#, ""], false),
            ([#""properties": {"a": {"x-priority": "critical"}}"#], false),
        ] as [([String], Bool)])
    func priority(versions: [String], isCritical: Bool) throws {
        let files = versions.enumerated().map {
            PlanFile(path: "events/a/1-0-\($0.offset).json", bytes: Array("{\($0.element)}".utf8))
        }
        let plan = try EventPlan(PlanFolder(files: files))
        let version = "1-0-\(versions.count - 1)"
        #expect(
            PlanPage.markdown(plan).contains(
                "Version \(version): [events/a/\(version).json](events/a/\(version).json)\n\nPriority: critical\n")
                == isCritical)
        #expect(PlanPage.html(plan).contains("<p class=\"lead\"></p>\n<p>Priority: critical</p>\n") == isCritical)
        #expect(PlanPage.markdown(plan).contains("Priority") == isCritical)
        #expect(PlanPage.html(plan).contains("Priority") == isCritical)
    }

    @Test("Generated pages are recognized, and others are not")
    func written() throws {
        for page in PlanPage.files(of: try PagePlan.plan()) { #expect(PlanPage.isWritten(page)) }
        let texts = [
            "# Ours\n\nRefresh index.html with `trackctl schema docs Schemas`.\n", "",
            "# Ours\n\(PlanPage.mark)\n", "Put \(PlanPage.generator) into the head.\n",
        ]
        for text in texts { #expect(!PlanPage.isWritten(PlanFile(path: "README.md", bytes: Array(text.utf8)))) }
    }
}

@Suite("The generated pages in Schemas")
struct PagesInSchemasTests {
    private static let schemas = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Schemas")
        .standardized.path

    @Test("The pages are up to date; trackctl schema docs writes them")
    func fresh() throws {
        let folder = try PlanFolder(path: Self.schemas)
        let stale = PlanPage.files(of: try EventPlan(folder)).filter { folder.file($0.path) != $0 }
        #expect(stale.map(\.path) == [], "run trackctl schema docs")
    }
}
