import CommandRunner
import Testing

@testable import Scaffolding

@Suite("Template folders")
struct TemplateSetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Templates in a folder take precedence, and errors name their files")
    func own() throws {
        try folder.write("one {{name}}\n", to: "page.line.template")
        try folder.write("notes", to: "README.md")
        let templates = try TemplateSet(folder: folder.path)
        #expect(try templates.line(.pageLine, with: ["name": "x"]) == "one x")
        #expect(
            try templates.line(.routeCoverageLine, with: ["case": "x", "type": "X"]) == "case .x: XRouteTests.self")
        let error = #expect(throws: ScaffoldError.self) { try templates.line(.pageLine, with: [:]) }
        #expect(
            error?.message.hasPrefix("\(folder.path)/page.line.template:1: unknown placeholder {{name}}") == true)
    }

    @Test("A template with CR LF gives the same result")
    func lineEnds() throws {
        try folder.write("{{name}}\r\n", to: "page.line.template")
        #expect(try TemplateSet(folder: folder.path).line(.pageLine, with: ["name": "x"]) == "x")
    }

    @Test("A single-line template with two lines is rejected")
    func twoLines() throws {
        try folder.write("a\nb\n", to: "page.line.template")
        let error = #expect(throws: ScaffoldError.self) {
            try TemplateSet(folder: folder.path).line(.pageLine, with: [:])
        }
        #expect(error?.message == "\(folder.path)/page.line.template: write one line instead of 2")
    }

    @Test("Unknown templates and missing folders are rejected")
    func refused() throws {
        try folder.write("", to: "page.lines.template")
        let unknown = #expect(throws: ScaffoldError.self) { try TemplateSet(folder: folder.path) }
        #expect(unknown?.code == .invalidTemplate)
        #expect(
            unknown?.message.contains("page.lines.template: use one of event.json") == true)
        let none = #expect(throws: ScaffoldError.self) { try TemplateSet(folder: folder.path("none")) }
        #expect(none?.code == .notFound)
    }
}
