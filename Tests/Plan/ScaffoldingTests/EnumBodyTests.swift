import Testing

@testable import Scaffolding

@Suite("Adding a case to an enum")
struct EnumBodyTests {
    private static func body(_ source: String) -> EnumBody? {
        let code = SwiftCode(Array(source.utf8))
        return code.types().first { $0.keyword == "enum" }.flatMap { EnumBody($0, in: code) }
    }

    @Test(
        "The case is added after the last one, or as the first one",
        arguments: [
            ("enum R: C { case a, b }", "enum R: C {\n    case a, b\n    case new\n}"),
            ("  enum R: C {}\n", "  enum R: C {\n      case new\n  }\n"),
            ("enum R: C {\n    case a\n}\n", "enum R: C {\n    case a\n    case new\n}\n"),
            (
                "enum R: C {\n\t/// A.\n\tcase a // }\n\n\tvar x: Int { switch self { case .a: 1 } }\n}",
                "enum R: C {\n\t/// A.\n\tcase a // }\n\tcase new\n\n\tvar x: Int { switch self { case .a: 1 } }\n}"
            ),
            (
                "enum R: C {\n  case a(\n    x: Int = f({ 1 }), [String]\n  ),\n    `default`\n  func f() {}\n}",
                "enum R: C {\n  case a(\n    x: Int = f({ 1 }), [String]\n  ),\n    `default`\n  case new\n  func f() {}\n}"
            ),
            ("enum R: C {\r\n    case a\r\n}\r\n", "enum R: C {\r\n    case a\r\n    case new\r\n}\r\n"),
            ("enum R: C { case a; case b }", "enum R: C {\n    case a; case b\n    case new\n}"),
            (
                "enum R: String { case a = \"b\", c\n}",
                "enum R: String { case a = \"b\", c\n    case new\n}"
            ),
            ("enum R: C {\n    // none yet\n}", "enum R: C {\n    // none yet\n    case new\n}"),
        ])
    func added(source: String, expected: String) throws {
        let body = try #require(Self.body(source))
        #expect(body.source(adding: "new").map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test("Cases are read with whether they have values")
    func cases() throws {
        let body = try #require(Self.body("enum R { indirect case a(Int), `default`\n case c; enum S { case d } }"))
        #expect(
            body.cases == [
                EnumCase(name: "a", hasValues: true), EnumCase(name: "default", hasValues: false),
                EnumCase(name: "c", hasValues: false),
            ])
    }

    @Test(
        "Unsupported enums are left unchanged",
        arguments: ["enum R { case a ", "enum R { case a( }", "enum R { case }"])
    func refused(source: String) {
        #expect(Self.body(source) == nil)
    }

    @Test("An enum with #if is read, but not changed")
    func conditional() throws {
        let body = try #require(Self.body("enum R {\n#if DEBUG\n case a\n#endif\n}"))
        #expect(body.cases == [EnumCase(name: "a", hasValues: false)])
        #expect(body.source(adding: "new") == nil)
    }
}
