import JSONLines
import Testing

@Suite("Redaction")
struct RedactionTests {
    @Test(
        "hashes like FIPS 180-4 (NIST's vectors)",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
            (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (String(repeating: "a", count: 56), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
            (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func hashes(text: String, digits: String) {
        #expect(Redaction.hash(text) == digits)
        var json = JSONWriter()
        json.hash(text)
        #expect(json.bytes == Array("\"\(digits)\"".utf8))
    }

    @Test(
        "truncates between Unicode scalars, not between bytes or characters",
        arguments: [
            ("10115", 2, "10"), ("10", 2, "10"), ("1", 2, "1"), ("", 2, ""), ("é🌊日本", 2, "é🌊"), ("e\u{301}x", 1, "e"),
            ("\"\\x", 2, "\"\\"),
        ])
    func cuts(text: String, count: Int, cut: String) {
        #expect(Redaction.truncate(text, to: count).unicodeScalars.elementsEqual(cut.unicodeScalars))
        var written = JSONWriter()
        written.beginArray()
        written.string("before")
        written.string(text, truncatedTo: count)
        written.endArray()
        var expected = JSONWriter()
        expected.beginArray()
        expected.string("before")
        expected.string(cut)
        expected.endArray()
        #expect(written.bytes == expected.bytes)
    }
}
