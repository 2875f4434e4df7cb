#if SwiftCrypto
    import CollectorServer
    import CommandRunner
    import DeliveryProtocol
    import EventModel
    import Foundation
    import JSONLines
    import Primitives
    import Testing
    import Tracking
    import TrackingCore
    import TrackingCrypto
    import TrackingDomainEvents
    import TrackingTesting

    @Suite("Remote switches from the collector to an app", .timeLimit(.minutes(10)))
    struct SwitchesDeliveryTests {
        private let folder: CollectorFolder
        private let key: SigningKey
        private static let now = EventTime(seconds: 1_700_000_000)

        init() throws {
            folder = try CollectorFolder()
            key = try #require(SigningKey.draw(name: "shop", at: Self.now))
            try SigningKeyFile(folder: folder.path).write([key])
        }

        private var file: String { folder.temporary.path("switches.json") }

        /// Writes a document that expires in a year. Atomic, so that no half of the file is read.
        private func write(_ version: Int, _ members: String = "") throws {
            let text = #"{"version":\#(version),"expires_at":1731536000\#(members.isEmpty ? "" : ",")\#(members)}"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        }

        private func serve<Result: Sendable>(
            _ body: (ServedCollector) async throws -> Result
        ) async throws -> Result {
            try await folder.serve({ $0.switches = file }, body)
        }

        /// The version that the collector serves.
        private func served(_ collector: ServedCollector) async throws -> Int64 {
            let answer = try await collector.call("GET", CollectorPath.switches, key: folder.writeKey)
            return try SwitchesDocument(SignedSwitches(answer.body).payload).version
        }

        private func start(
            _ collector: ServedCollector, _ clock: ManualTrackingClock, _ reports: Locked<[String]>,
            publicKeys: [String]? = nil
        ) -> Tracker {
            .start(
                .http("http://127.0.0.1:\(collector.port)/v1/events", key: folder.writeKey),
                configuration: TrackingConfiguration(folder: folder.temporary.path("app")) {
                    $0.clock = clock
                    $0.flushPolicy = .manual
                    $0.switches = .fetched(
                        publicKeys: publicKeys ?? [key.publicText], verifier: SwiftCryptoVerifier())
                },
                diagnostics: { diagnostic in
                    let text: String? =
                        switch diagnostic {
                        case .dropped(let name, let reason): "dropped \(name) \(reason.rawValue)"
                        case .switches(let error): "switches \(error.code)"
                        default: nil
                        }
                    if let text { reports.withLock { $0.append(text) } }
                })
        }

        @Test("An app fetches the document, drops what is off, and sends it again after the next document")
        func endToEnd() async throws {
            try write(1, #""off":["search"]"#)
            let (clock, reports) = (ManualTrackingClock(Self.now), Locked<[String]>([]))
            try await serve { collector in
                let tracker = start(collector, clock, reports)
                await tracker.flush()
                await tracker.switchesChecked()
                #expect(tracker.send(.search(query: "a", page: 1)) == nil)
                #expect(tracker.send(.launch)?.seq == 1)
                await tracker.flush()
                #expect(try await collector.lines().count == 1)

                try write(2)
                #expect(try await eventually { try await served(collector) == 2 })
                // Not before an hour has passed.
                await tracker.flush()
                await tracker.switchesChecked()
                #expect(tracker.send(.search(query: "b", page: 1)) == nil)
                clock.advance(by: .seconds(4000))
                await tracker.flush()
                await tracker.switchesChecked()
                #expect(tracker.send(.search(query: "c", page: 1))?.seq == 2)
                await tracker.flush()
                let lines = try await collector.lines()
                #expect(lines.count == 2 && lines[1].contains("\"query\":\"c\""))
                // The drops are in the ledger under 0, which the batch's header carries to the collector.
                let line = try JSONParser.parse(Array(lines[0].utf8))
                let install = try #require(line["install_id"]?.stringValue)
                let summary = try await collector.get("/v1/installs/\(install)")
                let text = String(decoding: summary.body, as: UTF8.self)
                #expect(text.contains(#""reason":"switched-off""#) && text.contains(#""count":2"#))
                try await tracker.close()
            }
            #expect(
                reports.withLock { $0 } == ["dropped search switched-off", "dropped search switched-off"])
        }

        @Test("A restarted app has the document before it reaches the collector; an unlisted key changes nothing")
        func restartedApp() async throws {
            try write(1, #""off":["search"]"#)
            let (clock, reports) = (ManualTrackingClock(Self.now), Locked<[String]>([]))
            let other = try #require(SigningKey.draw(name: "other", at: Self.now))
            let port = try await serve { collector in
                let app = start(collector, clock, reports)
                await app.flush()
                await app.switchesChecked()
                #expect(app.send(.search(query: "a", page: 1)) == nil)
                try await app.close()
                // 304: the app has the document.
                let again = start(collector, clock, reports)
                #expect(again.send(.search(query: "a", page: 1))?.isPending == true)
                await again.flush()
                await again.switchesChecked()
                try await again.close()
                #expect(try await collector.lines().isEmpty)
                let stranger = start(collector, clock, reports, publicKeys: [other.publicText])
                await stranger.flush()
                await stranger.switchesChecked()
                #expect(stranger.send(.search(query: "a", page: 1))?.seq == 1)
                try await stranger.close()
                return collector.port
            }
            #expect(port > 0)
            #expect(
                reports.withLock { $0 } == [
                    "dropped search switched-off", "dropped search switched-off", "switches unknownKey",
                    "switches unknownKey",
                ])
        }
    }

    @Suite("Ed25519")
    struct Ed25519Tests {
        /// https://www.rfc-editor.org/rfc/rfc8032#section-7.1, tests 2 and 3
        private static let known = [
            (
                "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
                    + "387b2eaeb4302aeeb00d291612bb0c00"
            ),
            (
                "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
                    + "4a7c15e9716ed28dc027beceea1ec40a"
            ),
        ]

        @Test("The verifier accepts the signatures of RFC 8032, and no changed one", arguments: known)
        func vectors(key: String, message: String, signature: String) throws {
            let verifier = SwiftCryptoVerifier()
            let (key, message) = (
                try #require([UInt8](hexadecimal: key)), try #require([UInt8](hexadecimal: message))
            )
            let signature = try #require([UInt8](hexadecimal: signature))
            #expect(verifier.isValid(signature, of: message, publicKey: key))
            for index in signature.indices {
                var changed = signature
                changed[index] ^= 1
                #expect(!verifier.isValid(changed, of: message, publicKey: key))
            }
            #expect(!verifier.isValid(signature, of: message + [0], publicKey: key))
            #expect(!verifier.isValid(signature, of: message, publicKey: Array(key.dropLast())))
            #expect(!verifier.isValid(Array(signature.dropLast()), of: message, publicKey: key))
            #expect(!verifier.isValid([], of: message, publicKey: key))
        }
    }
#endif
