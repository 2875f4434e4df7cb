import Testing

@testable import Scaffolding

@Suite("Scanning Swift source")
struct SwiftCodeTests {
    @Test(
        "Comments and strings are blanked, and code keeps its offsets",
        arguments: [
            (#"a // "b"#, "a      "), (#"a "b" c"#, "a     c"), ("a /* /* { */ } */ b", "a                 b"),
            (#"a "\(b("c") + "d")" e"#, "a                   e"), (#"a "\"" b"#, "a      b"),
            (##"a #"\" "# b"##, "a         b"), ("a \"\"\"\n\" {\n\"\"\" b", "a    \n   \n    b"),
            ("a \"b\nc", "a   \nc"),
        ])
    func blank(source: String, code: String) {
        #expect(String(decoding: SwiftCode(Array(source.utf8)).code, as: UTF8.self) == code)
    }

    @Test("Types are found with their conformances and offsets")
    func types() {
        let code = SwiftCode(
            Array(
                """
                // enum No: RouteCommand {}
                struct A { enum `B`: String, Tracking.RouteCommand { case a } }
                class func f() {}
                typealias C = A
                extension A: Sendable where T: Equatable {}
                """.utf8))
        #expect(code.types().map(\.keyword) == ["struct", "enum", "typealias", "extension"])
        #expect(code.types().map(\.name) == ["A", "B", "C", "A"])
        #expect(code.types()[1].inherited == ["String", "Tracking", "RouteCommand"])
        #expect(code.types().map { code.depth(at: $0.start) } == [0, 1, 0, 0])
        #expect(code.types().map { code.line(of: $0.start) } == [2, 2, 4, 5])
    }
}
