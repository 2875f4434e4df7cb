#if os(Linux)
    import CommandRunner
    import Foundation
    import Testing
    import TrackingHTTP

    private enum TLSPrograms {
        static let env = "/usr/bin/env"
        static var areThere: Bool {
            SelfSignedCertificate.isAvailable
                && (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
                    FileManager.default.isExecutableFile(atPath: "\($0)/python3")
                }
        }
    }

    /// The certificates that the client trusts. `openssl` creates them, and the server is in Python.
    @Suite("TLS", .timeLimit(.minutes(10)), .enabled(if: TLSPrograms.areThere))
    struct TLSTests {
        /// Prints its port, answers one request, and prints the request's first line.
        private static let server = """
            import socket, ssl, sys
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[1], sys.argv[2])
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            try:
                connection = context.wrap_socket(listener.accept()[0], server_side=True)
                print(connection.recv(65536).split(b"\\r\\n")[0].decode() or "no request", flush=True)
                connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok")
                connection.recv(65536)
            except OSError:
                print("no request", flush=True)
            """

        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Sends a request to a server with a certificate for a host.
        ///
        /// - Returns: The bytes that the server read, and the status; nil if the client did not trust the server.
        private func exchange(for host: String, isTrusted: Bool) async throws -> (request: String?, status: Int?) {
            let made = try await SelfSignedCertificate(in: folder, for: host)
            let server = try RunningProgram(
                TLSPrograms.env, ["python3", "-c", Self.server, made.certificate, made.key])
            var lines = server.lines.makeAsyncIterator()
            let port = try #require(await lines.next())
            let transport = try #require(LibcurlTransport(certificates: isTrusted ? made.certificate : nil))
            let request = DeliveryRequest(
                url: try DeliveryEndpoint("https://127.0.0.1:\(port)/v1/events").url,
                fields: [DeliveryField("Authorization", "Bearer key")], body: [1], timeout: .seconds(300),
                maximumResponseBytes: 1 << 20)
            var status: Int?
            do throws(DeliveryTransportError) {
                status = try await transport.send(request).status
            } catch {
                #expect(error.code == .insecure)
            }
            return (await lines.next(), status)
        }

        @Test("a trusted certificate for the host is accepted")
        func trusted() async throws {
            let exchange = try await exchange(for: "IP:127.0.0.1", isTrusted: true)
            #expect(exchange.status == 200)
            #expect(exchange.request == "POST /v1/events HTTP/1.1")
        }

        @Test("a server with an untrusted certificate gets no byte of the request")
        func untrusted() async throws {
            let exchange = try await exchange(for: "IP:127.0.0.1", isTrusted: false)
            #expect(exchange.status == nil && exchange.request == "no request")
        }

        @Test("a server with a trusted certificate for another host gets no byte of the request")
        func otherHost() async throws {
            let exchange = try await exchange(for: "DNS:collector.example", isTrusted: true)
            #expect(exchange.status == nil && exchange.request == "no request")
        }
    }
#endif
