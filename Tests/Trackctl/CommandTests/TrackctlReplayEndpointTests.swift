import CommandRunner
import EventLog
import EventModel
import Foundation
import JSONLines
import Primitives
import Testing

// In separate processes, because retry times are measured by the clock, and the tests here keep threads busy.
@Suite("trackctl replay to an endpoint", .builtProgram, .timeLimit(.minutes(5)))
struct TrackctlReplayEndpointTests {
    private let folder: TrackctlFolder
    private let lines: [TrackctlLine]

    init() throws {
        folder = try TrackctlFolder()
        lines = (1...1000).map { TrackctlLine($0, user: "user-\($0 % 7)") }
    }

    private func replay(_ options: String...) async throws -> CommandResult {
        try await trackctl(["replay"] + options)
    }

    @Test("Every line arrives once, unchanged, in batches named by the digest of their lines")
    func delivers() async throws {
        let collector = try await Collector(in: folder)
        let input = try folder.file("a.jsonl", lines.text)
        let result = try await replay(input, "--to", collector.url, "--batch-events", "100")
        #expect(result.exitCode == 0)
        #expect(result.stderr.hasPrefix("replayed 1,000 events: 1,000 delivered in "))
        let taken = try collector.taken()
        #expect(taken.flatMap(\.lines).sorted() == lines.map(\.text).sorted())
        #expect(taken.allSatisfy { $0.lines.count <= 100 && $0.body.hasSuffix("\n") })
        #expect(taken.allSatisfy { $0.json["type"] == "application/x-ndjson" && $0.json["encoding"] == .null })
        #expect(taken.allSatisfy { $0.key == SHA256.hexadecimal(Array($0.body.utf8)) })
    }

    @Test("Events of a user arrive in order through several lanes")
    func keepsOrder() async throws {
        let collector = try await Collector(in: folder)
        let input = try folder.file("a.jsonl", lines.text)
        _ = try await replay(input, "--to", collector.url, "--batch-events", "7", "--lanes", "3")
        let received = try collector.taken().flatMap(\.lines)
        for user in 0..<7 {
            let name = "\"user_id\":\"user-\(user)\""
            #expect(received.filter { $0.contains(name) } == lines.map(\.text).filter { $0.contains(name) })
        }
    }

    @Test("Compressed bodies have the same lines under the same keys, with the given headers")
    func compresses() async throws {
        let collector = try await Collector(in: folder)
        let input = try folder.file("a.jsonl", lines.text)
        _ = try await replay(input, "--to", collector.url)
        let plain = try collector.taken()
        _ = try await replay(input, "--to", collector.url, "--gzip", "--header", "Authorization: Bearer 7")
        let packed = try collector.taken().dropFirst(plain.count)
        #expect(packed.allSatisfy { $0.json["encoding"] == "gzip" && $0.json["authorization"] == "Bearer 7" })
        #expect(Set(packed.map(\.key)) == Set(plain.map(\.key)))
        #expect(Set(packed.map(\.body)) == Set(plain.map(\.body)))
    }

    @Test("A batch that is rejected temporarily is retried unchanged, not before Retry-After")
    func retries() async throws {
        let collector = try await Collector(in: folder, ["--script", "503,429:1,425,408"])
        let input = try folder.file("a.jsonl", lines.text)
        let result = try await replay(input, "--to", collector.url, "--lanes", "1", "--batch-events", "1000")
        #expect(result.exitCode == 0)
        #expect(result.stderr.contains("; 4 retries\n"))
        let requests = try collector.requests()
        #expect(requests.map(\.status) == [503, 429, 425, 408, 200])
        #expect(Set(requests.map(\.key)).count == 1 && Set(requests.map(\.body)).count == 1)
        #expect(requests[2].at - requests[1].at >= 1)
    }

    @Test("Patience is limited")
    func givesUp() async throws {
        let collector = try await Collector(in: folder, ["--script", "503:3600"])
        let input = try folder.file("a.jsonl", lines.text)
        let result = try await replay(input, "--to", collector.url, "--lanes", "1")
        #expect(result.exitCode == 69)
        #expect(
            result.stderr.hasPrefix(
                "trackctl: \(collector.url) answered 503: gave up after 1 attempt; it requests a wait of 3600 s"))
    }

    @Test("Batches that are too large are halved, and each event arrives once")
    func halves() async throws {
        let collector = try await Collector(in: folder, ["--limit", "130"])
        let input = try folder.file("a.jsonl", lines.text)
        let result = try await replay(input, "--to", collector.url, "--lanes", "1", "--batch-events", "500")
        #expect(result.exitCode == 0)
        #expect(try collector.taken().flatMap(\.lines) == lines.map(\.text))
        #expect(try collector.taken().map(\.lines.count) == Array(repeating: 125, count: 8))
    }

    @Test("A single event that is too large is rejected")
    func tooLarge() async throws {
        let collector = try await Collector(in: folder, ["--limit", "0"])
        let input = try folder.file("a.jsonl", lines[..<3].map(\.self).text)
        let result = try await replay(input, "--to", collector.url, "--on-error", "skip")
        #expect(result.exitCode == 2)
        #expect(result.stderr.contains("0 delivered in 0 batches of 0 bytes in total, 3 refused"))
    }

    @Test("Rejected events stop the replay, unless they are skipped or set aside; a redirect is a rejection, too")
    func refusals() async throws {
        let input = try folder.file("a.jsonl", lines.text)
        for status in [400, 401, 404, 302] {
            let collector = try await Collector(in: folder, ["--script", "\(status)"])
            let options = ["--lanes", "1", "--batch-events", "100", "--to", collector.url]
            let stopped = try await trackctl(["replay", input] + options)
            #expect(stopped.exitCode == 2)
            #expect(stopped.stderr.hasPrefix("trackctl: \(collector.url) answered \(status): no more events were sent"))
            #expect(try collector.taken().isEmpty)
        }
        let collector = try await Collector(in: folder, ["--script", "400"])
        let skipped = try await replay(
            input, "--to", collector.url, "--lanes", "1", "--batch-events", "100", "--on-error", "skip")
        #expect(skipped.exitCode == 2)
        #expect(skipped.stderr.contains("900 delivered in 9 batches"))
        #expect(try collector.taken().flatMap(\.lines) == lines[100...].map(\.text))
    }

    @Test("Rejected events are set aside with the reason, and sent from there, byte for byte")
    func deadLetters() async throws {
        let collector = try await Collector(in: folder, ["--script", "400,200,422"])
        let input = try folder.file("a.jsonl", lines[..<30].map(\.self).text)
        let letters = folder("refused.jsonl")
        let result = try await replay(
            input, "--to", collector.url, "--lanes", "1", "--batch-events", "10", "--on-error", "dlq=\(letters)")
        #expect(result.exitCode == 2)
        #expect(result.stderr.contains("10 delivered in 1 batch of"))
        let requests = try collector.requests()
        let kept = try (folder.bytes("refused.jsonl") ?? []).split(separator: UInt8(ascii: "\n"))
            .map { try JSONParser.parse($0) }
        #expect(kept.compactMap { $0["line"]?.stringValue } == requests[0].lines + requests[2].lines)
        #expect(kept.map { $0["status"] } == Array(repeating: 400, count: 10) + Array(repeating: 422, count: 10))
        #expect(kept.map { $0["reason"] }.first == .string("\(collector.url) answered 400"))
        #expect(kept.map { $0["batch"] }.last == .string(requests[2].key))
        #expect(kept.allSatisfy { $0["attempts"] == 1 && $0["time"] != nil })

        let again = try await replay(letters, "--from-dlq", "--to", collector.url, "--lanes", "1")
        #expect(again.exitCode == 0)
        #expect(try collector.taken().flatMap(\.lines).sorted() == lines[..<30].map(\.text).sorted())
    }

    @Test("The dead letters of a log are sent byte for byte, and stay; files of lines are rejected")
    func deadLettersOfLog() async throws {
        let store = try folder.openLog("events.sqlite", install: "install-a")
        let some = [TrackctlLine].launches(1...5)
        folder.append(some, to: store)
        let lease = try #require(
            try await store.beginDelivery(to: "http", lasting: .seconds(60), at: EventTime(seconds: 500)))
        let batch = try #require(try await store.nextBatch(lease, through: store.syncStored(), lasting: .seconds(90)))
        let refusal = EventVerdict.refused(reason: "bad", location: "/event/name")
        let pause = DeliveryPause(
            setAt: ClockReading(time: EventTime(seconds: 500), sinceBoot: .now), length: .seconds(1), isServers: false)
        _ = try await store.settle(
            lease, batch: batch.id, .judged([2: refusal, 4: refusal], checkpoint: nil), pause: pause)
        try await store.close()
        let log = folder("events.sqlite")

        let result = try await replay(log, "--dlq", "--to", folder("out.jsonl"))
        #expect(result.exitCode == 0)
        #expect(try folder.bytes("out.jsonl") == Array([some[1], some[3]].text.utf8))
        let collector = try await Collector(in: folder)
        _ = try await replay(log, "--dlq", "--to", collector.url, "--where", "seq == 4")
        #expect(try collector.taken().flatMap(\.lines) == [some[3].text])
        #expect(try EventLogReader(path: log).deadLetters().map(\.seq) == [2, 4])

        let lines = try await replay(try folder.file("a.jsonl", some.text), "--dlq", "--to", "null:")
        #expect(lines.exitCode == 64)
        #expect(lines.stderr.contains("a.jsonl is not an event log: --dlq needs an event log"))
        let both = try await replay(log, "--dlq", "--from-dlq", "--to", "null:")
        #expect(both.exitCode == 64)
        #expect(both.stderr.contains("pass only one of them"))
    }

    @Test("Lines that are not dead letters are reported with their location")
    func faultyLetters() async throws {
        let letters = try folder.file("a.jsonl", "{\"line\":1}\n\(#"{"line":"{}"}"#)\nnull\n")
        let result = try await replay(letters, "--from-dlq", "--to", "null:")
        #expect(result.exitCode == 65)
        #expect(
            result.stderr.hasPrefix(
                """
                \(letters):1:1: not a dead letter: 'line' is missing or of the wrong type
                \(letters):3:1: not a dead letter: 'line' is missing or of the wrong type
                \(letters):2:1: not a tracking container: 'id' is missing or of the wrong type
                """))
    }

    @Test("An endpoint without a listener is unreachable immediately")
    func away() async throws {
        let input = try folder.file("a.jsonl", lines.text)
        let result = try await replay(input, "--to", "http://127.0.0.1:1/events")
        #expect(result.exitCode == 69)
        #expect(result.stderr.hasPrefix("trackctl: cannot connect to http://127.0.0.1:1/events: check the host"))
    }

    @Test("A planned rate is kept, and the lateness is reported")
    func rate() async throws {
        let collector = try await Collector(in: folder)
        let input = try folder.file("a.jsonl", lines.text)
        let start = ContinuousClock.now
        let result = try await replay(input, "--to", collector.url, "--rate", "1000/s", "--lanes", "1")
        // The last event is due then.
        #expect(start.duration(to: .now) >= .milliseconds(999))
        #expect(result.exitCode == 0)
        #expect(result.stderr.contains("events/s; late by p50 "))
        let requests = try collector.taken()
        // 101 events are due within the 100 ms of a batch.
        #expect(requests.map(\.lines.count) == [101, 101, 101, 101, 101, 101, 101, 101, 101, 91])
    }

    @Test("An answer that never ends is awaited for the given timeout")
    func slowAnswer() async throws {
        let collector = try await Collector(in: folder, ["--answer", "never"])
        let input = try folder.file("a.jsonl", lines[..<3].map(\.self).text)
        let result = try await replay(input, "--to", collector.url, "--timeout", "0.5s", "--retry-for", "1ms")
        #expect(result.exitCode == 69)
        #expect(
            result.stderr.hasPrefix(
                "trackctl: \(collector.url) did not respond within 0.5 s: gave up after 1 attempt"))
    }

    @Test("The body of an answer is not awaited, however long it is")
    func endlessAnswer() async throws {
        let collector = try await Collector(in: folder, ["--answer", "endless"])
        let input = try folder.file("a.jsonl", lines.text)
        let result = try await replay(input, "--to", collector.url, "--batch-events", "100", "--timeout", "1h")
        #expect(result.exitCode == 0)
        #expect(try collector.taken().flatMap(\.lines).sorted() == lines.map(\.text).sorted())
    }

    @Test("Several headers of a name are all sent")
    func severalHeaders() async throws {
        let collector = try await Collector(in: folder)
        let input = try folder.file("a.jsonl", lines[..<3].map(\.self).text)
        _ = try await replay(
            input, "--to", collector.url, "--lanes", "1", "--header", "X-Tag: a", "--header", "x-tag: b", "--header",
            "Content-Type: text/plain")
        let request = try #require(try collector.taken().first)
        #expect(request.json["tags"]?.stringValue?.replacing(" ", with: "") == "a,b")
        #expect(request.json["type"] == "text/plain")
    }

    @Test("A URL that cannot be requested is reported immediately")
    func noSuchPort() async throws {
        let input = try folder.file("a.jsonl", lines.text)
        let result = try await replay(input, "--to", "http://127.0.0.1:99999/events", "--retry-for", "1h")
        #expect(result.exitCode == 69)
        #expect(result.stderr.hasPrefix("trackctl: invalid URL http://127.0.0.1:99999/events: check its"))
    }
}

/// In this process: a crash ends the tests.
@Suite("trackctl replay to an endpoint that redirects", .timeLimit(.minutes(5)))
struct TrackctlReplayRedirectionTests {
    @Test("A replay that ends with a redirect ends in order, however often")
    func redirections() async throws {
        let folder = try TrackctlFolder()
        let count = 40
        let collector = try await Collector(
            in: folder, ["--script", Array(repeating: "302", count: count).joined(separator: ",")])
        let input = try folder.file("a.jsonl", TrackctlLine(1).text + "\n")
        for _ in 0..<count {
            let result = try await trackctl(["replay", input, "--to", collector.url])
            #expect(result.exitCode == 2)
        }
        #expect(try collector.requests().map(\.status) == Array(repeating: 302, count: count))
    }
}
