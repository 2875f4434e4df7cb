import CommandRunner
import Foundation
import Testing

@Suite("trackctl and the pages of a plan")
struct TrackctlPagesTests {
    private let folder: TrackctlFolder

    init() throws {
        folder = try TrackctlFolder()
        try FileManager.default.createDirectory(atPath: folder("plan"), withIntermediateDirectories: false)
        try write(Self.basket, Self.article, Self.about)
    }

    private static let basket = #""basket": {"description": "What the user is about to buy."}"#
    private static let about = #""about": {"description": "About the app."}"#
    private static let article =
        #""article": {"description": "One.", "additional": {"label": "url", "description": "Its address.", "x-pii": true}}"#

    private func write(_ pages: String...) throws {
        try Data("{\"x-pages\": {\(pages.joined(separator: ",\n"))}}\n".utf8).write(
            to: URL(fileURLWithPath: folder("plan/pages.json")))
    }

    private static let lines: [PlannedLine] = [
        PlannedLine(), view(#"{"page":"basket"}"#), view(#"{"page":"article","additional":"u"}"#),
        view(#"{"page":"bakset"}"#), view(#"{"page":"bakset"}"#), view(#"{"page":"ada@example.org"}"#),
        view(#"{"page":"article"}"#),
    ]

    private static func view(_ value: String) -> PlannedLine { PlannedLine(name: "page-view", value: value) }

    @Test("validate finds lines on other pages, and prints only their valid names")
    func validate() async throws {
        let file = try folder.file("a.jsonl", Self.lines.text)
        let result = try await trackctl(["validate", "--schemas", folder("plan"), file])
        #expect(result.exitCode == 1)
        #expect(result.text.contains("2 page-not-in-plan") || result.text.contains("3 page-not-in-plan"))
        #expect(result.text.contains("the plan has no page bakset"))
        #expect(result.text.contains("the page article requires additional"))
        #expect(!result.text.contains("ada@example.org"))
        let unknown = try await trackctl(["validate", "--schemas", folder("plan"), file, "--fail-on", "none"])
        #expect(unknown.exitCode == 0)
    }

    @Test("coverage lists the pages that were never seen, and those that are not in the plan")
    func coverage() async throws {
        let file = try folder.file("a.jsonl", Self.lines.text)
        let result = try await trackctl(["coverage", "--schemas", folder("plan"), file])
        #expect(
            result.text.contains(
                """

                2 of 3 pages (66.6%) seen in the logs
                  about: never seen
                  bakset: page-not-in-plan, 2 lines
                  other names: page-not-in-plan, 1 line

                """), "\(result.text)")
        let json = try await trackctl(["coverage", "--schemas", folder("plan"), file, "--json"])
        #expect(
            json.text.contains(
                """
                "pages":{"never_seen":["about"],"not_in_plan":[{"lines":2,"page":"bakset"},{"lines":1,"page":null}],\
                "percent":66.66,"seen":2,"total":3}
                """), "\(json.text)")
    }

    @Test("lint reports errors in the list, and examples on other pages")
    func lint() async throws {
        #expect(try await trackctl(["schema", "lint", folder("plan")]).exitCode == 0)
        try FileManager.default.createDirectory(
            atPath: folder("plan/examples/good"), withIntermediateDirectories: true)
        _ = try folder.file("plan/examples/good/page-view.jsonl", [Self.lines[1], Self.lines[3]].text)
        let misspelt = try await trackctl(["schema", "lint", folder("plan")])
        #expect(misspelt.exitCode == 1)
        #expect(misspelt.text.hasSuffix(" [page-not-in-plan]\n"), "\(misspelt.text)")
        #expect(misspelt.text.contains("page-view.jsonl:2:"))
        try write(#""Basket": {"description": "A."}"#)
        let list = try await trackctl(["schema", "lint", folder("plan")])
        #expect(list.text.contains("pages.json:1:24: invalid page name 'Basket'"), "\(list.text)")
        #expect(list.text.hasSuffix(" [page-list]\n"))
    }

    @Test("lock stores the pages, diff compares them: a new page is an addition, a removed one is breaking")
    func lockAndDiff() async throws {
        let plan = folder("plan")
        #expect(
            try await trackctl(["schema", "lock", plan]).text
                == "0 schemas locked, 0 of them new\n3 pages locked, 3 of them new or changed\n")
        try FileManager.default.copyItem(atPath: plan, toPath: folder("published"))
        try write(Self.basket, Self.article, Self.about, #""help": {"description": "H."}"#)
        let unlocked = try await trackctl(["schema", "lock", plan, "--check"])
        #expect(unlocked.exitCode == 1)
        #expect(
            unlocked.text.hasSuffix("/pages.json: help: not locked in its current form: run trackctl schema lock\n"))
        let added = try await trackctl(["schema", "diff", plan, "--against", folder("published")])
        #expect(added.exitCode == 0 && added.text.hasSuffix("pages added: help\n"))
        #expect(try await trackctl(["schema", "lock", plan]).exitCode == 0)
        #expect(try await trackctl(["schema", "lock", plan, "--check"]).exitCode == 0)

        try write(Self.basket, Self.article)
        let removed = try await trackctl(["schema", "lock", plan])
        #expect(removed.exitCode == 1)
        #expect(removed.text.contains("/pages.json: about: page removed, old lines are no longer valid: restore it"))
        #expect(removed.stderr == "trackctl: 2 pages differ from pages.lock\n")
        let diff = try await trackctl(["schema", "diff", plan, "--against", folder("published")])
        #expect(diff.exitCode == 1 && diff.text.contains("about: page removed"))
        _ = try folder.file("plan/pages.lock", "About\n")
        #expect(try await trackctl(["schema", "lock", plan]).exitCode == 65)
    }

    @Test("codegen writes the enum of the pages")
    func codegen() async throws {
        let output = folder("made")
        let result = try await trackctl(["schema", "codegen", "--schemas", folder("plan"), "--output", output])
        #expect(result.exitCode == 0, "\(result.stderr)")
        let code = try String(contentsOfFile: output + "/Page.swift", encoding: .utf8)
        #expect(code.contains("    case article(url: String)\n"))
    }

    @Test("generate writes page views on the pages of the plan")
    func generate() async throws {
        let made = try await trackctl([
            "generate", "--schemas", folder("plan"), "--count", "300",
        ])
        #expect(made.exitCode == 0, "\(made.stderr)")
        #expect(made.text.contains(#""page":"article","additional":"#))
        let file = try folder.file("fake.jsonl", made.text)
        let checked = try await trackctl(["validate", "--schemas", folder("plan"), file])
        #expect(checked.exitCode == 0, "\(checked.text)")
    }
}
