import CollectorFixtures
import CollectorStore
import DeliveryProtocol
import Foundation
import PowerCuts
import Testing

@testable import CollectorServer

@Suite("Keys and origins", .timeLimit(.minutes(10)))
struct KeyAndOriginTests {
    private let folder: CollectorFolder
    private let sender = SendingInstall("install-a")

    init() throws { folder = try CollectorFolder() }

    @Test("Keys are added and revoked without a restart; a damaged file keeps the previous keys")
    func keys() async throws {
        let file = KeyFile(folder: folder.path)
        let body = sender.body(1, 1...1)
        try await folder.serve { collector in
            let (entry, key) = AccessKey.draw(.write, app: "other", at: .ofSystem())
            #expect(try await collector.post(body, key: key).problem().code == .unauthorized)
            var keys = try file.read()
            try file.write(keys + [entry])
            #expect(try await eventually { try await collector.post(body, key: key).status == 200 })
            // The file is replaced as a whole by programs that know it; this one does not.
            try Data("{".utf8).write(to: URL(fileURLWithPath: file.path))
            try await collector.pass(rounds: 3)
            #expect(try await collector.post(body, key: key).status == 200)
            keys[0].revokedAt = .ofSystem()
            try file.write(keys + [entry])
            #expect(try await eventually { try await collector.post(body).status == 403 })
            #expect(try await collector.post(body).problem().code == .forbidden)
            #expect(try await collector.post(body, key: key).status == 200)
            try file.write([keys[1]])
            #expect(try await eventually { try await collector.post(body, key: key).status == 401 })
        }
    }

    @Test("After a power failure during a change, the file has the old or the new keys")
    func powerFailure() throws {
        let path = folder.path + "/keys.json"
        let list = KeyList(path: path, advice: "")
        try list.write([(texts: [("app", "a")], createdAt: .ofSystem(), revokedAt: nil)])
        let old = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        let disk = try RecordedDisk(folder.path)
        try KeyList(path: path, advice: "", files: disk).write([])
        #expect(try list.entries().isEmpty)
        let new = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(old != new && disk.contents(of: path) == [old, new] && disk.contentsNow(of: path) == [new])
    }

    @Test("Keys that are added at the same time are all in the file")
    func simultaneous() async throws {
        let file = KeyFile(folder: folder.path)
        let before = try file.read().count
        let path = folder.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<10 {
                        let (entry, _) = AccessKey.draw(.write, app: "app-\(number)", at: .ofSystem())
                        try KeyFile(folder: path).update { $0.append(entry) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try file.read().count == before + 80)
        // A change that fails leaves the file as it is.
        #expect(throws: CancellationError.self) {
            try file.update { keys in
                keys = []
                throw CancellationError()
            }
        }
        #expect(try file.read().count == before + 80)
    }

    @Test("The file has digests, not keys, and is private")
    func keyFile() throws {
        let file = KeyFile(folder: folder.path)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
        #expect(bytes.range(of: Data(folder.writeKey.utf8)) == nil)
        #expect(bytes.range(of: Data(folder.adminToken.utf8)) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("A preflight response lists what a page may send, for listed origins only")
    func preflight() async throws {
        try await folder.serve({ $0.origins = ["https://app.example.com"] }) { collector in
            func ask(_ origin: String?) async throws -> RawResponse {
                try await collector.call(
                    "OPTIONS", CollectorPath.events, key: nil,
                    (origin.map { [("Origin", $0)] } ?? []) + [("Access-Control-Request-Method", "POST")])
            }
            let answer = try await ask("https://app.example.com")
            #expect(answer.status == 204)
            #expect(answer["Access-Control-Allow-Origin"] == "https://app.example.com")
            #expect(answer["Access-Control-Allow-Methods"] == "POST")
            #expect(answer["Vary"] == "Origin")
            let fields = try #require(answer["Access-Control-Allow-Headers"])
            for field in [
                "Authorization", "Content-Type", "Content-Encoding", "Idempotency-Key", "Tracking-Sent-At",
            ] {
                #expect(fields.contains(field))
            }
            for origin in [nil, "https://other.example.com", "http://app.example.com", "null"] {
                let refused = try await ask(origin)
                #expect(refused["Access-Control-Allow-Origin"] == nil, "\(origin ?? "none")")
                #expect(refused["Vary"] == "Origin")
            }
        }
    }

    @Test("Pages of listed origins can read responses and problems; other pages can't")
    func origins() async throws {
        try await folder.serve({ $0.origins = ["https://app.example.com"] }) { collector in
            let listed = [("Origin", "https://app.example.com")]
            let accepted = try await collector.post(sender.body(1, 1...1), listed)
            #expect(accepted["Access-Control-Allow-Origin"] == "https://app.example.com")
            let problem = try await collector.post(Array("x".utf8), listed)
            #expect(problem.status == 400 && problem["Access-Control-Allow-Origin"] == "https://app.example.com")
            let other = try await collector.post(sender.body(1, 1...1), [("Origin", "https://other.example.com")])
            #expect(other.status == 200 && other["Access-Control-Allow-Origin"] == nil)
            let reading = try await collector.call("GET", "/v1/lines", key: folder.adminToken, listed)
            #expect(reading["Access-Control-Allow-Origin"] == nil)
        }
        try await folder.serve { collector in
            let answer = try await collector.call(
                "OPTIONS", CollectorPath.events, key: nil, [("Origin", "https://app.example.com")])
            #expect(answer["Access-Control-Allow-Origin"] == nil && answer["Access-Control-Allow-Methods"] == nil)
        }
    }
}
