import Foundation
import Testing

@testable import Scaffolding

@Suite("Templates")
struct TemplateTests {
    private func filled(_ text: String, _ values: [String: String] = ["name": "a-b", "lines": "1\n2", "none": ""])
        throws
        -> String
    { try Template(path: "T", text: text).filled(with: values) }

    @Test("A placeholder takes its value, as often as it stands there")
    func values() throws {
        #expect(try filled("x {{name}}/{{name}}\n}} { {name}\n") == "x a-b/a-b\n}} { {name}\n")
    }

    @Test("One that stands alone takes the lines of its value, indented, and none if that is empty")
    func lines() throws {
        #expect(try filled("a\n    {{lines}}\n  {{none}}\nb {{none}}\n\t{{name}}") == "a\n    1\n    2\nb \n\ta-b")
    }

    @Test(
        "What is no placeholder is refused with its place",
        arguments: [
            ("\n {{nam}}", "T:2: there is no placeholder {{nam}} here: there are lines, name, none"),
            ("a {{ name }}", "T:1: there is no placeholder {{ name }} here: there are lines, name, none"),
            ("a\nb\n{{name", "T:3: '{{' begins a placeholder: end it with '}}'"),
        ])
    func refused(text: String, message: String) {
        let error = #expect(throws: ScaffoldError.self) { try filled(text) }
        #expect(error?.message == message)
        #expect(error?.code == .invalidTemplate)
    }

    @Test("The program holds each template of the folder, byte for byte")
    func builtIn() throws {
        let folder = "Sources/Plan/Scaffolding/Templates"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.sorted() == TemplateName.allCases.map(\.fileName).sorted())
        for name in TemplateName.allCases {
            let file = try String(contentsOfFile: "\(folder)/\(name.fileName)", encoding: .utf8)
            #expect(BuiltInTemplates.text(name) == file, "\(name)")
        }
    }

    @Test("The templates that get lines have the mark where these go")
    func marks() {
        for name in [TemplateName.routeScreens, .routeCoverage, .pages] {
            #expect(BuiltInTemplates.text(name).components(separatedBy: LineList.mark).count == 2, "\(name)")
        }
    }
}
