import CollectorFixtures
import DeliveryHTTP
import DeliveryProtocol
import EventModel
import Foundation
import JSONLines
import Primitives
import Testing

@Suite("Accepting batches over HTTP", .timeLimit(.minutes(10)))
struct AcceptingTests {
    private let folder: CollectorFolder
    private let sender = SendingInstall("install-a")

    init() throws { folder = try CollectorFolder() }

    private static func digest(_ body: [UInt8]) -> String { Data(SHA256.bytes(of: body)).base64EncodedString() }

    /// The stored lines of the install, in the order of their numbers.
    private func stored() async throws -> [String] {
        try await folder.storedLines()["install-a", default: [:]].sorted { $0.key < $1.key }.map(\.value)
    }

    private func lines(_ seqs: ClosedRange<Int64>) -> [String] { seqs.map { sender.line($0) } }

    @Test("A plain or compressed batch is stored and gets a receipt; a repeat gets the same bytes")
    func receipts() async throws {
        try await folder.serve { collector in
            var receipts: [Receipt] = []
            for (index, encoding) in [nil, "identity", "gzip", "zstd"].enumerated() {
                let seqs = Int64(index * 10 + 1)...Int64(index * 10 + 10)
                let plain = sender.body(index + 1, seqs)
                let body =
                    encoding == "gzip"
                    ? Compression.gzip(plain) : encoding == "zstd" ? Compression.zstd(plain) : plain
                let fields = encoding.map { [("Content-Encoding", $0)] } ?? []
                let first = try await collector.post(body, fields)
                let receipt = try first.receipt()
                #expect(
                    receipt
                        == Receipt(
                            name: ReceiptName(collector: receipt.name.collector, number: Int64(index + 1)),
                            installID: "install-a", batchID: Phone.id(index + 1), stored: [seqs],
                            highest: seqs.upperBound))
                receipts.append(receipt)
                // The retry may be compressed in another way.
                for (body, fields) in [(body, fields), (plain, [])] {
                    #expect(try await collector.post(body, fields).body == first.body)
                }
            }
            #expect(Set(receipts.map(\.name.collector)).count == 1)
        }
        #expect(try await stored() == lines(1...40))
    }

    @Test("Requests of the SDK's client are accepted: digest, compression, header fields")
    func client() async throws {
        try await folder.serve { collector in
            let client = DeliveryClient(
                try DeliveryEndpoint("http://127.0.0.1:\(collector.port)/v1/events"),
                key: try WriteKey(folder.writeKey), transport: .system(), timeout: .seconds(300),
                clock: { ClockReading(time: EventTime(seconds: 5), sinceBoot: .now) })
            let answer = try await client.post(
                .init(id: Phone.id(1), lines: sender.body(1, 1...100), attempt: 1))
            #expect(answer.response.status == 200)
            #expect(answer.bodyBytes < sender.body(1, 1...100).count)
            let line = try #require(
                try await collector.get("/v1/lines?limit=1&envelope=received").lines.first)
            #expect(line.contains(#""sent_at":5,"#))
        }
        #expect(try await stored() == lines(1...100))
    }

    @Test("A Content-Digest of the sent bytes is accepted; a wrong digest stores nothing")
    func contentDigest() async throws {
        let plain = sender.body(1, 1...10)
        let packed = Compression.gzip(plain)
        try await folder.serve { collector in
            for field in [
                "sha-256=:\(Self.digest(plain)):", "sha-256=:AAAA:", "sha-256=x", "sha-256=:\(Self.digest([])):",
                "sha-512=:AAAA:, SHA-256=:\(Self.digest(plain)):",
            ] {
                let answer = try await collector.post(
                    packed, [("Content-Encoding", "gzip"), ("Content-Digest", field)])
                #expect(try answer.problem().code == (field == "sha-256=x" ? .malformed : .digestMismatch), "\(field)")
            }
            #expect(try await collector.lines() == [])
            for field in [
                "sha-256=:\(Self.digest(packed)):", "sha-512=:AAAA:",
                "sha-512=:AAAA:, sha-256=:\(Self.digest(packed)):",
            ] {
                let answer = try await collector.post(
                    packed, [("Content-Encoding", "gzip"), ("Content-Digest", field)])
                #expect(try answer.receipt().stored == [1...10], "\(field)")
            }
        }
        #expect(try await stored() == lines(1...10))
    }

    @Test("An Idempotency-Key may be quoted, and must be the batch's id")
    func idempotencyKey() async throws {
        let body = sender.body(1, 1...1)
        try await folder.serve { collector in
            let other = try await collector.post(body, [("Idempotency-Key", Phone.id(2))])
            #expect(try other.problem().code == .malformed)
            for key in [Phone.id(1), "\"\(Phone.id(1))\""] {
                #expect(try await collector.post(body, [("Idempotency-Key", key)]).receipt().stored == [1...1])
            }
        }
    }

    @Test("A chunked body is read completely, with chunks of any length")
    func chunked() async throws {
        let body = sender.body(1, 1...5)
        try await folder.serve { collector in
            let connection = try collector.connect()
            await connection.send(
                RawRequest.events(key: folder.writeKey, [("Transfer-Encoding", "chunked")]))
            var offset = 0
            for length in [1, 2, 3, 200, 1, 500] {
                await connection.send(RawRequest.chunk(body[offset..<offset + length]))
                offset += length
            }
            await connection.send(RawRequest.chunk(body[offset...]) + Array("0\r\n\r\n".utf8))
            #expect(try #require(await connection.response()).receipt().stored == [1...5])
        }
        #expect(try await stored() == lines(1...5))
    }

    @Test("Pipelined requests are answered in order")
    func pipelined() async throws {
        try await folder.serve { collector in
            let connection = try collector.connect()
            let requests = (1...5).map { number in
                let body = sender.body(number, Int64(number)...Int64(number))
                return RawRequest.events(key: folder.writeKey, [("Content-Length", "\(body.count)")]) + body
            }
            await connection.send(Array(requests.joined()))
            for number in 1...5 {
                #expect(try #require(await connection.response()).receipt().batchID == Phone.id(number))
            }
            let again = requests[0]
            await connection.send(again)
            #expect(try #require(await connection.response()).receipt().name.number == 1)
        }
        #expect(try await stored() == lines(1...5))
    }

    /// A `POST` of one event.
    private func post(_ number: Int, _ fields: [(String, String)] = []) -> [UInt8] {
        let body = sender.body(number, Int64(number)...Int64(number))
        return RawRequest.events(key: folder.writeKey, [("Content-Length", "\(body.count)")] + fields) + body
    }

    @Test(
        "Pipelined requests for events and other endpoints are answered in order",
        arguments: [true, false])
    func mixed(isHalfClosed: Bool) async throws {
        try await folder.serve { collector in
            let connection = try collector.connect()
            let page = RawRequest.head(
                "GET", CollectorPath.lines, [("Authorization", "Bearer \(folder.adminToken)")])
            await connection.send(page + page + post(1) + page + post(2) + post(3) + page + post(4))
            if isHalfClosed { connection.halfClose() }
            var stored: [Int] = []
            for expected: Int? in [nil, nil, 1, nil, 2, 3, nil, 4] {
                let response = try #require(await connection.response())
                if let expected {
                    #expect(try response.receipt().batchID == Phone.id(expected))
                    stored.append(expected)
                } else {
                    // Acknowledged lines are stored, and nothing later.
                    #expect(response.status == 200 && response.lines == stored.map { sender.line(Int64($0)) })
                }
                let date = try #require(response["Date"])
                #expect(
                    date.wholeMatch(
                        of: /(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/) != nil)
            }
            if isHalfClosed { #expect(await connection.endsSilently()) }
        }
        #expect(try await stored() == lines(1...4))
    }

    @Test("Connection: close is honored: the response has it, and later requests are not read")
    func lastRequest() async throws {
        try await folder.serve { collector in
            let connection = try collector.connect()
            await connection.send(post(1) + post(2, [("Connection", "Close")]) + post(3))
            #expect(try #require(await connection.response())["Connection"] == nil)
            let last = try #require(await connection.response())
            #expect(try last.receipt().stored == [2...2])
            #expect(last["Connection"] == "close")
            #expect(await connection.endsSilently())
        }
        #expect(try await stored() == lines(1...2))
    }

    @Test("A rejection before the end of the body closes the connection; nothing more is stored")
    func refusedEarly() async throws {
        try await folder.serve { collector in
            let connection = try collector.connect()
            let tooLong = RawRequest.events(key: folder.writeKey, [("Content-Length", "\(1 << 30)")])
            await connection.send(post(1) + tooLong + post(2) + post(3))
            #expect(try #require(await connection.response()).receipt().stored == [1...1])
            let refusal = try #require(await connection.response())
            #expect(try refusal.problem().code == .tooLarge)
            #expect(refusal["Connection"] == "close")
            connection.halfClose()
            #expect(await connection.endsSilently())
            let refused = try collector.connect()
            await refused.send(
                RawRequest.events(key: "none", [("Content-Length", "10")]) + Array("0123456789".utf8) + post(4))
            #expect(try #require(await refused.response()).problem().code == .unauthorized)
            #expect(await refused.endsSilently())
        }
        #expect(try await stored() == lines(1...1))
    }

    @Test("Bytes that are not HTTP are rejected after the receipts of earlier requests")
    func garbageBehind() async throws {
        try await folder.serve { collector in
            let connection = try collector.connect()
            await connection.send(post(1) + post(2) + Array("no http at all\r\n\r\n".utf8))
            for number in 1...2 {
                #expect(try #require(await connection.response()).receipt().batchID == Phone.id(number))
            }
            #expect(try #require(await connection.response()).problem().code == .malformed)
            #expect(await connection.endsSilently())
        }
        #expect(try await stored() == lines(1...2))
    }

    @Test("A batch is stored even if its client disconnects; a retry is accepted")
    func goneWhileStoring() async throws {
        try await folder.serve { collector in
            for number in 1...20 {
                let connection = try collector.connect()
                await connection.send(post(number))
                if number.isMultiple(of: 2) { connection.reset() } else { connection.close() }
            }
            #expect(
                try await eventually {
                    try await collector.get("/metrics").lines.contains("collector_requests_in_flight 0")
                })
            for number in 1...20 {
                let body = sender.body(number, Int64(number)...Int64(number))
                #expect(try await collector.post(body).receipt().stored == [Int64(number)...Int64(number)])
            }
        }
        let stored = try await stored()
        #expect(stored.count == 20 && Set(stored) == Set(lines(1...20)))
    }

    @Test("Expect: 100-continue gets a 100 before the body, and the response after it")
    func expectContinue() async throws {
        let body = sender.body(1, 1...1)
        try await folder.serve { collector in
            let connection = try collector.connect()
            await connection.send(
                RawRequest.events(
                    key: folder.writeKey, [("Content-Length", "\(body.count)"), ("Expect", "100-continue")]))
            #expect(await connection.response()?.status == 100)
            await connection.send(body)
            #expect(try #require(await connection.response()).receipt().stored == [1...1])
        }
    }

    @Test("Expect: 100-continue of a pipelined request gets its 100 after the response to the earlier one")
    func pipelinedExpect() async throws {
        let body = sender.body(2, 2...2)
        try await folder.serve { collector in
            let connection = try collector.connect()
            let head = RawRequest.events(
                key: folder.writeKey, [("Content-Length", "\(body.count)"), ("Expect", "100-continue")])
            await connection.send(post(1) + head)
            #expect(try #require(await connection.response()).receipt().stored == [1...1])
            #expect(await connection.response()?.status == 100)
            await connection.send(body)
            #expect(try #require(await connection.response()).receipt().stored == [2...2])
        }
    }

    /// How a client disconnects.
    enum Cut: CaseIterable, Sendable { case close, halfClose, reset }

    @Test("A body truncated by the end of its connection stores nothing", arguments: Cut.allCases, [true, false])
    func cut(by cut: Cut, isChunked: Bool) async throws {
        // Truncated after a complete line: the received part would be a valid batch.
        let body = sender.body(1, 1...5)
        let part = SendingInstall.body([sender.header(1, 1...5)] + lines(1...3))
        try await folder.serve { collector in
            let connection = try collector.connect()
            if isChunked {
                await connection.send(
                    RawRequest.events(key: folder.writeKey, [("Transfer-Encoding", "chunked")])
                        + RawRequest.chunk(part))
            } else {
                await connection.send(
                    RawRequest.events(key: folder.writeKey, [("Content-Length", "\(body.count)")]) + part)
            }
            // The request is being read.
            #expect(
                try await eventually {
                    try await collector.get("/metrics").lines.contains {
                        $0.hasPrefix("collector_body_bytes_in_flight ") && $0 != "collector_body_bytes_in_flight 0"
                    }
                })
            switch cut {
            case .close: connection.close()
            case .reset: connection.reset()
            case .halfClose:
                connection.halfClose()
                #expect(await connection.response()?.status != 200)
            }
            #expect(
                try await eventually {
                    try await collector.get("/metrics").lines.contains("collector_requests_in_flight 0")
                })
            #expect(try await collector.lines() == [])
            #expect(try await collector.get("/v1/installs/install-a").status == 404)
            #expect(try await collector.post(body).receipt().stored == [1...5])
        }
        #expect(try await stored() == lines(1...5))
    }

    @Test("Invalid lines are rejected with their exact bytes, and the other lines are stored")
    func rejected() async throws {
        let bad = sender.line(2).replacing(#""page":1"#, with: #""page":0"#)
        try await folder.serve { collector in
            let body = SendingInstall.body([sender.header(1, 1...3), sender.line(1), bad, sender.line(3)])
            let receipt = try await collector.post(body).receipt()
            #expect(receipt.stored == [1...1, 3...3])
            #expect(receipt.rejected.map(\.code) == ["schema"] && receipt.rejected.map(\.seq) == [2])
            #expect(receipt.missing == [])
            let reject = try #require(try await collector.get("/v1/rejects").json)
            let bytes = reject["bytes"]?.stringValue.flatMap { Data(base64Encoded: $0) }
            #expect(bytes == Data(bad.utf8), "\(reject)")
        }
    }
}
