import DeliveryProtocol
import EventLog
import EventModel
import Foundation
import LoopbackServer
import Testing
import TrackingHTTP
import TrackingTesting

/// The bytes that a collector receives. `ReceivedBatch` inflates them, and computes the digest itself.
@Suite("Requests", .timeLimit(.minutes(10)))
struct WireTests {
    let phone: Phone

    init() throws { phone = try Phone() }

    @Test("a request has exactly the batch header, the log's lines, and these fields")
    func request() async throws {
        let collector = try CollectorDouble()
        let app = try phone.start(collector.url)
        app.send(2)
        await app.flush()
        let batch = try #require(collector.batches().first)
        #expect(batch.lines == (try await app.log.read(after: 0, maximumCount: 10, maximumBytes: .max)).map(\.line))
        #expect(batch.header.installID == "install-1")
        #expect(batch.header.secret.count == 32)
        let fields = batch.request.fields
        #expect(
            fields.keys.sorted() == [
                "accept", "accept-encoding", "authorization", "content-digest", "content-length", "content-type",
                "host",
                "idempotency-key", "tracking-attempt", "tracking-sent-at", "user-agent",
            ])
        #expect(fields["accept-encoding"] == "identity")
        #expect(fields["authorization"] == "Bearer \(Phone.key)")
        #expect(fields["tracking-attempt"] == "1")
        #expect(fields["tracking-sent-at"] == "1700000000")
        #expect(batch.request.line == "POST /v1/events HTTP/1.1")
    }

    @Test("only the fields for attempt and send time change with each attempt")
    func attempts() async throws {
        let collector = try CollectorDouble([.status(503), .status(503)])
        let app = try phone.start(collector.url)
        app.send(20)
        for _ in 1...3 {
            await app.flush()
            phone.clock.advance(by: .milliseconds(1_500))
        }
        let requests = collector.requests
        #expect(requests.map { $0.fields["tracking-attempt"] } == ["1", "2", "3"])
        #expect(requests.map { $0.fields["tracking-sent-at"] } == ["1700000000", "1700000001.5", "1700000003"])
        #expect(Set(requests.map(\.body)).count == 1)
        var others = requests.map(\.fields)
        for index in others.indices {
            (others[index]["tracking-attempt"], others[index]["tracking-sent-at"]) = (nil, nil)
        }
        #expect(Set(others).count == 1)
    }

    @Test("a retry has the same bytes and id, even compressed, after a restart and after new events")
    func restart() async throws {
        let collector = try CollectorDouble([.collectSilently, .status(503)])
        do {
            let app = try phone.start(collector.url)
            app.send(40)
            await app.flush()
            app.send(5)
            await app.flush()
            #expect(try await app.acknowledged() == 0)
        }
        let app = try phone.start(collector.url)
        app.send(5)
        await app.flush()
        let batches = try collector.batches()
        #expect(batches.map(\.header.seqs) == [1...40, 1...40, 1...40, 41...50])
        #expect(Set(batches.prefix(3).map(\.request.body)).count == 1)
        #expect(Set(batches.prefix(3).map(\.header.id)).count == 1)
        #expect(batches[0].request.fields["content-encoding"] == "gzip")
        #expect(collector.seqs(of: "install-1") == Array(1...50))
        #expect(phone.reports[0].contains("closed without a response"))
    }

    @Test("a drop between two attempts changes the ledger in the header, but no line")
    func ledger() async throws {
        let collector = try CollectorDouble([.status(503)])
        let app = try phone.start(collector.url)
        app.send(2)
        await app.flush()
        app.send(1, size: 40_000)
        await app.flush()
        let batches = try collector.batches()
        #expect(batches.map(\.header.ledger) == [[], batches[1].header.ledger])
        #expect(batches[1].header.ledger.map(\.reason) == ["out-of-limits"])
        #expect(batches[1].header.ledger.map(\.count) == [1])
        #expect(batches[0].lines == batches[1].lines && batches[0].header.id == batches[1].header.id)
    }

    @Test("bodies from 1 KiB are compressed")
    func threshold() throws {
        let short = [UInt8](repeating: 65, count: 1023)
        #expect(EncodedBody(short, allowsCompression: true).bytes == short)
        let long = short + [65]
        let encoded = EncodedBody(long, allowsCompression: true)
        #expect(encoded.isCompressed && encoded.bytes.count < 100)
        #expect(try Inflated.bytes(of: encoded.bytes) == long)
        #expect(encoded.bytes == EncodedBody(long, allowsCompression: true).bytes)
        // No name, no time (RFC 1952).
        #expect(Array(encoded.bytes.prefix(8)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
        #expect(EncodedBody(long, allowsCompression: false).bytes == long)
    }

    @Test("a body that gzip can't shorten is sent uncompressed")
    func incompressible() {
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<2_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(!EncodedBody(noise, allowsCompression: true).isCompressed)
    }

    @Test("the digest equals RFC 9530's example")
    func digest() {
        let body = EncodedBody(Array("{\"hello\": \"world\"}\n".utf8), allowsCompression: true)
        #expect(body.digest == "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:")
    }

    @Test("415 to a compressed body disables compression, in the same delivery and later")
    func unsupportedEncoding() async throws {
        let collector = try CollectorDouble([.problem(DeliveryProblem(.unsupportedEncoding, "identity only"))])
        let memory = CompressionMemory()
        var app = try phone.start(collector.url, memory: memory)
        app.send(30)
        await app.flush()
        #expect(phone.reports == [])
        app.send(30)
        await app.flush()
        app = try phone.start(collector.url, memory: memory)
        app.send(30)
        await app.flush()
        let batches = try collector.batches()
        #expect(batches.map { $0.request.fields["content-encoding"] } == ["gzip", nil, nil, nil])
        #expect(batches.map(\.header.seqs) == [1...30, 1...30, 31...60, 61...90])
        #expect(batches[0].header.id == batches[1].header.id && batches[0].lines == batches[1].lines)
        let other = try CollectorDouble()
        let elsewhere = try phone.start(other.url, memory: memory)
        elsewhere.send(30)
        await elsewhere.flush()
        #expect(other.requests.map { $0.fields["content-encoding"] } == ["gzip"])
    }

    @Test("all sinks of the process share the list of servers without compression")
    func processMemory() async throws {
        let collector = try CollectorDouble([.status(415)])
        let url = try #require(URL(string: collector.url))
        for seq in 1...2 as ClosedRange<Int64> {
            let sink = try HTTPSink(url: url, key: Phone.key)
            let record = EventRecord(
                seq: seq, id: EventID(milliseconds: 1, counter: 0, random: 4), time: EventTime(seconds: 1), name: "a",
                line: Array(#"{"seq":\#(seq),"text":"\#(String(repeating: "x", count: 2_000))"}"#.utf8))
            let result = await sink.deliver(
                EventBatch(
                    records: [record], checkpoint: nil, installID: "install",
                    secret: String(repeating: "0f", count: 16)))
            guard case .judged(let verdicts, _) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(verdicts == [:])
        }
        #expect(collector.requests.map { $0.fields["content-encoding"] } == ["gzip", nil, nil])
    }

    @Test("a batch whose header makes it larger than 900,000 bytes is halved without a request")
    func longHeader() async throws {
        let collector = try CollectorDouble()
        let sink = try HTTPSink(url: collector.url, key: Phone.key)
        // Every second number is missing.
        let records = (1...20_000).map { index in
            EventRecord(
                seq: Int64(2 * index), id: EventID(milliseconds: 1, counter: 0, random: 4), time: EventTime(seconds: 1),
                name: "a", line: Array("{\"seq\":\(2 * index)}".utf8))
        }
        let result = await sink.deliver(
            EventBatch(
                records: records, checkpoint: nil, installID: "install", secret: String(repeating: "0f", count: 16)))
        guard case .rejected = result else {
            Issue.record("\(result)")
            return
        }
        #expect(collector.requests.isEmpty)
    }

    @Test("a log with the install id of recorded events starts a new install before its first request")
    func adopted() async throws {
        let donor = try Phone(prefix: "recorded-")
        let elsewhere = try donor.start("http://127.0.0.1:1/")
        elsewhere.send(2)
        let recorded = try await elsewhere.log.read(after: 0, maximumCount: 10, maximumBytes: .max).map {
            try RecordedContainer(line: $0.line).recordedEvent
        }
        let collector = try CollectorDouble()
        let app = try phone.start(collector.url)
        _ = try await app.log.replay(recorded)
        await app.flush()
        let batches = try collector.batches()
        #expect(batches.map(\.lines.count) == [2])
        #expect(recorded.map(\.installID) == ["recorded-1", "recorded-1"])
        #expect(batches.map(\.header.installID) == ["install-2"])
    }
}
