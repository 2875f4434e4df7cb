import CommandRunner
import DeliveryProtocol
import EventLog
import JSONLines
import Testing

@Suite("trackctl replay to a collector", .timeLimit(.minutes(5)))
struct TrackctlReplayCollectorTests {
    private let folder: TrackctlFolder
    private let lines = [TrackctlLine].launches(1...3)

    init() throws { folder = try TrackctlFolder() }

    private func replay(_ arguments: String...) async throws -> CommandResult {
        try await trackctl(
            ["replay"] + arguments, environment: ["TRACKING_COLLECTOR_TOKEN": StoringCollector.token])
    }

    /// The received bodies without the batch headers, and the headers.
    private func bodies(_ collector: StoringCollector) throws -> (headers: [BatchHeader?], lines: [String]) {
        var (headers, lines): ([BatchHeader?], [String]) = ([], [])
        for request in collector.requests {
            var body = request.body.split(separator: "\n").map(String.init)
            let header = try body.first.flatMap { try BatchHeader(JSONParser.parse(Array($0.utf8))) }
            if header != nil { body.removeFirst() }
            headers.append(header)
            lines += body
        }
        return (headers, lines)
    }

    /// Answers each post with a receipt that names these numbers.
    private func receipt(
        _ header: BatchHeader?, stored: [ClosedRange<Int64>], rejected: [Receipt.Rejection] = []
    ) -> StoringCollector.Reply {
        let receipt = Receipt(
            name: ReceiptName(collector: "c", number: 1), installID: "install-a", batchID: header?.id, stored: stored,
            rejected: rejected, highest: 3)
        return StoringCollector.Reply(body: Array(JSONWriter.text(receipt.write).utf8))
    }

    @Test(
        "A file is an import with the token, and lines that the receipt rejects are set aside",
        arguments: ["", "/v1/events"])
    func file(path: String) async throws {
        let rejection = Receipt.Rejection(
            seq: 2, id: nil, line: 2, code: "schema", message: "page is missing", instancePath: "/event/value")
        let collector = try StoringCollector(
            [], script: [receipt(nil, stored: [1...1, 3...3], rejected: [rejection])])
        let input = try folder.file("a.jsonl", lines.text)
        let letters = folder("refused.jsonl")
        let result = try await replay(input, "--to", collector.url + path, "--on-error", "dlq=\(letters)")
        #expect(result.exitCode == 2, "\(result.stderr)")
        #expect(result.stderr.contains("3 events: 2 delivered in 1 batch"))
        #expect(result.stderr.contains("1 refused"))
        let request = try #require(collector.requests.first)
        #expect(request.path == "/v1/events" && request.authorization == "Bearer \(StoringCollector.token)")
        #expect(request.body == lines.text)
        let letter = try JSONParser.parse((folder.bytes("refused.jsonl") ?? []).dropLast())
        #expect(letter["line"] == .string(lines[1].text))
        #expect(letter["reason"]?.stringValue?.hasSuffix("rejected it, schema: page is missing") == true)
    }

    @Test("A log is its own batch, with its install and secret; with a selection its lines are an import")
    func log() async throws {
        let input = try await folder.log("a.sqlite", lines)
        let generation = try #require(try EventLogReader(path: input).generations().first)
        let away = StoringCollector.Reply.problem(DeliveryProblem(.forbidden, "no"))
        let collector = try StoringCollector([], script: [away, away])
        let denied = try await replay(input, "--to", collector.url)
        #expect(denied.exitCode == 64 && denied.stderr.contains("answered 403 forbidden: no"), "\(denied.stderr)")
        #expect(!denied.stderr.contains(generation.secret))
        let sent = try bodies(collector)
        let header = try #require(sent.headers.first ?? nil)
        #expect(header.installID == "install-a" && header.secret == generation.secret && header.seqs == 1...3)
        #expect(sent.lines == lines.map(\.text))
        _ = try await replay(input, "--to", collector.url, "--user", "u")
        let selected = try bodies(collector).headers.last ?? nil
        #expect(selected == nil && collector.requests.count == 2)
        collector.script([receipt(header, stored: [1...3])])
        let taken = try await replay(input, "--to", collector.url)
        #expect(taken.exitCode == 0 && taken.stderr.contains("3 delivered in 1 batch"), "\(taken.stderr)")
        let again = try bodies(collector).headers.last ?? nil
        #expect(again?.id == header.id)
    }

    @Test("A 200 without a receipt delivers nothing, and a token is needed before anything is sent")
    func noReceipt() async throws {
        let collector = try StoringCollector([], script: [StoringCollector.Reply()])
        let input = try folder.file("a.jsonl", lines.text)
        let result = try await replay(input, "--to", collector.url, "--retry-for", "1ms")
        #expect(result.exitCode == 69)
        #expect(result.stderr.contains("answered 200 without a receipt: check that it is a collector"))
        let none = try await trackctl(
            ["replay", input, "--to", collector.url], environment: ["TRACKING_COLLECTOR_TOKEN": ""])
        #expect(none.exitCode == 64 && none.stderr.contains("no admin token for \(collector.url)"))
        let other = try await replay(input, "--to", "http://collector.example.com/v1/events")
        #expect(other.exitCode == 64 && other.stderr.contains("TLS only"))
        let lanes = try await replay(
            try await folder.log("a.sqlite", lines), "--to", collector.url, "--lanes", "2")
        #expect(lanes.exitCode == 64 && lanes.stderr.contains("remove --lanes"))
        #expect(collector.requests.count == 1)
    }
}
