import JSONSchema
import Testing

@testable import TrackingPlan

@Suite("Planned pages")
struct PlannedPagesTests {
    static let list = """
        {"x-pages": {
          "basket": {"description": "What the user is about to buy."},
          "article": {"description": "One.", "additional": {"label": "url", "description": "Its address.", "x-pii": true}},
          "orders": {"description": "All.", "additional":
            {"label": "year", "description": "Which.", "x-pii": false, "required": false}},
          "log-in": {"description": "The form of old.", "deprecated": true}
        }}
        """

    static func folder(_ text: String) -> PlanFolder {
        PlanFolder(name: "App", files: [PlanFile(path: "pages.json", bytes: Array(text.utf8))])
    }

    private static func error(_ text: String) -> String? {
        do throws(PlanError) { _ = try EventPlan(folder(text)) } catch { return error.message }
        return nil
    }

    @Test("Pages keep the order of the file")
    func reading() throws {
        let pages = try #require(try EventPlan(Self.folder(Self.list)).pages)
        #expect(pages.pages.map(\.name) == ["basket", "article", "orders", "log-in"])
        #expect(pages.pages.map(\.swiftName) == ["basket", "article", "orders", "logIn"])
        #expect(pages.pages.map(\.additional?.label) == [nil, "url", "year", nil])
        #expect(pages.pages.map(\.additional?.isRequired) == [nil, true, false, nil])
        #expect(pages.pages.map(\.isDeprecated) == [false, false, false, true])
        #expect(pages.typeName == "Page")
    }

    @Test(
        "Errors have file, JSON pointer and advice",
        arguments: [
            ("[]", "App/pages.json: write a JSON object with the member x-pages"),
            ("{}", "App/pages.json: add the member x-pages: an object with a member for each page"),
            (#"{"x-pages": []}"#, "App/pages.json: /x-pages: write an object with a member for each page"),
            (
                #"{"x-pages": {"a": "A."}}"#,
                #"App/pages.json: /x-pages/a: write an object, such as {"description": "What the page shows."}"#
            ),
            (#"{"x-pages": {"a": {}}}"#, "App/pages.json: /x-pages/a: add a description"),
            (
                #"{"x-pages": {"a": {"description": " "}}}"#,
                "App/pages.json: /x-pages/a/description: write a text that is not empty"
            ),
            (
                #"{"x-pages": {"A_b": {"description": "A."}}}"#,
                "App/pages.json: /x-pages/A_b: invalid page name 'A_b': use kebab-case, at most 64 bytes, such as order-history"
            ),
            (
                #"{"x-pages": {"a": {"description": "A.", "additional": {"label": "url", "description": "B.", "x-pii": "hash"}}}}"#,
                "App/pages.json: /x-pages/a/additional/x-pii: write true or false"
            ),
            (
                #"{"x-pages": {"a": {"description": "A.", "aditional": {}}}}"#,
                "App/pages.json: /x-pages/a/aditional: unknown member: remove it, or use one of description, additional, "
                    + "deprecated, x-swift-name, $comment"
            ),
            (
                #"{"x-pages": {"a": {"description": "A.", "additional": {}}}}"#,
                """
                App/pages.json: /x-pages/a/additional: add a label, such as "label": "url"
                App/pages.json: /x-pages/a/additional: add a description
                App/pages.json: /x-pages/a/additional: add x-pii: true if the value is personal, else false
                """
            ),
        ])
    func refusal(_ text: String, _ message: String) {
        #expect(Self.error(text) == message)
    }

    @Test("Invalid JSON and duplicate pages are rejected")
    func noJSON() {
        #expect(Self.error("{")?.hasPrefix("App/pages.json: not JSON: ") == true)
        let twice = #"{"x-pages": {"a": {"description": "A."}, "a": {"description": "B."}}}"#
        #expect(Self.error(twice)?.hasPrefix("App/pages.json: not JSON: ") == true)
    }

    @Test("Swift names must be unique and not reserved")
    func swiftNames() throws {
        let text = """
            {"x-swift-name": "string", "x-pages": {
              "order-1": {"description": "A."}, "order1": {"description": "B."}, "name": {"description": "C."},
              "in": {"description": "D."}, "init": {"description": "E."},
              "old": {"description": "F.", "x-swift-name": "order1", "deprecated": true},
              "labelled": {"description": "G.", "additional": {"label": "Not so", "description": "H.", "x-pii": false}}}}
            """
        let issues = PlannedPages.swiftIssues(try JSONDocument(text.utf8)).map(\.description)
        #expect(
            issues == [
                "/x-swift-name: invalid type name 'string': use letters and digits, and start with a capital letter",
                "/x-pages/order1: order-1 already has the Swift name 'order1': choose another name with x-swift-name",
                "/x-pages/name: the case cannot be named 'name' in Swift: choose another name with x-swift-name",
                "/x-pages/init: the case cannot be named 'init' in Swift: choose another name with x-swift-name",
                "/x-pages/labelled/additional/label: invalid label 'Not so': use letters and digits, and start with a small letter",
            ])
    }

    @Test("Pages of several folders are combined, and a page in two forms is rejected")
    func adding() throws {
        let first = Self.folder(#"{"x-pages": {"basket": {"description": "A."}}}"#)
        let second = Self.folder(#"{"x-pages": {"basket": {"description": "A."}, "about": {"description": "B."}}}"#)
        let third = Self.folder(#"{"x-pages": {"basket": {"description": "Another."}}}"#)
        let plan = try EventPlan.standard.adding(first)
        #expect(try plan.adding(second).pages?.pages.map(\.name) == ["basket", "about"])
        let error = #expect(throws: PlanError.self) { try plan.adding(third) }
        #expect(
            error?.message
                == "App/pages.json: /x-pages/basket: the page is already in the plan in another form: give it another name"
        )
        #expect(EventPlan.standard.pages == nil)
        #expect(try EventPlan.standard.adding(PlanFolder(files: [])).pages == nil)
    }
}
