#if os(Linux)
    import CollectorFixtures
    import CollectorServer
    import CollectorStore
    import CommandRunner
    import DeliveryHTTP
    import DeliveryProtocol
    import EventModel
    import Foundation
    import Testing

    @Suite(
        "TLS of the collector", .timeLimit(.minutes(10)),
        .enabled(if: SelfSignedCertificate.isAvailable, "needs openssl"))
    struct TLSTests {
        private let folder: CollectorFolder
        private let sender = SendingInstall("install-a")

        init() throws { folder = try CollectorFolder() }

        private func certificate(_ name: String) async throws -> SelfSignedCertificate {
            try await SelfSignedCertificate(in: folder.temporary, name)
        }

        /// Posts a batch with a client's TLS settings.
        ///
        /// - Returns: The status; nil if the client did not trust the collector.
        private func post(_ number: Int, _ collector: ServedCollector, trusting: String?) async throws -> Int? {
            // A session for each request: an open connection keeps its certificate.
            let transport = try #require(LibcurlTransport(certificates: trusting))
            let client = DeliveryClient(
                try DeliveryEndpoint("https://127.0.0.1:\(collector.port)/v1/events"),
                key: try WriteKey(folder.writeKey),
                transport: transport, timeout: .seconds(300))
            let body = sender.body(number, Int64(number)...Int64(number))
            do throws(DeliveryTransportError) {
                let answer = try await client.post(
                    .init(id: Phone.id(number), lines: body, attempt: 1))
                return answer.response.status
            } catch {
                #expect(error.code == .insecure, "\(error)")
                return nil
            }
        }

        @Test("Batches arrive over TLS; new connections get a new certificate without a restart")
        func reload() async throws {
            let (first, second) = (try await certificate("first"), try await certificate("second"))
            let files = (folder.temporary.path("current.pem"), folder.temporary.path("current-key.pem"))
            func use(_ pair: SelfSignedCertificate) throws {
                for (from, to) in [(pair.key, files.1), (pair.certificate, files.0)] {
                    let bytes = try Data(contentsOf: URL(fileURLWithPath: from))
                    try bytes.write(to: URL(fileURLWithPath: to), options: .atomic)
                }
            }
            try use(first)
            let tls = CollectorSettings.TLSFiles(certificate: files.0, key: files.1)
            try await folder.serve({ $0.tls = tls }) { collector in
                #expect(try await post(1, collector, trusting: first.certificate) == 200)
                #expect(try await post(2, collector, trusting: nil) == nil)
                #expect(try await post(2, collector, trusting: second.certificate) == nil)
                // A key that does not match the certificate is ignored.
                try Data(contentsOf: URL(fileURLWithPath: second.key)).write(to: URL(fileURLWithPath: files.1))
                // Certificates are reloaded in every tenth round.
                try await collector.pass(rounds: 10)
                #expect(try await post(2, collector, trusting: first.certificate) == 200)
                try use(second)
                #expect(try await eventually { try await post(3, collector, trusting: second.certificate) == 200 })
                #expect(try await post(4, collector, trusting: first.certificate) == nil)
                // Plain HTTP gets no response.
                let plain = try collector.connect()
                await plain.send(RawRequest.head("GET", "/healthz", []))
                #expect(await plain.response() == nil)
            }
            #expect(try await folder.storedLines()["install-a"]?.keys.sorted() == [1, 2, 3])
        }

        @Test("A collector does not start with a certificate and a key that do not match")
        func wrongFiles() async throws {
            let (first, second) = (try await certificate("first"), try await certificate("second"))
            for (certificate, key) in [
                (first.certificate, second.key), (first.key, first.certificate), (first.certificate, "/nowhere"),
            ] {
                let tls = CollectorSettings.TLSFiles(certificate: certificate, key: key)
                await #expect(throws: StoreError.self) {
                    try await folder.serve({ $0.tls = tls }) { _ in }
                }
            }
        }

        @Test("A missing handshake ends after the header timeout")
        func slowHandshake() async throws {
            let pair = try await certificate("first")
            try await folder.serve({
                $0.tls = .init(certificate: pair.certificate, key: pair.key)
                $0.headerTimeout = .milliseconds(500)
            }) { collector in
                let connection = try collector.connect()
                // The start of a TLS record.
                await connection.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
                #expect(await connection.response() == nil)
            }
        }
    }
#endif
