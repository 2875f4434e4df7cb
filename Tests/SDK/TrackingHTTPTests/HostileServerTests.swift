import Foundation
import LoopbackServer
import Testing
import TrackingHTTP

/// Servers that violate the protocol at each stage of an exchange. The system's client must report an error or the
/// response, and must neither end the process nor wait forever.
@Suite("Hostile servers", .timeLimit(.minutes(10)))
struct HostileServerTests {
    enum Stage: String, CaseIterable, Sendable {
        case closeAtOnce, resetAtOnce, closeAfterHead, closeInsideBody, resetInsideBody, closeAfterRequest
        case resetAfterRequest, closeInsideAnswer, resetInsideAnswer
    }

    /// A body that exceeds every socket buffer.
    private static let longBody = [UInt8](repeating: 7, count: 8 << 20)

    private func send(
        to url: String, body: [UInt8] = Array("{}\n".utf8), maximumResponseBytes: Int = 1 << 20
    ) async throws -> Result<DeliveryResponse, DeliveryTransportError> {
        let request = DeliveryRequest(
            url: try DeliveryEndpoint(url).url, fields: [DeliveryField("Authorization", "Bearer key")], body: body,
            timeout: .seconds(300), maximumResponseBytes: maximumResponseBytes)
        do throws(DeliveryTransportError) { return .success(try await Self.transport.send(request)) } catch {
            return .failure(error)
        }
    }

    /// One client for all tests: a connection that a server has broken must not affect the next one.
    private static let transport = SystemDeliveryTransport()

    @Test("a connection that ends at any stage is an immediate error", arguments: Stage.allCases, [3, 8 << 20])
    func ends(stage: Stage, size: Int) async throws {
        let server = try LoopbackServer { connection in
            switch stage {
            case .closeAtOnce: return
            case .resetAtOnce: return connection.reset()
            case .closeAfterHead:
                _ = connection.readHead()
            case .closeInsideBody:
                _ = connection.readHead()
                _ = connection.read(count: size / 2)
            case .resetInsideBody:
                _ = connection.readHead()
                _ = connection.read(count: size / 2)
                connection.reset()
            case .closeAfterRequest:
                _ = connection.readRequest()
            case .resetAfterRequest:
                _ = connection.readRequest()
                connection.reset()
            case .closeInsideAnswer:
                _ = connection.readRequest()
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nshort")
            case .resetInsideAnswer:
                _ = connection.readRequest()
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nshort")
                connection.reset()
            }
        }
        defer { server.stop() }
        let result = try await send(to: server.url(), body: Array(Self.longBody.prefix(size)))
        #expect(throws: DeliveryTransportError.self) { try result.get() }
    }

    @Test(
        "a truncated or invalid response is an error",
        arguments: [
            "", "H", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 20", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "\u{16}\u{3}\u{1} no TLS here\r\n\r\n", "hello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
            "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabcde", "HTTP/1.1 9999 OK\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 42 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n",
            "\r\n\r\n", "SSH-2.0-OpenSSH_9.6\r\n",
        ])
    func cutOff(answer: String) async throws {
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.send(answer)
        }
        defer { server.stop() }
        let result = try await send(to: server.url())
        #expect(throws: DeliveryTransportError.self) { try result.get() }
    }

    /// `abc`, compressed with gzip; a scalar for each byte.
    private static let gzipped =
        "\u{1F}\u{8B}\u{08}\u{00}\u{00}\u{00}\u{00}\u{00}\u{02}\u{03}\u{4B}\u{4C}\u{4A}\u{06}\u{00}\u{C2}\u{41}\u{24}\u{35}\u{03}\u{00}\u{00}\u{00}"

    @Test(
        "an unusual but complete response is read",
        arguments: [
            ("HTTP/1.0 200 OK\r\n\r\nabc", 200, "abc"),
            ("HTTP/1.1 200 OK\r\nX: \u{00FF}\r\nContent-Length: 1\r\n\r\na", 200, "a"),
            ("HTTP/1.1 200\r\nContent-Length: 1\r\n\r\na", 200, "a"),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 No\r\nContent-Length: 2\r\n\r\nno", 503, "no"),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\nTrailer: x\r\n\r\n",
                200,
                "abc"
            ),
            ("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n", 401, ""),
            ("HTTP/1.1 307 Go\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", 307, ""),
            ("HTTP/1.1 302 Go\r\nContent-Length: 0\r\n\r\n", 302, ""),
            ("HTTP/1.1 302 Go\r\nLocation: http://[::1\r\nContent-Length: 0\r\n\r\n", 302, ""),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 23\r\n\r\n" + Self.gzipped, 200, "abc"),
            (
                "HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
                    + "HTTP/1.1 429 No\r\nContent-Length: 2\r\n\r\nno", 429, "no"
            ),
            ("HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\nabcde", 204, ""),
        ])
    func odd(answer: String, status: Int, body: String) async throws {
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.send(Array(answer.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }))
        }
        defer { server.stop() }
        let response = try await send(to: server.url()).get()
        #expect(response.status == status)
        #expect(String(decoding: response.body, as: UTF8.self) == body)
    }

    @Test("a body is read up to the limit")
    func longAnswer() async throws {
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            // Until the client stops reading.
            while connection.send([UInt8](repeating: 32, count: 64 << 10)) {}
        }
        defer { server.stop() }
        let result = try await send(to: server.url(), maximumResponseBytes: 100_000)
        #expect(throws: DeliveryTransportError(.tooLarge, "the response body is over 100000 bytes")) {
            try result.get()
        }
    }

    @Test("a header is read up to the limit", arguments: ["X: ", "X: y\r\n"])
    func longHeader(part: String) async throws {
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send(part + (part.hasSuffix("\n") ? "" : String(repeating: "y", count: 1 << 20))) {}
        }
        defer { server.stop() }
        let result = try await send(to: server.url())
        #expect(throws: DeliveryTransportError.self) { try result.get() }
    }

    @Test("a response that arrives byte by byte is read")
    func drip() async throws {
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX-Slow: yes\r\n\r\nslow"
            for byte in answer.utf8 { connection.send([byte]) }
            connection.awaitEnd()
        }
        defer { server.stop() }
        let response = try await send(to: server.url()).get()
        #expect(response.status == 200 && response["x-slow"] == "yes" && response.body == Array("slow".utf8))
    }

    @Test("a response before the end of the request is read")
    func early() async throws {
        let server = try LoopbackServer { connection in
            _ = connection.readHead()
            connection.answer(413, [("Connection", "close")])
            connection.awaitEnd()
        }
        defer { server.stop() }
        let result = try await send(to: server.url(), body: Self.longBody)
        #expect(try result.get().status == 413)
    }

    @Test("a missing server is reported")
    func noServer() async throws {
        let closed = try ClosedPort()
        let result = try await send(to: "http://127.0.0.1:\(closed.port)/")
        #expect(throws: DeliveryTransportError(.cannotConnect, "cannot connect to the server")) {
            try result.get()
        }
    }

    @Test("a client continues after any of them, on the same connection if the server keeps it")
    func reused() async throws {
        let server = try LoopbackServer { connection in
            var count = 0
            while connection.readRequest() != nil {
                count += 1
                connection.answer(200, [], Array("\(count)".utf8))
            }
        }
        defer { server.stop() }
        let transport = SystemDeliveryTransport()
        var answers: [String] = []
        for _ in 1...3 {
            let request = DeliveryRequest(
                url: try DeliveryEndpoint(server.url()).url, fields: [], body: [1], timeout: .seconds(300),
                maximumResponseBytes: 10)
            answers.append(String(decoding: try await transport.send(request).body, as: UTF8.self))
        }
        #expect(answers == ["1", "2", "3"])
    }

    @Test("a kept connection that the server has closed is not an error for the next request")
    func staleConnection() async throws {
        let server = try LoopbackServer { connection in
            if connection.readRequest() != nil { connection.answer(200) }
        }
        defer { server.stop() }
        for _ in 1...5 { #expect(try await send(to: server.url()).get().status == 200) }
    }
}
