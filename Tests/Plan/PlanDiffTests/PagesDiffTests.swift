import PlanDiff
import Testing
import TrackingPlan

@Suite("Comparing page lists")
struct PagesDiffTests {
    private static func page(_ name: String, _ additional: String? = nil) -> String {
        let more = additional.map {
            #", "additional": {"label": "url", "description": "B.", "x-pii": false, "required": \#($0)}"#
        }
        return #""\#(name)": {"description": "A."\#(more ?? "")}"#
    }

    private static func folder(_ pages: [String]?, name: String = "Schemas") -> PlanFolder {
        let event = #"{"type": "object", "properties": {"name": {"const": "a"}}}"#
        let list = pages.map {
            PlanFile(path: "pages.json", bytes: Array("{\"x-pages\": {\($0.joined(separator: ", "))}}".utf8))
        }
        return PlanFolder(
            name: name,
            files: [PlanFile(path: "events/a/1-0-0.json", bytes: Array(event.utf8))] + [list].compactMap { $0 })
    }

    private static func diff(_ old: [String]?, _ new: [String]?) throws -> PlanDiff {
        try PlanDiff(folder(new), against: (folder(old, name: "old"), "old"))
    }

    @Test("An added page is listed without a finding, and needs no version")
    func added() throws {
        let diff = try Self.diff([Self.page("basket")], [Self.page("basket"), Self.page("about")])
        #expect(diff.pages?.added == ["about"])
        #expect(diff.findingCount == 0)
        #expect(diff.text.hasSuffix("\n\npages added: about"))
        #expect(diff.json.hasSuffix(#""pages":{"breaks":[],"added":["about"]},"unplanned":null}"#))
    }

    @Test("Each page that breaks old lines is a finding")
    func broken() throws {
        let old = [
            Self.page("basket"), Self.page("a", "true"), Self.page("b", "false"), Self.page("c"),
            Self.page("d", "true"),
        ]
        let new = [Self.page("a"), Self.page("b", "true"), Self.page("c", "true"), Self.page("d", "false")]
        let diff = try Self.diff(old, new)
        #expect(
            diff.pages?.breaks.map { "\($0.kind.rawValue) \($0.page)" } == [
                "removed basket", "additional-removed a", "additional-required b", "additional-required c",
            ])
        #expect(diff.findingCount == 4)
        #expect(
            diff.text.contains(
                "\n\nbasket: page removed, old lines are no longer valid: restore it, with \"deprecated\": true if no screen "
                    + "shows it any more\n"))
        #expect(diff.json.contains(#"{"page":"basket","kind":"removed"}"#))
    }

    @Test("There is no comparison without pages or without an old plan")
    func none() throws {
        #expect(try Self.diff(nil, nil).pages == nil)
        #expect(try PlanDiff(Self.folder([Self.page("a")])).pages == nil)
        #expect(try Self.diff(nil, nil).json.hasSuffix(#""pages":null,"unplanned":null}"#))
        #expect(try Self.diff([Self.page("a")], nil).findingCount == 1)
    }

    private static func pages(_ pages: [String]) throws -> PlannedPages? { try EventPlan(folder(pages)).pages }

    @Test("The lock has one sorted line per page, and can be read")
    func text() throws {
        let lock = PageLock(try Self.pages([Self.page("b"), Self.page("c", "false"), Self.page("a", "true")]))
        #expect(lock.text == "a additional\nb\nc optional\n")
        #expect(try PageLock(text: Array(lock.text.utf8)) == lock)
        #expect(try PageLock(text: Array("a additional\r\nb\r\nc optional\r\n".utf8)) == lock)
        #expect(PageLock(nil).isEmpty && !lock.isEmpty)
    }

    @Test(
        "An invalid lock is rejected with its line",
        arguments: [
            ("a\nA\n", "line 2 is not a page"), ("a else\n", "line 1 is not a page"),
            ("a nothing\n", "line 1 is not a page"),
            ("a \n", "line 1 is not a page"), ("b\na\n", "line 2 does not sort after the previous line"),
            ("a\na\n", "line 2 does not sort after"), ("\n", "line 1 is not a page"),
        ])
    func refusal(_ text: String, _ message: String) {
        let error = #expect(throws: PlanLockError.self) { try PageLock(text: Array(text.utf8)) }
        #expect(error?.description.hasPrefix(message) == true)
    }

    @Test("Locking adds new and relaxed pages, and keeps those that break old lines")
    func adding() throws {
        let lock = PageLock(try Self.pages([Self.page("a", "true"), Self.page("b"), Self.page("c")]))
        let now = try Self.pages([Self.page("a", "false"), Self.page("b", "true"), Self.page("d")])
        #expect(
            lock.breaks(in: now).map { "\($0.kind.rawValue) \($0.page)" } == ["additional-required b", "removed c"])
        #expect(lock.unlocked(in: now) == ["a", "d"])
        #expect(lock.adding(now).text == "a optional\nb\nc\nd\n")
        #expect(lock.breaks(in: nil).count == 3)
    }
}
