import EventFormats
import Testing

@Suite("A path")
struct FieldPathTests {
    @Test("is names, quoted names, elements and stars")
    func steps() throws {
        #expect(try FieldPath("event.value.page").steps == ["event", "value", "page"].map { .name(Array($0.utf8)) })
        #expect(
            try FieldPath(#"a."b.c \"d\" \\"[0][*].*"#).steps == [
                .name(Array("a".utf8)), .name(Array(#"b.c "d" \"#.utf8)), .element(0), .any, .any,
            ])
        #expect(try FieldPath("größe").isSingle)
        #expect(try !FieldPath("event.*").isSingle)
    }

    @Test(
        "that is wrong is refused with the column",
        arguments: [
            ("", 1, "a name is missing"), ("a.", 3, "a name is missing"), (".a", 1, "a name is missing"),
            ("a..b", 3, "a name is missing"), ("a[", 3, "write the number of an element, from 0, or *"),
            ("a[x]", 3, "write the number of an element, from 0, or *"),
            ("a[-1]", 3, "write the number of an element, from 0, or *"), ("a[0", 4, "a ] is missing"),
            (#"a."b"#, 3, "the name in quotes has no end"), (#"a."\n""#, 4, #"only \" and \\ can be written here"#),
            ("a b", 2, "this does not belong to a path; put names with other characters in quotes"),
        ])
    func faults(text: String, column: Int, reason: String) {
        let error = #expect(throws: FieldSyntaxError.self) { try FieldPath(text) }
        #expect(error?.description == "column \(column): \(reason)")
    }

    @Test("with a view is a field; several have commas between them")
    func fields() throws {
        let fields = try Field.list(#"time:hour,event."a,b",seq"#)
        #expect(fields.map(\.title) == ["time:hour", #"event."a,b""#, "seq"])
        #expect(fields.map(\.view) == [.hour, nil, nil])
        let error = #expect(throws: FieldSyntaxError.self) { try Field.list("a,time:day") }
        #expect(
            error?.description
                == "column 8: there is no such view of a value; there are json, rfc3339, date, hour, pairs")
        #expect(throws: FieldSyntaxError(offset: 1, reason: "write a comma between two fields")) {
            try Field.list("a b")
        }
        #expect(throws: FieldSyntaxError(offset: 2, reason: "a name is missing")) { try Field.list("a,") }
    }

    @Test("finds its value, whatever escapes the name has")
    func finding() throws {
        let line = #"{"\u0061":{"b":[10,{"c.d":"x"}],"n":null}}"#
        func value(_ path: String) throws -> String {
            try formatted([line], OutputFormat.lineFormat(of: Template("%{\(path):-none}"), FormatOptions()))
        }
        #expect(try value("a.b[0]") == "10\n")
        #expect(try value(#"a.b[1]."c.d""#) == "x\n")
        #expect(try value("a.b") == #"[10,{"c.d":"x"}]"# + "\n")
        for path in ["a.n", "a.b[2]", "a.b.c", "a[0]", "b", "a.b[0].c"] { #expect(try value(path) == "none\n") }
    }
}
