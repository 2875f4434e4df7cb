import EventModel
import Testing

@Suite("A path")
struct EventPathTests {
    @Test("consists of names, quoted names, elements and stars")
    func steps() throws {
        #expect(try EventPath("event.value.page").steps == ["event", "value", "page"].map { .name(Array($0.utf8)) })
        #expect(
            try EventPath(#"a."b.c \"d\" \\ \u00e9"[0][*].*"#, allowingStars: true).steps == [
                .name(Array("a".utf8)), .name(Array(#"b.c "d" \ é"#.utf8)), .element(0), .any, .any,
            ])
        #expect(try EventPath("größe").isSingle)
        #expect(try !EventPath("event.*", allowingStars: true).isSingle)
    }

    @Test(
        "needs no quotes for letters and digits of any language, _, -, $, @ and /",
        arguments: ["größe", "e\u{301}t\u{e9}", "名前", "m²", "$set", "@type", "org/repo", "2fa", "user-id"])
    func plainNames(name: String) throws {
        #expect(try EventPath("a.\(name)").steps == [.name(Array("a".utf8)), .name(Array(name.utf8))])
    }

    @Test("is the same with a leading dot and with surrounding space")
    func spelling() throws {
        #expect(try EventPath(".plan") == EventPath("plan"))
        #expect(try EventPath("\t event.name ") == EventPath(members: "event", "name"))
        #expect(try EventPath(" .event.\"name\" ").description == ".event.\"name\"")
    }

    @Test("continues another path if it starts with it")
    func containment() throws {
        #expect(try EventPath("time.zone").isWithin(EventPath("time")) && EventPath.id.isWithin(EventPath(".id")))
        #expect(try !EventPath("timezone").isWithin(EventPath("time")))
    }

    @Test(
        "that is invalid is rejected with the column",
        arguments: [
            ("", 1, "expected a member's name, such as event.value.page"),
            ("a.", 3, "expected a member's name, such as event.value.page"),
            ("a..b", 3, "expected a member's name, such as event.value.page"),
            ("a.😀", 3, "expected a member's name, such as event.value.page"),
            ("a[", 3, "expected an element's index, from 0, or *"),
            ("a[x]", 3, "expected an element's index, from 0, or *"),
            ("a[-1]", 3, "expected an element's index, from 0, or *"),
            ("a[1000001]", 3, "expected an element's index, from 0, or *"), ("a[0", 4, "expected ]"),
            (#"a."b"#, 3, "missing closing quote"),
            (#"ö."\q""#, 3, #"invalid JSON escape: write \\ for a backslash"#),
            ("a b", 3, "unexpected character in a path: quote names with special characters"),
        ])
    func issues(text: String, column: Int, reason: String) {
        let error = #expect(throws: TypedTextError.self) { try EventPath(text, allowingStars: true) }
        #expect(error?.column == column && error?.reason == reason, "\(String(describing: error))")
        #expect(error?.source == text)
    }

    @Test(
        "matches one value unless several are allowed",
        arguments: [("*", 1), ("event.*", 7), ("event.value.tags[*]", 18)])
    func stars(text: String, column: Int) {
        let error = #expect(throws: TypedTextError.self) { try EventPath(text) }
        #expect(error?.column == column)
        #expect(error?.reason == "* matches many values, but one is required here: name it")
        #expect(throws: TypedTextError.self) { try EventPath("a[x]") }
    }

    @Test("that is invalid is shown with a mark below the position")
    func mark() {
        let error = #expect(throws: TypedTextError.self) { try EventPath("größe.") }
        #expect(
            error?.description
                == "column 7: expected a member's name, such as event.value.page\n  größe.\n        ^")
    }
}
