import CollectorFixtures
import CollectorServer
import DeliveryProtocol
import EventModel
import Foundation
import Testing

// The real client libraries are in `tools/checks/clients`.
@Suite("Other systems' clients over HTTP", .timeLimit(.minutes(10)))
struct ClientTests {
    private let folder: CollectorFolder

    init() throws { folder = try CollectorFolder() }

    private var basic: (String, String) {
        ("Authorization", "Basic \(Data("\(folder.writeKey):".utf8).base64EncodedString())")
    }

    private static let json = ("Content-Type", "application/json")
    private static let track = #"{"type":"track","event":"Order","userId":"u","messageId":"1"}"#
    private static let event = #"{"specversion":"1.0","id":"1","source":"/s","type":"t"}"#
    private static let payload =
        #"{"schema":"iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4","data":[{"e":"pv","eid":"1"}]}"#
    /// A request with one log record without fields.
    private static let records: [UInt8] = [0x0A, 4, 0x12, 2, 0x12, 0]

    private func stored() async throws -> [String: [Int64: String]] { try await folder.storedLines() }

    @Test("Each client gets the response that it expects, and its messages are stored")
    func answers() async throws {
        try await folder.serve { collector in
            let segment = try await collector.call(
                "POST", "/v1/batch", key: nil, [basic, Self.json], body: Array("{\"batch\":[\(Self.track)]}".utf8))
            #expect(segment.status == 200)
            #expect(segment.text == #"{"success":true,"received":1,"stored":1,"rejected":[]}"#)
            let cloud = try await collector.call(
                "POST", "/v1/cloudevents", key: folder.writeKey, [("Content-Type", "application/cloudevents+json")],
                body: Array(Self.event.utf8))
            #expect(cloud.status == 200)
            #expect(cloud.text == #"{"received":1,"stored":1,"rejected":[]}"#)
            let logs = try await collector.call(
                "POST", "/v1/logs", key: folder.writeKey, [("Content-Type", "application/x-protobuf")],
                body: Self.records)
            #expect(logs.status == 200 && logs["Content-Type"] == "application/x-protobuf" && logs.body.isEmpty)
            let post = try await collector.call(
                "POST", "/key/\(folder.writeKey)/com.snowplowanalytics.snowplow/tp2", key: nil, [Self.json],
                body: Array(Self.payload.utf8))
            #expect(post.status == 200 && post.text == "ok")
            let pixel = try await collector.call("GET", "/key/\(folder.writeKey)/i?e=pv&eid=2", key: nil)
            #expect(pixel.status == 200 && pixel["Content-Type"] == "image/gif")
            #expect(pixel.body.starts(with: Array("GIF89a".utf8)) && pixel.body.count == 43)
        }
        let stored = try await stored()
        #expect(
            stored.mapValues(\.count) == [
                "segment:shop": 1, "cloudevents:shop": 1, "otlp:shop": 1, "snowplow:shop": 2,
            ])
        #expect(stored["segment:shop"]?[1]?.contains(#""event":"Order""#) == true)
    }

    @Test("A repeated message is answered like the first and not stored again, also after a restart")
    func repeats() async throws {
        var answers: [String] = []
        for _ in 0..<2 {
            try await folder.serve { collector in
                for _ in 0..<2 {
                    let answer = try await collector.call(
                        "POST", "/v1/track", key: folder.writeKey, body: Array(Self.track.utf8))
                    #expect(answer.status == 200)
                    answers.append(answer.text)
                }
            }
        }
        let first = #"{"success":true,"received":1,"stored":1,"rejected":[]}"#
        #expect(answers == [first] + Array(repeating: first.replacing("stored\":1", with: "stored\":0"), count: 3))
        #expect(try await stored()["segment:shop"]?.count == 1)
    }

    @Test("Rejected messages are named, and kept with their bytes")
    func rejected() async throws {
        try await folder.serve { collector in
            let answer = try await collector.call(
                "POST", "/v1/batch", key: folder.writeKey, body: Array("{\"batch\":[7,\(Self.track)]}".utf8))
            #expect(
                answer.text
                    == #"{"success":true,"received":2,"stored":1,"rejected":[{"index":0,"message":"the message is not a JSON object with the required members"}]}"#
            )
            let kept = try await collector.get("/v1/rejects?install=segment%3Ashop").text
            #expect(kept.contains("syntax"))
            let install = try await collector.get("/v1/installs/segment%3Ashop").text
            #expect(install.contains(#""highest":2"#))
        }
    }

    @Test("The key comes as a bearer, as the name of Basic, in the path, or in Segment's body")
    func keys() async throws {
        let body = Array(Self.track.utf8)
        let keyed = Array(#"{"event":"Order","writeKey":"\#(folder.writeKey)"}"#.utf8)
        try await folder.serve { collector in
            func status(_ path: String, _ body: [UInt8], _ fields: [(String, String)] = []) async throws -> Int {
                try await collector.call("POST", path, key: nil, fields, body: body).status
            }
            let allowed = [
                try await status("/v1/track", body, [("Authorization", "Bearer \(folder.writeKey)")]),
                try await status("/v1/track", body, [basic]),
                try await status("/key/\(folder.writeKey)/v1/track", body),
                try await status("/v1/track", keyed),
            ]
            #expect(allowed == [200, 200, 200, 200])
            let refused = [
                try await status("/v1/track", body),
                try await status("/v1/track", body, [("Authorization", "Basic !")]),
                try await status("/key/unknown/v1/track", body),
                try await status("/v1/track", keyed, [("Authorization", "Bearer unknown")]),
            ]
            #expect(refused == [401, 401, 401, 401])
            // An admin token must not be in addresses, which proxies log, or in bodies.
            let admin = Array(#"{"event":"Order","writeKey":"\#(folder.adminToken)"}"#.utf8)
            let forbidden = [
                try await status("/key/\(folder.adminToken)/v1/track", body), try await status("/v1/track", admin),
            ]
            #expect(forbidden == [403, 403])
            // A key in the path is for these endpoints only.
            let others = [
                try await status("/key/\(folder.writeKey)/v1/events", body),
                try await status("/key/\(folder.adminToken)/v1/erasures", body),
            ]
            #expect(others == [404, 404])
        }
    }

    @Test("Requests without a known key have a limit for themselves: requests with a key are served")
    func keyless() async throws {
        let keyed = Array(#"{"event":"Order", "writeKey" : "\#(folder.writeKey)"}"#.utf8)
        let head = RawRequest.head("POST", "/v1/track", [("Content-Length", "\(keyed.count)")])
        try await folder.serve({ $0.maximumRequests = 2 }) { collector in
            // As many as an address may have: the others get 503 without waiting.
            let waiting = try (0..<8).map { _ in try collector.connect() }
            for connection in waiting { await connection.send(head + keyed.prefix(1)) }
            #expect(
                try await eventually {
                    try await collector.call("POST", "/v1/track", key: nil, body: keyed).status == 503
                })
            let answer = try await collector.call("POST", "/v1/track", key: folder.writeKey, body: keyed)
            #expect(answer.status == 200)
            #expect(try await collector.post(SendingInstall("install-a").body(1, 1...3)).status == 200)
            for connection in waiting {
                await connection.send(Array(keyed.dropFirst()))
                #expect(await connection.response()?.status == 200)
            }
            #expect(try await collector.call("POST", "/v1/track", key: nil, body: keyed).status == 200)
            #expect(try await collector.get("/metrics").lines.contains("collector_requests_in_flight 0"))
            #expect(try await collector.get("/metrics").lines.contains("collector_body_bytes_in_flight 0"))
        }
    }

    @Test("Behind a proxy, the proxy may have as many requests as all addresses")
    func proxy() async throws {
        let head = RawRequest.head("POST", "/v1/track", [("Content-Length", "2")])
        try await folder.serve({ $0.isBehindProxy = true }) { collector in
            let waiting = try (0..<64).map { _ in try collector.connect() }
            for connection in waiting.dropLast() { await connection.send(head) }
            #expect(try await collector.call("POST", "/v1/track", key: nil, body: [0x7B, 0x7D]).status == 401)
            await waiting[63].send(head)
            #expect(
                try await eventually {
                    try await collector.call("POST", "/v1/track", key: nil, body: [0x7B, 0x7D]).status == 503
                })
        }
    }

    @Test("A body must name the key in its first 64 KiB; only Segment's bodies are read for one")
    func keyInBody() async throws {
        let padding = String(repeating: "x", count: 70_000)
        func body(_ members: String...) -> [UInt8] { Array("{\(members.joined(separator: ","))}".utf8) }
        let (key, pad) = (#""writeKey":"\#(folder.writeKey)""#, #""p":"\#(padding)""#)
        try await folder.serve { collector in
            func status(_ path: String, _ body: [UInt8], _ fields: [(String, String)] = []) async throws -> Int {
                try await collector.call("POST", path, key: nil, fields, body: body).status
            }
            let early = [
                // The batch has an 'other' before the key, and messages that are longer than 64 KiB with it.
                try await status("/v1/batch", body(#""a":{"writeKey":"other"}"#, key, #""batch":[]"#, pad)),
                try await status(
                    "/v1/batch", Compression.gzip(body(key, #""batch":[]"#)), [("Content-Encoding", "gzip")]),
            ]
            #expect(early == [200, 200])
            let rejected = [
                try await status("/v1/batch", body(pad, key, #""batch":[]"#)),
                // A key that is not the body's own admits the body, and not its messages.
                try await status("/v1/batch", body(#""a":{\#(key)}"#, #""batch":[]"#)),
                try await status("/v1/cloudevents", body(key)), try await status("/v1/logs", body(key)),
                try await status("/com.snowplowanalytics.snowplow/tp2", body(key)),
            ]
            #expect(rejected == [401, 401, 401, 401, 401])
        }
    }

    @Test("A body has the usual time if the header has a known key, whether or not the path needs one")
    func unknownKeyTime() async throws {
        let batch = SendingInstall("install-a").body(1, 1...1)
        func head(_ key: String) -> [UInt8] {
            RawRequest.head(
                "POST", "/v1/events",
                [
                    ("Authorization", "Bearer \(key)"), ("Content-Length", "\(batch.count)"),
                    ("Content-Type", "application/x-ndjson"),
                ])
        }
        try await folder.serve({ $0.keylessTimeout = .seconds(2) }) { collector in
            let unknown = try collector.connect()
            await unknown.send(head("unknown") + batch.prefix(5))
            #expect(try #require(await unknown.response()).problem().code == .unauthorized)
            let slow = try collector.connect()
            await slow.send(head(folder.writeKey) + batch.dropLast())
            // The connection of the first request ends without the rest of its body.
            #expect(await unknown.response() == nil)
            try await Task.sleep(for: .seconds(2))
            await slow.send(Array(batch.suffix(1)))
            #expect(await slow.response()?.status == 200)
        }
    }

    @Test("A body that has not named a key has less time; one that has gets the usual time")
    func keylessTime() async throws {
        let keyed = Array(#"{"writeKey":"\#(folder.writeKey)","event":"Order"}"#.utf8)
        let head = RawRequest.head("POST", "/v1/track", [("Content-Length", "\(keyed.count)")])
        try await folder.serve({ $0.keylessTimeout = .seconds(5) }) { collector in
            let silent = try collector.connect()
            await silent.send(head + keyed.prefix(5))
            #expect(try #require(await silent.response()).problem().code == .timeout)
            let slow = try collector.connect()
            await slow.send(head + keyed.dropLast())
            try await Task.sleep(for: .seconds(8))
            await slow.send(Array(keyed.suffix(1)))
            #expect(await slow.response()?.status == 200)
        }
    }

    @Test("Problems have the format of the protocol, and nothing is stored")
    func problems() async throws {
        try await folder.serve { collector in
            let segment = try await collector.call("POST", "/v1/batch", key: folder.writeKey, body: Array("[".utf8))
            #expect(segment.status == 400 && segment["Content-Type"] == "application/problem+json")
            let logs = try await collector.call(
                "POST", "/v1/logs", key: folder.writeKey, [("Content-Type", "application/x-protobuf")], body: [0x0A]
            )
            #expect(logs.status == 400 && logs["Content-Type"] == "application/x-protobuf")
            #expect(logs.body.first == 0x12 && logs.text.contains("ExportLogsServiceRequest"))
            let json = try await collector.call(
                "POST", "/v1/logs", key: folder.writeKey, [Self.json], body: Array("{}".utf8))
            #expect(json.status == 415)
            let pixel = try await collector.call("GET", "/i?eid=1", key: folder.writeKey)
            #expect(pixel.status == 400)
            let method = try await collector.call("GET", "/v1/batch", key: folder.writeKey)
            #expect(method.status == 405 && method["Allow"] == "POST, OPTIONS")
            let encoding = try await collector.call(
                "POST", "/v1/batch", key: folder.writeKey, [("Content-Encoding", "br")], body: [1])
            #expect(encoding.status == 415)
        }
        #expect(try await stored().isEmpty)
    }

    @Test("Compressed bodies of several MB are stored; longer ones get 413")
    func large() async throws {
        let messages = (0..<4000).map {
            #"{"event":"Order","messageId":"\#($0)","text":"\#(String(repeating: "\($0) ", count: 120))"}"#
        }
        let body = Array("{\"batch\":[\(messages.joined(separator: ","))]}".utf8)
        try await folder.serve { collector in
            let answer = try await collector.call(
                "POST", "/v1/batch", key: folder.writeKey, [("Content-Encoding", "gzip")],
                body: Compression.gzip(body))
            #expect(answer.text.contains(#""received":4000,"stored":4000,"#))
            let long = try await collector.call(
                "POST", "/v1/batch", key: folder.writeKey, [("Content-Encoding", "gzip")],
                body: Compression.gzip(body + [UInt8](repeating: 0x20, count: 8 << 20)))
            #expect(long.status == 413)
            let many = "{\"batch\":[\(Array(repeating: "{}", count: 25_001).joined(separator: ","))]}"
            #expect(
                try await collector.call("POST", "/v1/batch", key: folder.writeKey, body: Array(many.utf8)).status
                    == 413)
        }
        #expect(try await stored()["segment:shop"]?.count == 4000)
    }

    @Test("A body that may need more memory than there is gets 503, and its memory is free again")
    func memory() async throws {
        let body = Array("{\"batch\":[\(Self.track)]}".utf8)
        let padded = body + [UInt8](repeating: 0x20, count: 300_000)
        try await folder.serve { settings in
            settings.maximumBodyBytes = 1 << 20
        } _: { collector in
            for _ in 0..<3 {
                // As a tree, 300 KB may need more than the MiB that there is.
                let refused = try await collector.call("POST", "/v1/batch", key: folder.writeKey, body: padded)
                #expect(refused.status == 503 && refused["Retry-After"] != nil)
                let small = try await collector.call("POST", "/v1/batch", key: folder.writeKey, body: body)
                #expect(small.status == 200)
            }
        }
    }

    @Test("A full quota, a full disk and a stopping collector get a problem that clients retry")
    func retries() async throws {
        let body = Array("{\"batch\":[\(Self.track),{}]}".utf8)
        try await folder.serve { settings in
            settings.keyQuota = .init(perSecond: 1, burst: 1)
            // The quota refills with time, and a slow machine may take seconds for a request.
            let now = EventTime(seconds: 1_795_600_800)
            settings.now = { now }
        } _: { collector in
            // A request larger than the burst passes, so that it does not wait for ever.
            _ = try await collector.call("POST", "/v1/batch", key: folder.writeKey, body: body)
            let answer = try await collector.call("POST", "/v1/batch", key: folder.writeKey, body: body)
            #expect(answer.status == 429 && answer["Retry-After"] != nil)
        }
        try await folder.serve { settings in
            settings.minimumFreeBytes = .max
        } _: { collector in
            let answer = try await collector.call("POST", "/v1/batch", key: folder.writeKey, body: body)
            #expect(answer.status == 503 && answer["Retry-After"] != nil)
            let logs = try await collector.call(
                "POST", "/v1/logs", key: folder.writeKey, [("Content-Type", "application/x-protobuf")],
                body: Self.records)
            #expect(logs.status == 503 && logs["Retry-After"] != nil)
        }
        #expect(try await stored()["segment:shop"]?.count == 2)
    }
}
