import CommandRunner
import Testing

@testable import Scaffolding

@Suite("Files with a line for each route")
struct LineListTests {
    private let folder: TemporaryFolder
    private let list: LineList

    init() throws {
        folder = try TemporaryFolder()
        list = LineList(path: folder.path("list"), template: .routeCoverage)
    }

    private func added(_ line: String, key: String? = "case .b:") throws -> String {
        let values = ["routes": "R", "module": "M"]
        let file = try list.adding(line, key: key, after: ["case .a: nil"], templates: TemplateSet(), values: values)
        return String(decoding: file.bytes, as: UTF8.self)
    }

    @Test("A missing file is created from its template, with lines for existing routes")
    func new() throws {
        #expect(
            try added("case .b: B.self").contains(
                """
                        switch self {
                        case .a: nil
                        case .b: B.self
                        // trackctl new adds
                """))
    }

    @Test("The line is added above the mark, indented, and replaces one with nil")
    func present() throws {
        try folder.write("x\n  case .`b`: nil\n  // trackctl new adds\ny\n", to: "list")
        #expect(try added("case .b: B.self") == "x\n  case .b: B.self\n  // trackctl new adds\ny\n")
        try folder.write("x\r\n\tcase .bb: nil\r\n\t// trackctl new adds\r\n", to: "list")
        #expect(
            try added("case .b: B.self") == "x\r\n\tcase .bb: nil\r\n\tcase .b: B.self\r\n\t// trackctl new adds\r\n")
    }

    @Test("A second line for the same route is rejected with the location of the first")
    func twice() throws {
        try folder.write("x\n  case .b: C.self\n  // trackctl new adds\n", to: "list")
        let error = #expect(throws: ScaffoldError.self) { try added("case .b: B.self") }
        #expect(
            error?.message == "\(list.path):2 already starts with 'case .b:': choose another name, or remove the line")
        #expect(error?.code == .exists)
    }

    @Test("Without exactly one mark, the line to add by hand is reported", arguments: [0, 2])
    func marks(count: Int) throws {
        try folder.write(String(repeating: "// trackctl new adds\n", count: count), to: "list")
        let error = #expect(throws: ScaffoldError.self) { try added("case .b: B.self") }
        #expect(
            error?.message
                == "\(list.path) has \(count == 0 ? "no line" : "several lines") with 'trackctl new adds': add "
                + "'case .b: B.self' where it belongs, with exactly one such line below it")
        #expect(error?.code == .invalidSource)
    }
}
