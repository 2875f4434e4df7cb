import CollectorFixtures
import CollectorIntake
import CollectorServer
import DeliveryProtocol
import Foundation
import JSONLines
import Logging
import Testing

@Suite("Responses for failures", .timeLimit(.minutes(10)))
struct RefusalTests {
    private let folder: CollectorFolder
    private let sender = SendingInstall("install-a")

    init() throws { folder = try CollectorFolder() }

    @Test("400 for a malformed request, as a problem; other connections are served")
    func malformed() async throws {
        try await folder.serve { collector in
            for body in ["", "no json\n", "{\"batch\":1}\n", "\n\n"] {
                #expect(try await collector.post(Array(body.utf8)).problem().code == .malformed, "\(body)")
            }
            let packed = Compression.gzip(sender.body(1, 1...5))
            for body in [Array(packed.dropLast()), Array("plain".utf8)] {
                let answer = try await collector.post(body, [("Content-Encoding", "gzip")])
                #expect(try answer.problem().code == .malformed)
            }
            #expect(try await collector.post(sender.body(1, 1...5)).receipt().stored == [1...5])
        }
    }

    @Test(
        "400 for bytes that are not HTTP, and the connection ends",
        arguments: [
            "no http at all\r\n\r\n", "POST /v1/events\r\n\r\n", "GET / HTTP/1.1\r\nno field\r\n\r\n",
            "POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: ten\r\n\r\n",
            "POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12",
            "POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nX: \(String(repeating: "x", count: 40 << 10))\r\n\r\n",
            "GET /healthz HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 200) + "\r\n",
            "GET /healthz HTTP/1.1\r\nA\u{0}b: c\r\n\r\n",
            "GET /healthz HTTP/1.1\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n",
        ])
    func noHTTP(text: String) async throws {
        try await folder.serve { collector in
            let connection = try collector.connect()
            await connection.send(text)
            let answer = await connection.response()
            #expect(try #require(answer).problem().code == .malformed)
            #expect(await connection.endsSilently())
            #expect(try await collector.get("/healthz").status == 200)
        }
    }

    @Test("HTTP/1.0 needs no Host, as health checks of proxies send it")
    func oldHTTP() async throws {
        try await folder.serve { collector in
            let connection = try collector.connect()
            await connection.send("GET /healthz HTTP/1.0\r\n\r\n")
            #expect(await connection.response()?.status == 200)
        }
    }

    @Test("400 for an invalid chunk, and nothing is stored")
    func badChunk() async throws {
        try await folder.serve { collector in
            let connection = try collector.connect()
            await connection.send(
                RawRequest.events(key: folder.writeKey, [("Transfer-Encoding", "chunked")])
                    + RawRequest.chunk(sender.body(1, 1...3)) + Array("xyz\r\n".utf8))
            let answer = await connection.response()
            #expect(try #require(answer).problem().code == .malformed)
            #expect(await connection.endsSilently())
            #expect(try await collector.lines() == [])
        }
    }

    @Test("401 without a known key, with WWW-Authenticate")
    func unauthorized() async throws {
        let body = sender.body(1, 1...1)
        try await folder.serve { collector in
            for field in [
                nil, "Bearer", "Bearer ", "Bearer wk_unknown", "Basic \(folder.writeKey)", folder.writeKey,
                "Bearer \(folder.writeKey)x",
            ] {
                let fields =
                    (field.map { [("Authorization", $0)] } ?? []) + [("Content-Type", "application/x-ndjson")]
                let answer = try await collector.call("POST", CollectorPath.events, key: nil, fields, body: body)
                #expect(try answer.problem().code == .unauthorized, "\(field ?? "none")")
                #expect(answer["WWW-Authenticate"] == "Bearer")
                #expect(!answer.text.contains(folder.writeKey))
            }
            let answer = try await collector.call(
                "POST", CollectorPath.events, key: nil,
                [("authorization", "bEARER  \(folder.writeKey)"), ("Content-Type", "application/x-ndjson")],
                body: body)
            #expect(try answer.receipt().stored == [1...1])
        }
    }

    @Test("403 for a write key if the admin token is required")
    func forbidden() async throws {
        try await folder.serve { collector in
            for path in [
                "/v1/lines", "/v1/installs", "/v1/installs/a", "/v1/installs/a/hashes", "/v1/batches",
                "/v1/rejects",
                "/v1/findings",
            ] {
                #expect(try await collector.call("GET", path, key: folder.writeKey).problem().code == .forbidden)
                #expect(try await collector.call("GET", path, key: nil).problem().code == .unauthorized)
            }
            for path in ["/v1/erasures", "/v1/backups"] {
                let answer = try await collector.call(
                    "POST", path, key: folder.writeKey, body: Array(#"{"user_id":"user-1","name":"b"}"#.utf8))
                #expect(try answer.problem().code == .forbidden)
            }
            let lines = SendingInstall.body([sender.line(1), sender.line(2)])
            #expect(try await collector.post(lines).problem().code == .forbidden)
            let imported = try await collector.post(lines, key: folder.adminToken).receipt()
            #expect(imported.stored == [1...2] && imported.batchID == nil)
        }
    }

    @Test("404 for an unknown endpoint, 405 with Allow for an unsupported method")
    func pages() async throws {
        try await folder.serve { collector in
            for path in ["/", "/v1", "/v1/events/", "/v1/installs/", "/v1/installs/a/b", "/v1/installs/a/hashes/c"] {
                #expect(try await collector.get(path).problem().code == .notFound, "\(path)")
            }
            #expect(try await collector.get("/v1/installs/unknown").problem().code == .notFound)
            for (method, path, allow) in [
                ("GET", "/v1/events", "POST, OPTIONS"), ("PUT", "/v1/events", "POST, OPTIONS"),
                ("POST", "/v1/lines", "GET, HEAD"), ("DELETE", "/v1/installs/a", "GET, HEAD"),
                ("GET", "/v1/erasures", "POST"),
            ] {
                let answer = try await collector.call(method, path, key: folder.adminToken, body: [])
                #expect(try answer.problem().code == .methodNotAllowed)
                #expect(answer["Allow"] == allow)
            }
            let head = try await collector.call("HEAD", "/healthz", key: nil)
            #expect(head.status == 200 && head.body == [] && head["Content-Length"] == "3")
        }
    }

    @Test("408 for a slow header, and the connection ends")
    func slowHeader() async throws {
        try await folder.serve({ $0.headerTimeout = .milliseconds(300) }) { collector in
            let connection = try collector.connect()
            await connection.send("POST /v1/events HTTP/1.1\r\nHost: a\r\n")
            #expect(try #require(await connection.response()).problem().code == .timeout)
            #expect(await connection.endsSilently())
        }
    }

    @Test("408 for a slow body, and nothing is stored", arguments: [true, false])
    func slowBody(isChunked: Bool) async throws {
        let body = sender.body(1, 1...3)
        try await folder.serve({ $0.bodyTimeout = .milliseconds(300) }) { collector in
            let connection = try collector.connect()
            await connection.send(
                isChunked
                    ? RawRequest.events(key: folder.writeKey, [("Transfer-Encoding", "chunked")])
                        + RawRequest.chunk(body)
                    : RawRequest.events(key: folder.writeKey, [("Content-Length", "\(body.count + 1)")]) + body)
            #expect(try #require(await connection.response()).problem().code == .timeout)
            #expect(await connection.endsSilently())
            #expect(
                try await eventually {
                    try await collector.get("/metrics").lines.contains("collector_requests_in_flight 0")
                })
            #expect(try await collector.lines() == [])
        }
    }

    @Test("An idle connection is closed silently, before and after a request")
    func idle() async throws {
        try await folder.serve({ $0.idleTimeout = .milliseconds(300) }) { collector in
            let silent = try collector.connect()
            #expect(await silent.endsSilently())
            let served = try collector.connect()
            await served.send(RawRequest.head("GET", "/healthz", []))
            #expect(await served.response()?.status == 200)
            #expect(await served.endsSilently())
        }
    }

    @Test("409 for a fork, with the equal and the different numbers; nothing is changed")
    func fork() async throws {
        try await folder.serve { collector in
            _ = try await collector.post(sender.body(1, 1...10)).receipt()
            let lines = (5...12).map { sender.line($0, query: (7...8).contains($0) ? "other" : "swift") }
            let answer = try await collector.post(SendingInstall.body([sender.header(2, 5...12)] + lines))
            let problem = try answer.problem()
            #expect(problem.code == .fork)
            #expect(problem.acknowledged == [5...6, 9...10] && problem.forked == [7...8])
            #expect(try await collector.lines() == (1...10).map { sender.line($0) })
            let install = try #require(try await collector.get("/v1/installs/install-a").json)
            guard case .array(let forks)? = install["forks"] else {
                Issue.record("the install has no forks: \(install)")
                return
            }
            #expect(forks.count == 1)
        }
    }

    @Test("409 for an install with another secret, and 422 for an id with another body")
    func conflicts() async throws {
        let thief = SendingInstall("install-a", secret: String(repeating: "0f", count: 16))
        try await folder.serve { collector in
            _ = try await collector.post(sender.body(1, 1...3)).receipt()
            #expect(try await collector.post(thief.body(2, 4...5)).problem().code == .installTaken)
            #expect(try await collector.post(thief.body(1, 1...3)).problem().code == .installTaken)
            #expect(try await collector.post(sender.body(1, 1...4)).problem().code == .keyReused)
            #expect(try await collector.post(sender.body(1, 1...3, query: "x")).problem().code == .keyReused)
            #expect(try await collector.lines() == (1...3).map { sender.line($0) })
        }
    }

    @Test("413 for a body over the limit, by length, chunked or decompressed, and for too many events")
    func tooLarge() async throws {
        var limits = CollectorSettings(folder: "", logger: .init(label: "")).limits
        (limits.maximumBytes, limits.maximumEvents) = (10_000, 20)
        let long = sender.body(1, 1...40)
        try await folder.serve({ [limits] in $0.limits = limits }) { collector in
            // Before the body is sent.
            let announced = try collector.connect()
            await announced.send(RawRequest.events(key: folder.writeKey, [("Content-Length", "10001")]))
            let early = try #require(await announced.response())
            #expect(try early.problem().code == .tooLarge)
            #expect(early["Connection"] == "close")

            let chunked = try collector.connect()
            await chunked.send(
                RawRequest.events(key: folder.writeKey, [("Transfer-Encoding", "chunked")]) + RawRequest.chunk(long)
            )
            #expect(try #require(await chunked.response()).problem().code == .tooLarge)

            for (encoding, packed) in [("gzip", Compression.gzip(long)), ("zstd", Compression.zstd(long))] {
                #expect(packed.count < 10_000)
                let answer = try await collector.post(packed, [("Content-Encoding", encoding)])
                #expect(try answer.problem().code == .tooLarge)
            }
            #expect(try await collector.post(sender.body(1, 1...21)).problem().code == .tooLarge)
            #expect(try await collector.post(sender.body(1, 1...20)).receipt().stored == [1...20])
        }
    }

    @Test("413 for a decompression bomb, whose memory is released")
    func bomb() async throws {
        let bomb = Compression.gzip([UInt8](repeating: 0, count: 100 << 20), level: 9)
        try await folder.serve { collector in
            for _ in 0..<20 {
                let answer = try await collector.post(bomb, [("Content-Encoding", "gzip")])
                #expect(try answer.problem().code == .tooLarge)
            }
            #expect(try await collector.get("/metrics").lines.contains("collector_body_bytes_in_flight 0"))
        }
    }

    @Test("415 for unsupported types and encodings, with the supported ones")
    func unsupported() async throws {
        let body = sender.body(1, 1...1)
        try await folder.serve { collector in
            for type in [nil, "application/json", "text/plain", "application/x-ndjson2"] {
                let answer = try await collector.post(body, type: type)
                #expect(try answer.problem().code == .unsupportedEncoding, "\(type ?? "none")")
                #expect(answer["Accept"] == "application/x-ndjson")
                #expect(answer["Accept-Encoding"] == "gzip, zstd")
            }
            for encoding in ["br", "gzip, gzip", "deflate"] {
                let answer = try await collector.post(body, [("Content-Encoding", encoding)])
                #expect(try answer.problem().code == .unsupportedEncoding, "\(encoding)")
            }
            for type in ["application/x-ndjson; charset=utf-8", "Application/NDJSON", "application/jsonl"] {
                #expect(try await collector.post(body, type: type).receipt().stored == [1...1], "\(type)")
            }
        }
    }

    @Test("429 with Retry-After over the quota of an install or key; others are served")
    func quotas() async throws {
        let clock = TestClock()
        try await folder.serve({
            $0.now = { clock.now }
            $0.installQuota = .init(perSecond: 10, burst: 100)
            $0.keyQuota = .init(perSecond: 10, burst: 450)
            $0.isBehindProxy = true
        }) { collector in
            func answer(_ install: String, _ number: Int, _ seqs: ClosedRange<Int64>) async throws -> RawResponse {
                try await collector.post(SendingInstall(install).body(number, seqs))
            }
            _ = try await answer("a", 1, 1...100).receipt()
            let ofInstall = try await answer("a", 2, 101...150).problem()
            #expect(ofInstall.code == .overQuota && ofInstall.detail.contains("install"))
            // Fifty tokens are added in five seconds; jitter may add to the wait.
            #expect(try #require(ofInstall.retryAfter) >= 5)
            _ = try await answer("b", 3, 1...100).receipt()
            let ofKey = try await answer("c", 4, 1...100).problem()
            #expect(ofKey.code == .overQuota && ofKey.detail.contains("key"))
            #expect(ofKey.retryAfter != nil)
            // The admin's import has no quota.
            let lines = SendingInstall.body((1...300).map { SendingInstall("d").line($0) })
            #expect(try await collector.post(lines, key: folder.adminToken).receipt().stored == [1...300])
            clock.advance(by: .seconds(30))
            _ = try await answer("c", 4, 1...100).receipt()
            _ = try await answer("a", 2, 101...150).receipt()
        }
    }

    @Test("Half of a key's quota is for installs of an earlier day; an address has a quarter once a quarter is used up")
    func shares() async throws {
        let clock = TestClock()
        let known = SendingInstall("known")
        try await folder.serve({ $0.now = { clock.now } }) { collector in
            _ = try await collector.post(known.body(1, 1...1)).receipt()
        }
        clock.advance(by: .seconds(86_400))
        for isBehindProxy in [true, false] {
            try await folder.serve({
                $0.now = { clock.now }
                $0.keyQuota = .init(perSecond: 1, burst: 100)
                $0.isBehindProxy = isBehindProxy
            }) { collector in
                var problem: DeliveryProblem?
                var accepted = 0
                while problem == nil {
                    let answer = try await collector.post(
                        SendingInstall("new-\(isBehindProxy)-\(accepted)").body(1, 1...10))
                    if answer.status == 200 { accepted += 1 } else { problem = try answer.problem() }
                }
                #expect(problem?.code == .overQuota && accepted == (isBehindProxy ? 5 : 3))
                #expect(problem?.detail.contains(isBehindProxy ? "key exceeds" : "address exceeds its share") == true)
                guard isBehindProxy else { return }
                // The installs of earlier days are read soon after the start.
                for number in 2...6 {
                    let seqs = Int64(number * 10)...Int64(number * 10 + 9)
                    #expect(try await eventually { try await collector.post(known.body(number, seqs)).status == 200 })
                }
                #expect(try await collector.post(known.body(7, 70...79)).status == 429)
            }
        }
    }

    @Test("A header's ranges and ledger rows count like events")
    func quotaOfHeader() async throws {
        let clock = TestClock()
        try await folder.serve({
            $0.now = { clock.now }
            $0.installQuota = .init(perSecond: 1, burst: 10)
        }) { collector in
            let ranges = (1...5).map { BatchHeader.MissingRange(Int64(2 * $0)...Int64(2 * $0), .held) }
            let rows = (1...5).map { BatchHeader.LedgerRow(reason: "evicted", seqs: Int64($0)...Int64($0), count: 1) }
            for (number, header) in [
                sender.header(1, 1...20, missing: ranges, ledger: rows), sender.header(2, 21...21),
            ].enumerated() {
                let answer = try await collector.post(SendingInstall.body([header]))
                #expect(answer.status == (number == 0 ? 200 : 429))
            }
        }
    }

    @Test("429 over the quota of bytes, which rejected lines consume, too", arguments: [true, false])
    func quotaOfBytes(isInstalls: Bool) async throws {
        let clock = TestClock()
        try await folder.serve({
            $0.now = { clock.now }
            let rate = EventQuota.Rate(perSecond: 1, burst: 10)
            if isInstalls { $0.installQuota = rate } else { $0.keyQuota = rate }
            $0.isBehindProxy = true
        }) { collector in
            func post(_ number: Int) async throws -> RawResponse {
                let long = String(repeating: "x", count: 9 * IntakeLimits.bytesPerEvent)
                let seq = Int64(number)
                return try await collector.post(SendingInstall.body([sender.header(number, seq...seq), long]))
            }
            #expect(try await post(1).receipt().rejected.count == 1)
            let problem = try await post(2).problem()
            #expect(problem.code == .overQuota && problem.detail.contains("\(isInstalls ? "install" : "key") exceeds"))
            #expect(problem.detail.contains("bytes") && problem.retryAfter ?? 0 >= 8)
            clock.advance(by: .seconds(10))
            #expect(try await post(2).receipt().rejected.count == 1)
        }
    }

    @Test("An address that sends too much that is rejected gets 429 before a body is parsed; others are served")
    func rejectedWork() async throws {
        let clock = TestClock()
        let garbage = Array(String(repeating: String(repeating: "x", count: 1023) + "\n", count: 100).utf8)
        try await folder.serve({
            $0.now = { clock.now }
            $0.keyQuota = .init(perSecond: 40, burst: 1000)
        }) { collector in
            // A second's share of an address is 10; then it has a debt of 90.
            #expect(try await collector.post(garbage).problem().code == .malformed)
            for _ in 0..<2 {
                let problem = try await collector.post(sender.body(1, 1...1)).problem()
                #expect(problem.code == .overQuota && problem.detail.contains("too much that is rejected"))
                #expect(problem.retryAfter ?? 0 >= 9)
            }
            for (path, type) in [("/v1/batch", "application/json"), ("/v1/installs/a/erasures", "application/json")] {
                let answer = try await collector.call(
                    "POST", path, key: folder.writeKey, [("Content-Type", type)], body: Array("{}".utf8))
                #expect(try answer.problem().code == .overQuota, "\(path)")
            }
            let body = sender.body(1, 1...1)
            let other = try collector.connect(from: 2)
            await other.send(RawRequest.events(key: folder.writeKey, [("Content-Length", "\(body.count)")]) + body)
            #expect(await other.response()?.status == 200)
            // An admin has no quota.
            for _ in 0..<3 { #expect(try await collector.post(garbage, key: folder.adminToken).status == 400) }
            clock.advance(by: .seconds(9))
            #expect(try await collector.post(sender.body(2, 2...2)).status == 200)
        }
    }

    @Test("A rejection by one quota consumes nothing from the other")
    func quotaOfRefused() async throws {
        let clock = TestClock()
        try await folder.serve({
            $0.now = { clock.now }
            $0.installQuota = .init(perSecond: 1, burst: 10)
            $0.keyQuota = .init(perSecond: 1, burst: 100)
            $0.isBehindProxy = true
        }) { collector in
            _ = try await collector.post(SendingInstall("a").body(1, 1...10)).receipt()
            // Each would consume ten tokens of the key.
            for _ in 0..<20 {
                let answer = try await collector.post(SendingInstall("a").body(2, 11...20))
                #expect(try answer.problem().code == .overQuota)
            }
            for (index, install) in ["b", "c", "d"].enumerated() {
                #expect(
                    try await collector.post(SendingInstall(install).body(index + 3, 1...10)).receipt().stored
                        == [1...10])
            }
        }
    }

    @Test(
        "503 with Retry-After for too many concurrent requests; an address may have as many as it leaves for others",
        arguments: [(2, true), (4, false)])
    func manyRequests(maximum: Int, isBehindProxy: Bool) async throws {
        let body = sender.body(1, 1...1)
        try await folder.serve({
            $0.maximumRequests = maximum
            $0.isBehindProxy = isBehindProxy
        }) { collector in
            let waiting = try (0..<2).map { _ in try collector.connect() }
            for connection in waiting {
                await connection.send(
                    RawRequest.events(key: folder.writeKey, [("Content-Length", "\(body.count)")]))
            }
            #expect(
                try await eventually {
                    try await collector.get("/metrics").lines.contains("collector_requests_in_flight 2")
                })
            let problem = try await collector.post(body).problem()
            #expect(problem.code == .unavailable && problem.retryAfter != nil)
            if !isBehindProxy {
                let other = try collector.connect(from: 2)
                await other.send(RawRequest.events(key: folder.writeKey, [("Content-Length", "\(body.count)")]) + body)
                #expect(await other.response()?.status == 200)
            }
            for connection in waiting {
                await connection.send(body)
                #expect(try #require(await connection.response()).receipt().stored == [1...1])
            }
            #expect(try await collector.post(body).receipt().stored == [1...1])
        }
    }

    @Test(
        "503 with Retry-After for too many bytes in memory, in all or of an address",
        arguments: [(1, true), (2, false)])
    func manyBytes(bodies: Int, isBehindProxy: Bool) async throws {
        let body = sender.body(1, 1...40)
        try await folder.serve({
            $0.maximumBodyBytes = bodies * body.count
            $0.isBehindProxy = isBehindProxy
        }) { collector in
            let problem = try await collector.post(body).problem()
            #expect(problem.code == .unavailable && problem.retryAfter != nil)
            #expect(try await collector.get("/metrics").lines.contains("collector_body_bytes_in_flight 0"))
            #expect(try await collector.post(sender.body(2, 1...10)).receipt().stored == [1...10])
        }
    }
}
