import CollectorServer
import CollectorStore
import CommandRunner
import DeliveryProtocol
import EventModel
import Foundation
import JSONLines
import Testing
import TrackingCrypto

@Suite("Remote switches without signatures", .timeLimit(.minutes(10)))
struct UnsignedSwitchesTests {
    private let folder: CollectorFolder

    init() throws { folder = try CollectorFolder() }

    @Test("Without --switches there is no document")
    func none() async throws {
        try await folder.serve { collector in
            let answer = try await collector.call("GET", CollectorPath.switches, key: folder.writeKey)
            #expect(answer.status == 404)
            let problem = try answer.problem()
            #expect(problem.code == .notFound && problem.detail.contains("--switches FILE"))
        }
    }

    @Test("A document is checked, and described")
    func check() async throws {
        func run(_ text: String) async throws -> (Int32, String) {
            let file = try folder.temporary.write(text, to: "switches.json")
            let result = try await runCommand("collector", ["switches", "check", file])
            return (
                result.exitCode,
                (String(decoding: result.stdout, as: UTF8.self) + result.stderr).replacing(file, with: "FILE")
            )
        }
        let full = try await run(
            #"""
            {"version": 12, "expires_at": 4102444800, "enabled": false, "off": ["search", "launch"],
             "flush": {"event_count": 500, "interval": 300, "on_background": false}, "sending_limit": 100}
            """#)
        #expect(full.0 == 0)
        #expect(
            full.1 == """
                version 12
                expires 2100-01-01T00:00:00Z
                all events are off
                off: launch, search
                flush: at 500 events, every 300 s, not on background
                at most 100 events per second

                """)
        let expired = try await run(#"{"version":1,"expires_at":1000}"#)
        #expect(expired.0 == 1 && expired.1.contains("expired 1970-01-01T00:16:40Z"))
        let invalid = try await run(#"{"version":1,"expires_at":1000,"off":"search"}"#)
        #expect(invalid.0 == 65)
        #expect(
            invalid.1 == "collector: cannot use FILE: off must be a list of at most 1000 event names; correct the "
                + "document\n")
    }

    #if !SwiftCrypto && !canImport(CryptoKit)
        @Test("A collector without signatures rejects --switches and --signing")
        func missing() async throws {
            for arguments in [["serve", "--switches", "x"], ["keys", "add", "shop", "--signing"]] {
                let result = try await runCommand("collector", arguments + ["--data", folder.path])
                #expect(result.exitCode == 64)
                #expect(result.stderr.contains("built without signatures; build it with --traits"))
            }
        }
    #endif
}

#if SwiftCrypto
    @Suite("Remote switches", .timeLimit(.minutes(10)))
    struct SwitchesTests {
        private let folder: CollectorFolder
        private let key: SigningKey
        private let log = LockedLines()
        private static let now = EventTime(seconds: 1_700_000_000)

        init() throws {
            folder = try CollectorFolder()
            key = try #require(SigningKey.draw(name: "shop", at: Self.now))
            try SigningKeyFile(folder: folder.path).write([key])
        }

        private var file: String { folder.temporary.path("switches.json") }

        /// Writes a document that expires in a year.
        private func write(_ version: Int, _ members: String = "") throws {
            try write(
                #"{"version":\#(version),"expires_at":1731536000\#(members.isEmpty ? "" : ",")\#(members)}"#)
        }

        private func write(_ text: String) throws {
            // Atomic, so that no half of the file is read.
            try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        }

        private func serve<Result: Sendable>(
            _ body: (ServedCollector) async throws -> Result
        ) async throws -> Result {
            try await folder.serve(
                {
                    $0.switches = file
                    $0.logger = log.logger
                }, body)
        }

        private func get(_ collector: ServedCollector, tag: String? = nil) async throws -> RawResponse {
            try await collector.call(
                "GET", CollectorPath.switches, key: folder.writeKey, tag.map { [("If-None-Match", $0)] } ?? [])
        }

        /// The served document's version and signing key, after verifying the signature.
        private func served(_ collector: ServedCollector, by key: SigningKey? = nil) async throws -> Int64 {
            let answer = try await get(collector)
            #expect(answer.status == 200 && answer["Content-Type"] == "application/json")
            let signed = try SignedSwitches(answer.body)
            let key = key ?? self.key
            #expect(signed.key == key.id)
            #expect(
                SwiftCryptoVerifier().isValid(
                    signed.signature, of: signed.message, publicKey: key.publicKey.bytes))
            return try SwitchesDocument(signed.payload).version
        }

        @Test("The document is served byte for byte with a valid signature, to write keys only, with an ETag")
        func serving() async throws {
            let text = "{ \"version\": 3,\n  \"expires_at\": 1731536000, \"later\": \"é\" }\n"
            try write(text)
            try await serve { collector in
                let answer = try await get(collector)
                #expect(try SignedSwitches(answer.body).payload == Array(text.utf8))
                #expect(try await served(collector) == 3)
                #expect(answer["Cache-Control"] == "private, no-cache")
                let tag = try #require(answer["ETag"])
                #expect(SignedSwitches.isTag(tag))
                for list in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                    let same = try await get(collector, tag: list)
                    #expect(same.status == 304 && same.body.isEmpty && same["ETag"] == tag, "\(list)")
                }
                #expect(try await get(collector, tag: "\"x\"").status == 200)
                for (key, status) in [(nil, 401), ("wk_unknown", 401), (folder.adminToken, 200)] as [(String?, Int)] {
                    #expect(try await collector.call("GET", CollectorPath.switches, key: key).status == status)
                }
                let head = try await collector.call("HEAD", CollectorPath.switches, key: folder.writeKey)
                #expect(head.status == 200 && head["ETag"] == tag)
                #expect(
                    try await collector.call("POST", CollectorPath.switches, key: folder.writeKey, body: []).status
                        == 405)
            }
        }

        @Test("A newer document replaces the served one; an invalid or older one does not, and the log says why")
        func reloading() async throws {
            try write(5)
            try await serve { collector in
                #expect(try await served(collector) == 5)
                for (text, reason) in [
                    (#"{"version":6}"#, "expires_at is missing; correct the document"),
                    (#"{"version":4,"expires_at":1731536000}"#, "its version 4 is lower than 5"),
                    (#"{"version":5,"expires_at":1731536001}"#, "it has changed, but not its version 5"),
                    (String(repeating: " ", count: 70_000), "over the limit of 65536"),
                ] {
                    try write(text)
                    #expect(try await eventually { log.contains(reason) })
                    #expect(log.contains("cannot reload the switches; the previous switches are served"))
                    #expect(try await served(collector) == 5)
                }
                try FileManager.default.removeItem(atPath: file)
                #expect(try await eventually { log.contains("cannot read \(file)") })
                #expect(try await served(collector) == 5)
                try write(6, #""off":["search"]"#)
                #expect(try await eventually { try await served(collector) == 6 })
            }
        }

        @Test("After a restart, an invalid or older file does not end the served document")
        func restart() async throws {
            try write(5)
            #expect(try await serve { try await served($0) } == 5)
            let mode = try FileManager.default.attributesOfItem(
                atPath: folder.path + "/switches.json")[.posixPermissions]
            #expect(mode as? Int == 0o600)
            for text in ["{", #"{"version":4,"expires_at":1731536000}"#] {
                try write(text)
                try await serve { collector in
                    #expect(try await served(collector) == 5)
                    #expect(log.contains("cannot load the switches; the last valid switches are served"))
                    try write(6)
                    #expect(try await eventually { try await served(collector) == 6 })
                }
                // For the next round.
                try FileManager.default.removeItem(atPath: folder.path + "/switches.json")
                try write(5)
                #expect(try await serve { try await served($0) } == 5)
            }
        }

        @Test("Without a valid document or a key, the collector does not start")
        func noStart() async throws {
            try write("{}")
            await #expect(throws: StoreError.self) { try await serve { _ in } }
            try write(1)
            try SigningKeyFile(folder: folder.path).write([])
            let error = await #expect(throws: StoreError.self) { try await serve { _ in } }
            #expect(error?.message.contains("run 'collector keys add NAME --signing'") == true)
        }

        @Test("The oldest valid key signs, so that a new key can be added to apps first")
        func rotation() async throws {
            try write(1)
            let file = SigningKeyFile(folder: folder.path)
            let next = try #require(SigningKey.draw(name: "next", at: Self.now))
            try await serve { collector in
                let tag = try await get(collector)["ETag"]
                try file.write([key, next])
                try write(2)
                #expect(try await eventually { try await served(collector) == 2 })
                var revoked = key
                revoked.revokedAt = Self.now
                try file.write([revoked, next])
                #expect(
                    try await eventually {
                        try SignedSwitches(await get(collector).body).key == next.id
                    })
                #expect(try await served(collector, by: next) == 2)
                #expect(try await get(collector)["ETag"] != tag)
            }
        }

        @Test("The command creates, lists and revokes signing keys; the private key is in a private file only")
        func commands() async throws {
            func run(_ arguments: String...) async throws -> (exitCode: Int32, text: String) {
                let result = try await runCommand("collector", arguments + ["--data", folder.path])
                return (result.exitCode, String(decoding: result.stdout, as: UTF8.self) + result.stderr)
            }
            try FileManager.default.removeItem(atPath: SigningKeyFile(folder: folder.path).path)
            let added = try await run("keys", "add", "shop", "--signing")
            #expect(added.exitCode == 0)
            let text = try #require(added.text.split(separator: "\n").first.map(String.init))
            #expect(SwitchesPublicKey(text) != nil && added.text.contains(".fetched(publicKeys:"))
            let second = try await run("keys", "add", "shop-2", "--signing")
            let id = String(text.prefix(11))
            #expect(second.text.contains("The collector signs with \(id)… until you revoke that key."))
            let keys = SigningKeyFile(folder: folder.path)
            let mode = try FileManager.default.attributesOfItem(atPath: keys.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try keys.read().map(\.name) == ["shop", "shop-2"])
            #expect(try await run("keys", "revoke", id).text == "\(id)… is revoked\n")
            #expect(try await run("keys", "revoke", id).exitCode == 66)
            let list = try await run("keys", "list").text.split(separator: "\n").filter { $0.contains("signing") }
            #expect(list.count == 2 && list[0].hasPrefix("\(text)  signing  shop  created "))
            #expect(list[0].contains("revoked") && list[1].hasSuffix("valid"))
            #expect(try await run("keys", "add", "a", "--signing", "--admin").exitCode == 64)
            let content = try JSONParser.parse(Data(contentsOf: URL(fileURLWithPath: keys.path)))
            guard case .array(let entries)? = content["keys"] else { throw CocoaError(.fileReadCorruptFile) }
            let stored = try #require(entries.first?["private"]?.stringValue)
            #expect(stored.count == 64 && !(added.text + list.joined()).contains(stored))
            #expect(!"\(try keys.read())".contains(stored))
        }

        @Test("collector serve --switches serves the file of the command line")
        func command() async throws {
            try write(1)
            let program = try RunningProgram(
                command: "collector",
                ["serve", "--data", folder.path, "--port", "0", "--switches", file])
            var port: Int?
            while port == nil, let line = await program.nextLine() {
                if line.hasPrefix("collector: listening") {
                    port = line.split(separator: ":").last.flatMap { Int($0) }
                }
            }
            let connection = try RawConnection(port: try #require(port))
            await connection.send(
                RawRequest.head("GET", CollectorPath.switches, [("Authorization", "Bearer \(folder.writeKey)")]))
            let answer = try #require(await connection.response())
            #expect(try SwitchesDocument(SignedSwitches(answer.body).payload).version == 1)
            program.send(SIGINT)
            #expect(await program.end().exitCode == 0)
            try write("{")
            try FileManager.default.removeItem(atPath: folder.path + "/switches.json")
            let failed = try await runCommand(
                "collector", ["serve", "--data", folder.path, "--port", "0", "--switches", file])
            #expect(failed.exitCode == 65 && failed.stderr.contains("it is not JSON"))
        }
    }
#endif
