import EventFormats
import EventModel
import Testing

@Suite("A template")
struct TemplateTests {
    private static func text(_ template: String, _ line: String) throws -> String {
        try formatted([line], OutputFormat.lineFormat(of: Template(template), FormatOptions()))
    }

    @Test("prints fields, defaults and escapes, and ends the line")
    func printing() throws {
        let line = #"{"time":1536753247.351338,"event":{"name":"search","value":{"page":null,"query":""}}}"#
        #expect(try Self.text("%{time} %{event.name}", line) == "1536753247.351338 search\n")
        #expect(
            try Self.text(#"%%\t\\%{time:rfc3339}\n%{time:date} %{time:hour}"#, line)
                == "%\t\\2018-09-12T11:54:07.351338Z\n2018-09-12 2018-09-12T11:00:00Z\n")
        #expect(try Self.text("[%{user_id}][%{event.value.page:-}][%{event.value.query:-x}]", line) == "[][][]\n")
        #expect(try Self.text(#"%{user_id:-100%%\t}%{none:json:-nothing}"#, line) == "100%\tnothing\n")
        #expect(try Self.text("%{event.name:json}%{event.value.page:json}", line) == "\"search\"null\n")
        #expect(try Self.text("", line) == "\n")
        #expect(try Self.text("%{ event.name }\u{301}", line) == "search\u{301}\n")
    }

    @Test("shows no text that could end the line or control the terminal")
    func printable() throws {
        #expect(try Self.text("%{q}", #"{"q":"a\nb\u001b[2J\u009b"}"#) == "a\\u{a}b\\u{1b}[2J\\u{9b}\n")
    }

    @Test(
        "that is invalid is rejected, with the column",
        arguments: [
            ("100%", 4, "write %{path} for a field, or %% for a percent sign"),
            ("%x", 1, "write %{path} for a field, or %% for a percent sign"),
            (#"a\q"#, 2, #"write \n, \t, or \\ for a backslash"#),
            ("ab%{", 5, "expected a member's name, such as event.value.page"),
            ("ab%{x", 3, "the field has no closing }"), ("%{x y}", 5, "expected }"),
            ("%{x:y}", 5, "unknown view: use json, rfc3339, date, hour, pairs"),
            ("%{x:json:date}", 10, "a field can have only one view"),
            ("%{x.*}", 5, "* matches many values, but one is required here: name it"), ("%{x:-%}", 6, ""),
        ])
    func issues(text: String, column: Int, reason: String) {
        let error = #expect(throws: TypedTextError.self) { try Template(text) }
        #expect(error?.column == column)
        #expect(error?.reason.hasPrefix(reason) == true)
    }

    @Test("accepts no other fields")
    func fields() throws {
        var options = FormatOptions()
        options.fields = try Field.list("a")
        let error = #expect(throws: FormatOptionsError.self) {
            try OutputFormat.lineFormat(of: Template("x"), options)
        }
        #expect(error?.description == "a template names its own fields: remove --fields")
    }
}
