import Foundation
import Testing

@testable import Scaffolding

@Suite("Templates")
struct TemplateTests {
    private func filled(_ text: String, _ values: [String: String] = ["name": "a-b", "lines": "1\n2", "none": ""])
        throws
        -> String
    { try Template(path: "T", text: text).filled(with: values) }

    @Test("Every occurrence of a placeholder is replaced")
    func values() throws {
        #expect(try filled("x {{name}}/{{name}}\n}} { {name}\n") == "x a-b/a-b\n}} { {name}\n")
    }

    @Test("A placeholder on its own line expands to indented lines, or none")
    func lines() throws {
        #expect(try filled("a\n    {{lines}}\n  {{none}}\nb {{none}}\n\t{{name}}") == "a\n    1\n    2\nb \n\ta-b")
    }

    @Test(
        "Invalid placeholders are rejected with their location",
        arguments: [
            ("\n {{nam}}", "T:2: unknown placeholder {{nam}}: use one of lines, name, none"),
            ("a {{ name }}", "T:1: unknown placeholder {{ name }}: use one of lines, name, none"),
            ("a\nb\n{{name", "T:3: unterminated placeholder '{{': end it with '}}'"),
        ])
    func refused(text: String, message: String) {
        let error = #expect(throws: ScaffoldError.self) { try filled(text) }
        #expect(error?.message == message)
        #expect(error?.code == .invalidTemplate)
    }

    @Test("The program contains each template, byte for byte")
    func builtIn() throws {
        let folder = "Sources/Plan/Scaffolding/Templates"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.sorted() == TemplateName.allCases.map(\.fileName).sorted())
        for name in TemplateName.allCases {
            let file = try String(contentsOfFile: "\(folder)/\(name.fileName)", encoding: .utf8)
            #expect(BuiltInTemplates.text(name) == file, "\(name)")
        }
    }

    @Test("Templates with added lines have the mark")
    func marks() {
        for name in [TemplateName.routeScreens, .routeCoverage, .pages] {
            #expect(BuiltInTemplates.text(name).components(separatedBy: LineList.mark).count == 2, "\(name)")
        }
    }
}
