import EventFormats
import JSONLines
import Testing

@Suite("A line that is not an event")
struct IssueTests {
    /// Formats that read what they write.
    private static let formats: [OutputFormat] = [.pretty, .table, .csv, .tsv, .cloudEvents, .segment, .otlp]

    @Test(
        "is rejected with its column, and nothing of it is written", arguments: formats,
        [
            (#"{"event":{"name":"x"}"#, 22), ("[]", 1), ("7", 1), ("", 1), (#"{"a":1,"b":2,"a":3}"#, 14),
            (#"{"a":{"b":"\ud800"}}"#, 12), ("{\"a\":\"\u{1}\"}", 7), (#"{"a":01}"#, 6), ("{} {}", 4),
        ])
    func issues(format: OutputFormat, issue: (line: String, column: Int)) throws {
        let good = #"{"user_id":"u","event":{"name":"x"}}"#
        let expected = try formatted([good, good], format)
        var writer = try format.lineFormat(FormatOptions())
        var output: [UInt8] = []
        writer.begin(into: &output)
        try append(good, to: &writer, &output)
        let before = output
        let error = #expect(throws: JSONSyntaxError.self) { try append(issue.line, to: &writer, &output) }
        #expect(error?.column == issue.column)
        #expect(output == before)
        try append(good, to: &writer, &output)
        writer.end(into: &output)
        #expect(String(decoding: output, as: UTF8.self) == expected)
    }

    @Test("is also found by the rules that edit lines")
    func edited() throws {
        var options = FormatOptions()
        options.redactions = [try RedactionRule("a")]
        options.fields = try Field.list("b")
        var format = try OutputFormat.jsonl.lineFormat(options)
        var output: [UInt8] = []
        #expect(throws: JSONSyntaxError.self) { try append(#"{"a":"#, to: &format, &output) }
        #expect(output.isEmpty)
        try append(#"{"a":1,"b":2}"#, to: &format, &output)
        #expect(String(decoding: output, as: UTF8.self) == "{\"b\":2}\n")
    }

    @Test("nested deeper than 128 levels is rejected; 128 levels are written")
    func depth() throws {
        func line(_ depth: Int) -> String {
            String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        }
        for format in Self.formats {
            var writer = try format.lineFormat(FormatOptions())
            var output: [UInt8] = []
            try append(line(128), to: &writer, &output)
            #expect(throws: JSONSyntaxError.self) { try append(line(129), to: &writer, &output) }
        }
    }
}
