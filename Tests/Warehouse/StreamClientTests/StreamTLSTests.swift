import CommandRunner
import NATSServer
import Testing

@testable import StreamClient

@Suite(
    "TLS to JetStream", .enabled(if: NATSServer.isInstalled && SelfSignedCertificate.isAvailable),
    .timeLimit(.minutes(5)))
struct StreamTLSTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Connects as soon as the server is ready.
    private func connect(
        _ server: NATSServer, trusting authority: String?, as client: SelfSignedCertificate? = nil,
        address: String? = nil
    ) async throws -> JetStream {
        var options = JetStream.Options(servers: address ?? server.url, name: "tests")
        options.authority = authority
        (options.certificate, options.key) = (client?.certificate, client?.key)
        return try await JetStream.connected(options)
    }

    @Test("A trusted server for this host: messages are stored and read, also after it was killed")
    func trusted() async throws {
        let made = try await SelfSignedCertificate(in: folder)
        let server = try NATSServer(made)
        let stream = try await connect(server, trusting: made.certificate)
        _ = try stream.create(partitions: 1, replicas: 1)
        let texts = (1...2).map { "message \($0)" }
        _ = try stream.publish([.init(StreamNames.events(0), Array(texts[0].utf8), id: "1")])
        server.kill()
        try server.start()
        while true {
            do throws(StreamError) {
                _ = try stream.publish([.init(StreamNames.events(0), Array(texts[1].utf8), id: "2")])
                break
            } catch { #expect(error.code == .unavailable) }
            try await Task.sleep(for: .milliseconds(50))
        }
        let (found, _) = try stream.messages(of: StreamNames.events, subject: StreamNames.events(0), after: 0)
        #expect(found.map { String(decoding: $0.data, as: UTF8.self) } == texts)
    }

    @Test("An unknown authority and a certificate for another host are rejected, also with nats://")
    func rejected() async throws {
        let (known, other) = (
            try await SelfSignedCertificate(in: folder),
            try await SelfSignedCertificate(in: folder, "other", for: "DNS:nats.example")
        )
        for (made, authority, cause) in [
            (known, nil, "self-signed certificate"), (known, other.certificate, "self-signed certificate"),
            (other, other.certificate, "IP address mismatch"),
        ] {
            let server = try NATSServer(made)
            for address in [server.url, server.url.replacing("tls://", with: "nats://")] {
                let error = await #expect(throws: StreamError.self) {
                    try await connect(server, trusting: authority, address: address)
                }
                #expect(error?.code == .rejected)
                #expect(error?.message.contains("cannot connect to \(address): SSL handshake error") == true)
                #expect(error?.message.contains(cause) == true, "\(error?.message ?? "")")
            }
        }
    }

    @Test("A server that verifies clients accepts only its client's certificate; a missing key is named")
    func clientCertificate() async throws {
        let made = try await SelfSignedCertificate(in: folder)
        let client = try await SelfSignedCertificate(in: folder, "client")
        let other = try await SelfSignedCertificate(in: folder, "other")
        let server = try NATSServer(made, client: client)
        let stream = try await connect(server, trusting: made.certificate, as: client)
        _ = try stream.create(partitions: 1, replicas: 1)
        for unknown in [nil, other] {
            var options = JetStream.Options(servers: server.url, name: "tests")
            (options.authority, options.certificate, options.key) = (
                made.certificate, unknown?.certificate, unknown?.key
            )
            let error = #expect(throws: StreamError.self) { try JetStream(options) }
            #expect(error?.code == .unavailable)
            #expect(
                error?.message.contains("pass a certificate that it accepts") == true, "\(error?.message ?? "")")
        }
        var options = JetStream.Options(servers: server.url, name: "tests")
        (options.certificate, options.key) = (client.certificate, folder.path("none.pem"))
        let missing = #expect(throws: StreamError.self) { try JetStream(options) }
        #expect(missing?.code == .invalidAddress && missing?.message.contains("none.pem") == true)
    }

    @Test("With tls:// nothing is sent without TLS; a missing authority is named")
    func missing() async throws {
        let server = try NATSServer()
        let address = server.url.replacing("nats://", with: "tls://")
        let plain = await #expect(throws: StreamError.self) {
            try await connect(server, trusting: nil, address: address)
        }
        #expect(plain?.code == .rejected && plain?.message.contains("use TLS") == true, "\(plain?.message ?? "")")
        let path = folder.path("none.pem")
        let unreadable = await #expect(throws: StreamError.self) {
            try await connect(server, trusting: path, address: address)
        }
        #expect(unreadable?.code == .invalidAddress && unreadable?.message.contains("none.pem") == true)
    }
}
