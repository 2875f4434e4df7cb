import CommandRunner
import EventModel
import Testing

@Suite("trackctl dump in other formats")
struct TrackctlOutputTests {
    private let folder: TrackctlFolder
    private let lines = [TrackctlLine(1), TrackctlLine(2, "page-view"), TrackctlLine(3, "search")]

    init() throws { folder = try TrackctlFolder() }

    private func dump(_ options: String...) async throws -> CommandResult {
        try await trackctl(["dump", try folder.file("a.jsonl", lines.text)] + options)
    }

    @Test("Columns, templates and narrowed lines")
    func formats() async throws {
        #expect(
            try await dump("-o", "csv", "--fields", "seq,event.name").text
                == "seq,event.name\r\n1,launch\r\n2,page-view\r\n3,search\r\n")
        #expect(try await dump("-f", "%{seq} %{event.value.page:-none}").text == "1 none\n2 none\n3 none\n")
        #expect(
            try await dump("--fields", "event.name", "-n", "1").text == #"{"event":{"name":"search"}}"# + "\n")
        #expect(
            try await dump("-o", "table", "--fields", "seq,event.name", "-n", "2").text
                == "seq  event.name\n2    page-view\n3    search\n")
        #expect(try await dump("-o", "json-seq", "--limit", "1").text == "\u{1E}\(lines[0].text)\n")
    }

    @Test("Private values are replaced, dropped or hashed")
    func redacted() async throws {
        let result = try await dump(
            "--redact", "user_id", "--redact", "session_id=drop", "--redact", "id=hash", "-n", "1")
        #expect(result.text.contains(#""user_id":"[redacted]""#))
        #expect(!result.text.contains("session_id") && !result.text.contains(lines[2].id.description))
    }

    @Test("Colors are written only on request, as standard output is not a terminal here")
    func colors() async throws {
        #expect(try await !dump("-o", "pretty").text.contains("\u{1B}"))
        #expect(try await dump("-o", "pretty", "--color", "always").text.contains("\u{1B}["))
    }

    @Test("A line that is not JSON inside is reported and skipped if it must be parsed")
    func issues() async throws {
        let odd = lines[0].text.replacing("\"seq\":1", with: "\"seq\":01")
        let file = try folder.file("b.jsonl", odd + "\n" + lines[1].text + "\n")
        let result = try await trackctl(["dump", file, "-o", "csv", "--fields", "seq"])
        #expect(result.text == "seq\r\n2\r\n" && result.exitCode == 65)
        #expect(result.stderr.hasPrefix("\(file):1:"))
    }

    @Test(
        "Options without effect, or that contradict each other, are rejected",
        arguments: [
            ["-o", "xml"], ["-o", "csv", "-f", "x"], ["-f", "%{"], ["--fields", "a..b"], ["--redact", "a=b"],
            ["--fields", "time:hour"], ["-o", "csv", "--fields", "event.*"], ["--spreadsheet-safe"],
            ["--schema-base", "https://x.org/"], ["-o", "cloudevents", "--schema-base", "x"],
        ])
    func refused(options: [String]) async throws {
        let result = try await trackctl(["dump", "a.jsonl"] + options)
        #expect(result.exitCode == 64 && result.stdout.isEmpty)
    }
}
