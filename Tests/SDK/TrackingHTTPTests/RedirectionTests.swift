import Foundation
import LoopbackServer
import Testing
import TrackingHTTP

/// Which redirects are followed, and where key and events are never sent.
@Suite("Redirects", .timeLimit(.minutes(10)))
struct RedirectionTests {
    let phone: Phone

    init() throws { phone = try Phone() }

    @Test("307 and 308 keep method, body and key on the same origin", arguments: [307, 308])
    func followed(status: Int) async throws {
        let collector = try CollectorDouble([.status(status, [("Location", "/v2/events?a=b")])])
        let app = try phone.start(collector.url)
        app.send(30)
        await app.flush()
        let requests = collector.requests
        #expect(requests.map(\.line) == ["POST /v1/events HTTP/1.1", "POST /v2/events?a=b HTTP/1.1"])
        #expect(requests[0].body == requests[1].body)
        #expect(requests[0].fields == requests[1].fields)
        #expect(try await app.acknowledged() == 30)
        #expect(phone.reports == [])
    }

    @Test("another origin gets no request", arguments: [301, 302, 303, 307, 308])
    func otherOrigin(status: Int) async throws {
        let thief = try CollectorDouble()
        let collector = try CollectorDouble([.status(status, [("Location", thief.url)])])
        let app = try phone.start(collector.url)
        app.send(2)
        await app.flush()
        #expect(thief.requests.isEmpty)
        #expect(collector.requests.count == 1)
        #expect(phone.reports.count == 1 && phone.reports[0].contains("answered \(status), which was not followed"))
        await app.flush()
        #expect(try await app.acknowledged() == 2)
    }

    @Test(
        "an unsafe address is not followed",
        arguments: [
            nil, "", "http://example.com/", "ftp://127.0.0.1/", "file:///etc/passwd", "//example.com/", "http://[::1",
            "https://127.0.0.1/", "http://user:password@127.0.0.1/", "javascript:alert(1)",
        ])
    func badAddress(location: String?) async throws {
        let collector = try CollectorDouble([.status(308, location.map { [("Location", $0)] } ?? [])])
        let app = try phone.start(collector.url)
        app.send(2)
        await app.flush()
        #expect(phone.reports.count == 1 && phone.reports[0].contains("answered 308, which was not followed"))
        #expect(!phone.reports[0].contains("password"))
        await app.flush()
        #expect(collector.requests.count == 2)
        #expect(try await app.acknowledged() == 2)
    }

    @Test("a redirect from https to http or to another port is not followed")
    func downgrade() async throws {
        for location in ["http://collector.example/v1/events", "https://collector.example:8443/v1/events"] {
            let transport = TransportDouble([
                .success(DeliveryResponse(status: 308, fields: [DeliveryField("location", location)]))
            ])
            let client = DeliveryClient(
                try DeliveryEndpoint("https://collector.example/v1/events"), key: try WriteKey(Phone.key),
                transport: transport, timeout: .seconds(1), memory: CompressionMemory())
            let answer = try await client.post(
                .init(id: "1", lines: [65], attempt: 1))
            #expect(answer.response.status == 308 && answer.declined != nil)
            #expect(transport.requests.map(\.url.absoluteString) == ["https://collector.example/v1/events"])
        }
    }

    @Test("three redirects are followed, a fourth is not")
    func atMost() async throws {
        let again = CollectorDouble.Reply.status(307, [("Location", "/v1/events")])
        let collector = try CollectorDouble(Array(repeating: again, count: 4))
        let app = try phone.start(collector.url)
        app.send(1)
        await app.flush()
        #expect(collector.requests.count == 4)
        #expect(phone.reports.count == 1 && phone.reports[0].contains("redirect 4 of the same request"))
        collector.script([again, again, again])
        await app.flush()
        #expect(collector.requests.count == 8)
        #expect(try await app.acknowledged() == 1)
    }
}
