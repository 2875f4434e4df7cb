import GitHubTerminal
import Testing

@Suite("Keys of a terminal")
struct KeyParserTests {
    @Test(
        "are parsed from bytes",
        arguments: [
            ("flux\r", [.text("f"), .text("l"), .text("u"), .text("x"), .enter]),
            ("\n\t\u{7F}\u{8}\u{15}\u{3}\u{1A}", [.enter, .tab, .backspace, .backspace, .clear, .interrupt, .suspend]),
            ("\u{1B}[A\u{1B}[B\u{1B}OA\u{1B}[1;5B", [.up, .down, .up, .down]),
            ("\u{1B}[5~\u{1B}[6;2~", [.pageUp, .pageDown]),
            ("\u{1B}[H\u{1B}[1~\u{1B}OH\u{1B}[F\u{1B}[4~\u{1B}[8~", [.home, .home, .home, .end, .end, .end]),
            ("\u{1B}[15~\u{1B}[Z\u{1}x", [.text("x")]),
            ("größe 検索", "größe 検索".map { .text($0) }),
            ("\u{1B}", [.escape]),
            ("\u{1B}q", [.escape, .text("q")]),
            ("a\u{85}\u{202E}b", [.text("a"), .text("b")]),
        ] as [(String, [Key])])
    func keys(text: String, expected: [Key]) {
        var parser = KeyParser()
        #expect(parser.keys(in: Array(text.utf8)) == expected)
    }

    @Test("do not depend on where the bytes are split, except after an escape byte")
    func cuts() {
        let bytes = Array("ü検👍\u{1B}[B\u{1B}[6~x".utf8)
        var whole = KeyParser()
        let expected = whole.keys(in: bytes)
        #expect(expected == [.text("ü"), .text("検"), .text("👍"), .down, .pageDown, .text("x")])
        for cut in bytes.indices where cut == 0 || bytes[cut - 1] != 0x1B {
            var parser = KeyParser()
            #expect(parser.keys(in: Array(bytes[..<cut])) + parser.keys(in: Array(bytes[cut...])) == expected)
        }
    }

    @Test("skip invalid bytes")
    func noCharacters() {
        var parser = KeyParser()
        #expect(parser.keys(in: [0xFF, 0xC3, 0x41, 0xE2, 0x28, 0xA1, 0xED, 0xA0, 0x80, 0x42]).last == .text("B"))
        #expect(parser.keys(in: [0x43]) == [.text("C")])
    }
}
