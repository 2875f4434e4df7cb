import DeliveryProtocol
import EventModel
import Foundation
import LoopbackServer
import Testing
import TrackingCore
import TrackingHTTP
import TrackingTesting

/// How remote switches are fetched over HTTP.
@Suite("Fetching remote switches", .timeLimit(.minutes(10)))
struct SwitchesFetchTests {
    private static let url = "https://collector.example/v1/switches"
    private let clock = ManualTrackingClock(EventTime(seconds: 1_700_000_000))

    /// Reads once, and describes the answer.
    private func read(
        _ answers: [TransportDouble.Answer], tag: String? = nil
    ) async throws -> (answer: String, requests: [DeliveryRequest]) {
        let transport = TransportDouble(answers)
        let source = try HTTPSwitches(
            url: Self.url, key: Phone.key, options: .init(transport: transport), clock: clock)
        return (Self.text(await source.read(unlessTagged: tag)), transport.requests)
    }

    private static func text(_ answer: SwitchesAnswer) -> String {
        switch answer {
        case .unchanged: "unchanged"
        case .document(let bytes, let tag): "\(String(decoding: bytes, as: UTF8.self)) tag \(tag ?? "none")"
        case .failed(let error, let wait, let isTransient):
            "\(error.code): \(error.message); wait \(wait.map { "\($0)" } ?? "none"), "
                + (isTransient ? "transient" : "permanent")
        }
    }

    private func response(_ status: Int, _ fields: [(String, String)] = [], _ body: String = "")
        -> TransportDouble.Answer
    {
        .success(
            DeliveryResponse(
                status: status, fields: fields.map { DeliveryField($0.0, $0.1) }, body: Array(body.utf8)))
    }

    @Test("the request is a GET with the write key, the known tag, and a limit of 96 KiB")
    func request() async throws {
        let (answer, requests) = try await read([response(200, [("etag", "\"b\"")], "{}")], tag: "\"a\"")
        #expect(answer == "{} tag \"b\"")
        let request = try #require(requests.first)
        #expect(requests.count == 1 && request.method == .get && request.url.absoluteString == Self.url)
        #expect(request.body.isEmpty && request.maximumResponseBytes == 96 << 10 && !request.cutsResponse)
        #expect(
            request.fields == [
                DeliveryField("Accept", "application/json"), DeliveryField("User-Agent", "swift-tracking"),
                DeliveryField("Accept-Encoding", "identity"),
                DeliveryField("Authorization", "Bearer \(Phone.key)"), DeliveryField("If-None-Match", "\"a\""),
            ])
        let first = try await read([response(200, [], "{}")])
        #expect(first.answer == "{} tag none" && !first.requests[0].fields.contains { $0.name == "If-None-Match" })
    }

    @Test("a tag that is not an entity tag is ignored")
    func oddTag() async throws {
        #expect(try await read([response(200, [("ETag", "a b")], "{}")]).answer == "{} tag none")
    }

    @Test(
        "each status has its meaning",
        arguments: [
            (304, [], "unchanged"),
            (
                401, [],
                "notFetched: cannot fetch remote switches: \(url) answered 401; check the key; wait none, permanent"
            ),
            (
                404, [],
                "notFetched: cannot fetch remote switches: \(url) answered 404; check the URL and the collector; wait none, permanent"
            ),
            (
                503, [("Retry-After", "120")],
                "notFetched: cannot fetch remote switches: \(url) answered 503; wait 120.0 seconds, transient"
            ), (429, [], "notFetched: cannot fetch remote switches: \(url) answered 429; wait none, transient"),
            (
                503, [("Retry-After", "9999999")],
                "notFetched: cannot fetch remote switches: \(url) answered 503; wait 86400.0 seconds, transient"
            ),
            (
                204, [],
                "notFetched: cannot fetch remote switches: \(url) answered 204; check the URL and the collector; wait none, permanent"
            ),
        ] as [(Int, [(String, String)], String)])
    func statuses(status: Int, fields: [(String, String)], text: String) async throws {
        #expect(try await read([response(status, fields)], tag: "\"a\"").answer == text)
    }

    @Test("304 without a known tag is an error")
    func unexpectedNotModified() async throws {
        #expect(try await read([response(304)]).answer.hasPrefix("notFetched"))
    }

    @Test("a server's problem is shown without the key and control characters")
    func problem() async throws {
        let problem = DeliveryProblem(.notFound, "no switches\u{1B}[2J for \(Phone.key)")
        let body = String(decoding: try problem.json(), as: UTF8.self)
        let answer = try await read([response(404, [], body)]).answer
        #expect(answer.contains("answered 404: no switches[2J for …; check the URL"))
    }

    @Test("redirects are followed on the same origin only, at most three times")
    func redirects() async throws {
        let moved = response(302, [("Location", "/v2/switches")])
        let followed = try await read([moved, response(200, [], "{}")])
        #expect(followed.answer == "{} tag none")
        #expect(followed.requests.map(\.url.path) == ["/v1/switches", "/v2/switches"])
        #expect(followed.requests[1].fields == followed.requests[0].fields)
        for location in ["https://other.example/v1/switches", "http://collector.example/v1/switches"] {
            let other = try await read([response(307, [("Location", location)]), response(200, [], "{}")])
            #expect(other.requests.count == 1)
            #expect(other.answer.contains("answered 307, which was not followed"))
        }
        let loop = try await read(Array(repeating: moved, count: 5))
        #expect(loop.requests.count == 4 && loop.answer.hasPrefix("notFetched"))
    }

    @Test("without a response, the check is retried; a response that is too large is not")
    func transportErrors() async throws {
        let lost = try await read([.failure(DeliveryTransportError(.connectionLost, "the connection ended"))])
        #expect(
            lost.answer == "notFetched: cannot fetch remote switches: no response from \(Self.url): the connection "
                + "ended; wait none, transient")
        let long = try await read([.failure(DeliveryTransportError(.tooLarge, "the response body is over 98304 bytes"))]
        )
        #expect(long.answer.hasPrefix("tooLarge: ") && long.answer.hasSuffix("permanent"))
    }

    @Test("the system's client stops reading a response over 96 KiB")
    func oversized() async throws {
        let body = [UInt8](repeating: 0x20, count: (96 << 10) + 1)
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
            connection.send(body)
        }
        defer { server.stop() }
        let source = try HTTPSwitches(
            url: server.url("/v1/switches"), key: Phone.key, options: .standard, clock: clock)
        #expect(Self.text(await source.read(unlessTagged: nil)).hasPrefix("tooLarge: "))
    }

    @Test("the URL of the switches is derived from that of the events")
    func derivedURL() throws {
        #expect(try HTTPSwitches.url(besides: "https://c.example/a/v1/events") == "https://c.example/a/v1/switches")
        let error = #expect(throws: SwitchesError.self) {
            try HTTPSwitches.url(besides: "https://c.example/collect?key=secret")
        }
        #expect(error?.code == .invalidSetup && error?.message.contains("secret") == false)
    }

    @Test("an unsafe URL or an invalid key is an error of the setup")
    func setup() {
        for (url, key) in [("http://c.example/v1/switches", Phone.key), (Self.url, "two words"), ("", Phone.key)] {
            let error = #expect(throws: SwitchesError.self) {
                try HTTPSwitches(url: url, key: key, options: .standard, clock: clock)
            }
            #expect(error?.code == .invalidSetup && error?.message.contains("two words") == false)
        }
    }
}
