import Testing
import TextRendering

@Suite("Text for a terminal")
struct TerminalTextTests {
    @Test(
        "has escapes instead of scalars that would control the terminal, and is otherwise unchanged",
        arguments: [
            ("größe 検索 👩‍👩‍👧\t1\n", "größe 検索 👩‍👩‍👧\t1\n"), ("\u{1B}[2J", #"\u001b[2J"#),
            ("\u{0}\u{7}\u{8}", #"\u0000\u0007\u0008"#),
            ("\u{7F}\u{80}\u{9B}31m\u{9F}", #"\u007f\u0080\u009b31m\u009f"#),
            ("\u{202A}\u{202E}\u{2066}\u{2069}", #"\u202a\u202e\u2066\u2069"#),
            ("\u{61C}\u{200E}\u{200F}", #"\u061c\u200e\u200f"#), ("\u{2028}\u{2029}", #"\u2028\u2029"#),
            ("a\u{200B}b\u{2060}\u{FEFF}\u{E0041}", #"a\u200bb\u2060\ufeff\udb40\udc41"#),
            ("a\r\nb\r", "a\r\nb" + #"\u000d"#), ("a\rb", #"a\u000db"#),
        ])
    func escapes(text: String, shown: String) { #expect(TerminalText.shown(text) == shown) }

    @Test("has no direction, control or C1 characters left")
    func everyScalar() {
        let scalars = (0...0x3000 as ClosedRange<UInt32>).compactMap { Unicode.Scalar($0) }
        let text = scalars.map { "\($0)x" }.joined()
        let left = TerminalText.shown(text).unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
        #expect(left.isEmpty)
    }

    @Test("is the same JSON, even with a carriage return between values, however the line is split")
    func json() {
        let lines = "{\"a\\\"\":\"\r\\\\\",\r\"b\":\"\u{9B}\"}\r\n[1,\r2]\na\rb\n"
        let shown = "{\"a\\\"\":\"\\u000d\\\\\", \"b\":\"\\u009b\"}\r\n[1, 2]\na\\u000db\n"
        #expect(TerminalText.shown(lines) == shown)
        var (text, output) = (TerminalText(), [UInt8]())
        for piece in [
            "{\"a", "\\", "\"\":\"", "\r", "\\", "\\\",", "\r", "\"b\":\"\u{9B}\"}\r\n", "[1,\r2]\na", "\r", "b\n",
        ] {
            Array(piece.utf8).withUnsafeBytes { text.append($0, to: &output) }
        }
        #expect(String(decoding: output, as: UTF8.self) == shown)
    }

    @Test("has a replacement character for invalid UTF-8, which some terminals interpret")
    func noUnicode() {
        var (text, output) = (TerminalText(), [UInt8]())
        ([0x61, 0x9B, 0x62] as [UInt8]).withUnsafeBytes { text.append($0, to: &output) }
        #expect(String(decoding: output, as: UTF8.self) == "a\u{FFFD}b")
    }
}
