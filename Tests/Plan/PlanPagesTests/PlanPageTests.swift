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

    private static func plan(_ events: [(name: String, members: String)]) throws -> EventPlan {
        let files = events.map { PlanFile(path: "events/\($0.name)/1-0-0.json", bytes: Array("{\($0.members)}".utf8)) }
        return try EventPlan(PlanFolder(files: files))
    }

    @Test("Each event has its purpose, exempt events their justification, and a list has the events of each purpose")
    func purposes() throws {
        let plan = try Self.plan([
            ("a", ""), ("b", #""x-purpose": "user-research""#), ("c", #""x-purpose": "ads""#),
            ("d", #""x-purpose": "exempt", "x-purpose-justification": "Detects <stolen> accounts.""#),
            ("e", #""x-purpose": "analytics""#),
        ])
        let markdown = PlanPage.markdown(plan)
        #expect(
            markdown.contains(
                """

                | purpose | events |
                |---|---|
                | analytics | [a](#a), [e](#e) |
                | ads | [c](#c) |
                | user-research | [b](#b) |
                | exempt | [d](#d) |

                ## a

                Version 1-0-0: [events/a/1-0-0.json](events/a/1-0-0.json)

                Purpose: analytics

                """))
        #expect(markdown.contains("\n\nPurpose: ads\n"))
        #expect(markdown.contains("\n\nPurpose: exempt (strictly necessary): Detects \\<stolen\\> accounts.\n"))
        let html = PlanPage.html(plan)
        #expect(html.contains("<p>Purpose: user-research</p>\n"))
        #expect(html.contains("<p>Purpose: exempt (strictly necessary): Detects &lt;stolen&gt; accounts.</p>\n"))
        #expect(html.contains("<li><a href=\"#_purposes\">Purposes</a></li>\n"))
        #expect(
            html.contains(
                """
                <tbody>
                <tr><td>analytics</td><td><a href="#a">a</a>, <a href="#e">e</a></td></tr>
                <tr><td>ads</td><td><a href="#c">c</a></td></tr>
                <tr><td>user-research</td><td><a href="#b">b</a></td></tr>
                <tr><td>exempt</td><td><a href="#d">d</a></td></tr>
                </tbody>
                """))
    }

    @Test(
        "Plans with one purpose have no list of purposes, and those with only analytics show none",
        arguments: [("", false), (#""x-purpose": "analytics""#, false), (#""x-purpose": "ads""#, true)])
    func onePurpose(members: String, isShown: Bool) throws {
        let plan = try Self.plan([("a", members), ("b", members)])
        #expect(PlanPage.markdown(plan).contains("Purpose: ads") == isShown)
        #expect(PlanPage.html(plan).contains("Purpose: ads") == isShown)
        #expect(!PlanPage.markdown(plan).contains("| purpose |") && !PlanPage.html(plan).contains("_purposes"))
        #expect(isShown || !PlanPage.html(plan).lowercased().contains("purpose"))
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
