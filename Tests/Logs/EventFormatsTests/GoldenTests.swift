import EventFormats
import Testing

@Suite("Each format of the same lines")
struct GoldenTests {
    @Test("equals the file in Golden", arguments: OutputFormat.allCases)
    func golden(format: OutputFormat) throws {
        let (name, end) = (format.rawValue, format.fileExtension)
        let file = name == end ? "events.\(name)" : "events.\(name).\(end)"
        try Golden.expect(try formatted(Golden.lines, format) { $0.terminalColumns = 100 }, is: file)
    }

    @Test("with all options equals the file in Golden")
    func options() throws {
        let lines = try Golden.lines
        let redactions = try ["user_id=hash", "event.value.user_info.*", "context.sdk=drop"].map {
            try RedactionRule($0)
        }
        try Golden.expect(
            try formatted(lines, .pretty) {
                $0.palette = .standard
                $0.redactions = redactions
                $0.fields = try Field.list("user_id,event,context")
            }, is: "chosen.pretty.txt")
        try Golden.expect(
            try formatted(lines, .csv) {
                $0.isSpreadsheetSafe = true
                $0.redactions = redactions
                $0.fields = try Field.list("time:hour,time:date,user_id,event.value.query,event.value:pairs,seq:json")
            }, is: "chosen.csv")
        try Golden.expect(
            try formatted(lines, .cloudEvents) {
                $0.redactions = redactions
                $0.schemaBase = "https://example.com/plan/"
            }, is: "chosen.cloudevents.jsonl")
        let template = try Template(#"%{time:rfc3339:-never}\t%{event.name:-?} %{event.value."user_info"."a.b"}%%"#)
        try Golden.expect(
            try formatted(lines, OutputFormat.lineFormat(of: template, FormatOptions())), is: "chosen.template.txt")
    }
}
