import EventFormats
import EventModel
import Testing

@Suite("A field")
struct FieldTests {
    @Test("is a path, with or without a view; fields are separated by commas")
    func fields() throws {
        let fields = try Field.list(#"time:hour,event."a,b", seq : json"#)
        #expect(fields.map(\.title) == ["time:hour", #"event."a,b""#, "seq:json"])
        #expect(fields.map(\.view) == [.hour, nil, .json])
    }

    @Test(
        "that is invalid is rejected, with the column",
        arguments: [
            ("a,time:day", 8, "unknown view: use json, rfc3339, date, hour, pairs"),
            ("a b", 3, "expected a comma between fields"),
            ("a,", 3, "expected a member's name, such as event.value.page"),
        ])
    func issues(text: String, column: Int, reason: String) {
        let error = #expect(throws: TypedTextError.self) { try Field.list(text) }
        #expect(error?.column == column && error?.reason == reason, "\(String(describing: error))")
    }

    @Test("finds its value even if the name has escapes")
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
