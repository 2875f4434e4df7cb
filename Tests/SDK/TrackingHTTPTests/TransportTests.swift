import Foundation
import LoopbackServer
import Primitives
import Testing
import TrackingHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The behavior of every transport with a conforming server. `URLSession` on Linux is not tested with other servers,
/// which can end the process.
@Suite("Transports", .timeLimit(.minutes(10)))
struct TransportTests {
    enum Client: String, CaseIterable, Sendable {
        case system, urlSession

        func make() -> any DeliveryTransport {
            switch self {
            case .system: SystemDeliveryTransport()
            case .urlSession: URLSessionTransport()
            }
        }
    }

    @Test("the network policies are set in the configuration", arguments: [true, false])
    func policies(isAllowed: Bool) {
        let configuration = URLSessionConfiguration.delivery(
            allowsCellularAccess: isAllowed, allowsConstrainedNetworkAccess: isAllowed)
        #expect(configuration.allowsCellularAccess == isAllowed)
        #if canImport(Darwin)
            #expect(configuration.allowsConstrainedNetworkAccess == isAllowed)
            #expect(configuration.waitsForConnectivity)
        #endif
    }

    private func request(_ url: String, body: [UInt8] = [1], maximumBytes: Int = 1 << 20) throws -> DeliveryRequest {
        DeliveryRequest(
            url: try DeliveryEndpoint(url).url,
            fields: [DeliveryField("Authorization", "Bearer key"), DeliveryField("X-Own", "a b; c=\"d\"")], body: body,
            timeout: .seconds(300), maximumResponseBytes: maximumBytes)
    }

    @Test(
        "method, fields and body arrive unchanged, and so do status, fields and body of the response",
        arguments: Client.allCases)
    func exchange(client: Client) async throws {
        let received = Locked<[ReceivedRequest]>([])
        let server = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                received.withLock { $0.append(request) }
                connection.answer(503, [("Retry-After", "7"), ("X-Odd", " spaced ")], Array("busy".utf8))
            }
        }
        defer { server.stop() }
        let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let response = try await client.make().send(request(server.url("/a?b=c"), body: body))
        #expect(response.status == 503)
        #expect(response.body == Array("busy".utf8))
        #expect(response["retry-after"] == "7" && response["X-ODD"] == "spaced")
        let request = try #require(received.withLock { $0.first })
        #expect(request.line == "POST /a?b=c HTTP/1.1")
        #expect(request.fields["authorization"] == "Bearer key" && request.fields["x-own"] == "a b; c=\"d\"")
        #expect(request.body == body)
    }

    @Test("a GET has neither body nor content type; the next request is a POST again", arguments: Client.allCases)
    func get(client: Client) async throws {
        let received = Locked<[ReceivedRequest]>([])
        let server = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                received.withLock { $0.append(request) }
                connection.answer(200, [("Tracking-Cursor", "1.2")], Array("line\n".utf8))
            }
        }
        defer { server.stop() }
        let transport = client.make()
        let get = DeliveryRequest(
            method: .get, url: try DeliveryEndpoint(server.url("/v1/lines?after=1.1")).url,
            fields: [DeliveryField("Authorization", "Bearer key")], timeout: .seconds(300),
            maximumResponseBytes: 1 << 20)
        let response = try await transport.send(get)
        #expect(response.status == 200 && response.body == Array("line\n".utf8))
        #expect(response["tracking-cursor"] == "1.2")
        _ = try await transport.send(request(server.url(), body: [1, 2]))
        let requests = received.withLock { $0 }
        try #require(requests.count == 2)
        #expect(requests[0].line == "GET /v1/lines?after=1.1 HTTP/1.1" && requests[0].body.isEmpty)
        #expect(requests[0].fields["authorization"] == "Bearer key")
        #expect(requests[0].fields["content-length"] == nil && requests[0].fields["content-type"] == nil)
        #expect(requests[1].line == "POST /v1/events HTTP/1.1" && requests[1].body == [1, 2])
    }

    @Test("a longer body ends the request, or is truncated on request")
    func cutBody() async throws {
        let server = try LoopbackServer { connection in
            while connection.readRequest() != nil {
                connection.send("HTTP/1.1 201 Answer\r\nX-Own: a\r\n\r\n")
                // Until the client stops reading.
                while connection.send([UInt8](repeating: 7, count: 64 << 10)) {}
                return
            }
        }
        defer { server.stop() }
        let url = try DeliveryEndpoint(server.url()).url
        func request(cuts: Bool) -> DeliveryRequest {
            DeliveryRequest(
                url: url, fields: [], body: [1], timeout: .seconds(300), maximumResponseBytes: 1000, cutsResponse: cuts)
        }
        let transport = Client.system.make()
        let response = try await transport.send(request(cuts: true))
        #expect(response.status == 201 && response["x-own"] == "a")
        #expect(response.body == [UInt8](repeating: 7, count: 1000))
        let error = await #expect(throws: DeliveryTransportError.self) {
            _ = try await transport.send(request(cuts: false))
        }
        #expect(error?.code == .tooLarge)
    }

    @Test("a redirect is returned as the response", arguments: Client.allCases, [301, 302, 303, 307, 308])
    func redirection(client: Client, status: Int) async throws {
        let count = Locked(0)
        let server = try LoopbackServer { connection in
            while connection.readRequest() != nil {
                count.withLock { $0 += 1 }
                connection.answer(status, [("Location", "/elsewhere")])
            }
        }
        defer { server.stop() }
        let response = try await client.make().send(request(server.url()))
        #expect(response.status == status && response["location"] == "/elsewhere")
        #expect(count.withLock { $0 } == 1)
    }

    @Test("a cookie is not sent back", arguments: Client.allCases)
    func cookies(client: Client) async throws {
        let cookies = Locked<[String?]>([])
        let server = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                cookies.withLock { $0.append(request.fields["cookie"]) }
                connection.answer(200, [("Set-Cookie", "a=b; Path=/")])
            }
        }
        defer { server.stop() }
        let transport = client.make()
        for _ in 1...2 { _ = try await transport.send(request(server.url())) }
        #expect(cookies.withLock { $0 } == [nil, nil])
    }

    @Test("a body over the limit is an error, one at the limit is not", arguments: Client.allCases)
    func limit(client: Client) async throws {
        let server = try LoopbackServer { connection in
            while connection.readRequest() != nil { connection.answer(200, [], [UInt8](repeating: 1, count: 5_000)) }
        }
        defer { server.stop() }
        let transport = client.make()
        #expect(try await transport.send(request(server.url(), maximumBytes: 5_000)).body.count == 5_000)
        await #expect(throws: DeliveryTransportError(.tooLarge, "the response body is over 4999 bytes")) {
            try await transport.send(request(server.url(), maximumBytes: 4_999))
        }
    }

    @Test("a canceled task ends without a response", arguments: Client.allCases)
    func cancelled(client: Client) async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            arrival.yield()
            connection.awaitEnd()
        }
        defer { server.stop() }
        let transport = client.make()
        let request = try request(server.url())
        let task = Task { try await transport.send(request) }
        for await _ in arrivals { break }
        task.cancel()
        let result = await task.result
        #expect(throws: DeliveryTransportError(.cancelled, "the request was canceled")) { try result.get() }
    }

    @Test("no server is an error", arguments: Client.allCases)
    func noServer(client: Client) async throws {
        let closed = try ClosedPort()
        await #expect(throws: DeliveryTransportError(.cannotConnect, "cannot connect to the server")) {
            try await client.make().send(request("http://127.0.0.1:\(closed.port)/"))
        }
    }

    @Test("an unknown host is an error that does not show the host", arguments: Client.allCases)
    func unknownHost(client: Client) async throws {
        do {
            _ = try await client.make().send(request("https://collector.invalid/v1/events"))
            Issue.record("there was a response")
        } catch let error as DeliveryTransportError {
            #expect(!error.message.contains("invalid/"))
        }
    }
}
