import CollectorFixtures
import CollectorIntake
import CollectorStore
import CommandRunner
import DeliveryProtocol
import EventModel
import Foundation
import Testing

@Suite("collector doctor --fix", .timeLimit(.minutes(10)))
struct RepairTests {
    private static let kills = 20
    private let folder: CollectorFolder
    private static let last = EventRecord.highestSeq
    private static let claimed = ["otlp:shop", "segment:shop", "snowplow:shop"]

    init() throws { folder = try CollectorFolder() }

    private func track(_ collector: ServedCollector) async throws -> Int {
        let body = Array(#"{"type":"track","event":"Order","userId":"u"}"#.utf8)
        return try await collector.call("POST", "/v1/track", key: folder.writeKey, body: body).status
    }

    private func store() throws -> BatchStore {
        var options = BatchStore.Options()
        options.segmentBytes = 20_000
        return try BatchStore(folder: "\(folder.path)/store", options: options)
    }

    private func doctor(_ arguments: String...) async throws -> (code: Int32?, text: String) {
        let result = try await runCommand("collector", ["doctor", "--data", folder.path] + arguments)
        return (result.exitCode, String(decoding: result.stdout, as: UTF8.self))
    }

    /// Stores batches and messages, and what clients could do to installs of other systems' clients in earlier versions.
    private func damage() async throws {
        let store = try store()
        let logs = Phone("otlp:shop")
        _ = try await store.submit(
            logs.batch(1, 1...4, missing: [.init(4...4, .dropped)], ledger: [.init(reason: "a", seqs: 4...4, count: 1)])
        )
        _ = try await store.erase(logs.erasure(9, of: "other", numbers: [6...7]), receivedAt: .init(microseconds: 2))
        for batch in 0..<60 { _ = try await store.submit(PlannedBatches.submission(Phone("install-a"), batch)) }
        _ = try await store.submit(
            Phone("segment:shop").batch(2, Self.last...Self.last, missing: [.init(Self.last...Self.last, .erased)]))
        let header = BatchHeader(
            id: Phone.id(3), installID: "snowplow:shop", secret: logs.secret, seqs: Self.last...Self.last)
        var high = Submission(.batch(header), receivedAt: .init(microseconds: 3), body: Array("{}\n".utf8))
        high.accept(
            seq: Self.last, number: 2, bytes: 0..<2, time: .init(microseconds: 3), user: "u", schema: "s/1-0-0")
        _ = try await store.submit(high)
        await store.close()
        try await folder.serve { collector in
            for _ in 0..<4 {
                let status = try await track(collector)
                #expect(status == 200)
            }
        }
    }

    @Test("Claimed installs are released after a backup, however often the repair is killed; each line stays")
    func repair() async throws {
        try await damage()
        let before = try await folder.storedLines()
        let found = try await doctor()
        #expect(found.code == 1)
        for install in Self.claimed { #expect(found.text.contains("warning: \(install): a client has claimed")) }
        var random = SeededGenerator(seed: 38)
        for _ in 0..<Self.kills {
            let program = try RunningProgram(command: "collector", ["doctor", "--fix", "--data", folder.path])
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...300, using: &random)))
            program.send(SIGKILL)
            let end = await program.end()
            #expect(end.signal == SIGKILL || end.exitCode == 0, "\(end.stderr)")
        }
        let fixed = try await doctor("--fix")
        #expect(fixed.code == 0, "\(fixed.text)")
        #expect(try await doctor("--fix").text.contains("no problems found"))
        // The first whole backup has the claims.
        let backups = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("before-fix-") }
            .filter { FileManager.default.fileExists(atPath: "\(folder.path)/\($0)/collector") }
            .sorted { $0.count == $1.count ? $0 < $1 : $0.count < $1.count }
        let backup = try BatchStore(folder: "\(folder.path)/\(try #require(backups.first))")
        #expect(
            try backup.claimedInstalls(in: ClientMappings().namespaces, above: IntakeLimits().highestSeq)
                == Self.claimed)
        await backup.close()
        var expected = before
        expected["snowplow:shop"] = nil
        #expect(try await folder.storedLines() == expected)
        try await folder.serve { collector in
            #expect(try await track(collector) == 200)
            let install = try await collector.get("/v1/installs/segment%3Ashop").text
            #expect(install.contains(#""highest":5"#), "\(install)")
            #expect(try await collector.get("/v1/rejects?install=snowplow%3Ashop").text.contains("out-of-range"))
            let logs = try await collector.get("/v1/installs/otlp%3Ashop").text
            #expect(logs.contains(#""highest":3"#), "\(logs)")
        }
    }
}
