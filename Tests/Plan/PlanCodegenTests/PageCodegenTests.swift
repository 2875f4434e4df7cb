import EventModel
import PlanCodegen
import Testing
import TrackingCore
import TrackingPlan

@Suite("Generated pages")
struct PageCodegenTests {
    private static func folder(_ pages: String, events: [PlanFile] = []) -> PlanFolder {
        PlanFolder(name: "S", files: events + [PlanFile(path: "pages.json", bytes: Array(pages.utf8))])
    }

    @Test("The enum's page views match the app's events")
    func events() {
        #expect(PageView.pageView(.basket) == PageView(page: "basket"))
        #expect(PageView.pageView(.article(url: "u")) == PageView(page: "article", additional: "u"))
        #expect(PageView.pageView(.orderHistory()) == PageView(page: "order-history"))
        #expect(PageView.pageView(.orderHistory(in: "2026")) == PageView(page: "order-history", additional: "2026"))
        #expect(PageView.pageView(.default) == PageView(page: "default"))
        #expect(PageView.pageView(.namePage) == PageView(page: "name"))
    }

    @Test("Pages need no events, and follow existing ones")
    func files() throws {
        let pages = #"{"x-pages": {"basket": {"description": "A."}}}"#
        let alone = try CodeGenerator(Self.folder(pages), access: .public)
        #expect(alone.files().map(\.name) == ["Page.swift"])
        let text = alone.file(named: "All.swift").text
        #expect(text.contains("\npublic import TrackingCore\n\n/// A page of the app"))
        #expect(text.contains("    public nonisolated static func pageView(_ page: Page) -> Self {\n"))
        let event = FixturePlan.folder(property: #"{"type": "boolean"}"#).files
        let both = try CodeGenerator(Self.folder(pages, events: event), access: .internal)
        #expect(both.files().map(\.name) == ["BasketOpened.swift", "Page.swift"])
        #expect(
            both.file(named: "All.swift").text.contains("}\n\n/// A page of the app, as listed in the tracking plan.\n")
        )
    }

    @Test("Deprecated pages are omitted, and so is an empty enum")
    func deprecated() throws {
        let pages = #"{"x-pages": {"log-in": {"description": "A.", "deprecated": true}}}"#
        #expect(try CodeGenerator(Self.folder(pages), access: .internal).files().isEmpty)
    }

    @Test("Every issue is reported with its location")
    func issues() throws {
        func code(_ pages: String, _ events: [PlanFile] = []) -> String {
            FixturePlan.code(Self.folder(pages, events: events))
        }
        #expect(
            code("{\n \"x-pages\": {\n  \"a\": {\"description\": \"\"}}}")
                == "S/pages.json:3:24: error: /x-pages/a/description: write a text that is not empty")
        #expect(
            code(#"{"x-pages": {"a-1": {"description": "A."}, "a1": {"description": "B."}}}"#)
                == "S/pages.json:1:50: error: /x-pages/a1: a-1 already has the Swift name 'a1': choose another name with x-swift-name"
        )
        #expect(code("{").hasPrefix("S/pages.json:1:2: error: not JSON: "))
        let event = FixturePlan.folder(property: #"{"type": "boolean"}"#).files
        #expect(
            code(#"{"x-swift-name": "BasketOpened", "x-pages": {"a": {"description": "A."}}}"#, event)
                == "S/pages.json:1:1: error: the event basket-opened already has the Swift name BasketOpened: give the "
                + "pages another name with x-swift-name")
    }

    @Test("The SDK's own code does not accept pages as text")
    func standard() throws {
        let folder = try PlanFolder(path: FixturePlan.root + "/Schemas")
        let code = try CodeGenerator(folder, access: .public, isStandard: true)
        #expect(code.file(ofEvent: "page-view")?.text.contains("static func pageView") == false)
        #expect(code.file(ofEvent: "search")?.text.contains("static func search(") == true)
    }

    @Test("A later version of a standard event imports the module of SchemaVersion")
    func versions() throws {
        let event = PlanFile(
            path: "events/launch/1-0-1.json",
            bytes: Array(
                #"""
                {"type": "object", "additionalProperties": false, "required": ["name"],
                 "properties": {"name": {"const": "launch"}}}
                """#.utf8))
        let folder = PlanFolder(files: [event, PlanFile(path: "container/1-0-0.json", bytes: Array("{}".utf8))])
        let code = try CodeGenerator(folder, access: .public, isStandard: true).file(named: "All.swift").text
        #expect(code.contains("\npublic import EventModel\n"))
        #expect(code.contains("static let schemaVersion = SchemaVersion(1, 0, 1)"))
        // The named module declares the type.
        #expect(String(reflecting: SchemaVersion.self) == "EventModel.SchemaVersion")
    }
}
