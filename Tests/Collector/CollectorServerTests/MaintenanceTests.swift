import CollectorFixtures
import CollectorStore
import CommandRunner
import DeliveryProtocol
import Foundation
import JSONLines
import Primitives
import Testing

@testable import CollectorServer

@Suite("Erasure, backup and findings over HTTP", .timeLimit(.minutes(10)))
struct MaintenanceTests {
    /// Unique bytes that occur nowhere else in a test.
    private static let user = "zz-erased-user-ü-zz"
    private let folder: CollectorFolder
    private let sender = SendingInstall("install-a") { $0 % 3 == 0 ? MaintenanceTests.user : "user-\($0 % 2)" }

    init() throws { folder = try CollectorFolder() }

    /// The lines after the erasure.
    private func others(_ seqs: ClosedRange<Int64>) -> [String] {
        seqs.filter { $0 % 3 != 0 }.map { sender.line($0) }
    }

    private func fill(_ collector: ServedCollector) async throws {
        for batch in 0..<10 {
            let first = Int64(batch * 10 + 1)
            _ = try await collector.post(sender.body(batch + 1, first...first + 9)).receipt()
        }
        // Rejected lines of the user, whole and broken.
        let bad = [
            sender.line(102).replacing(#""page":1"#, with: #""page":0"#),
            #"{"user_id":"\#(Self.user)""#,
        ]
        _ = try await collector.post(SendingInstall.body([sender.header(11, 101...103)] + bad + [sender.line(103)]))
            .receipt()
        #expect(try folder.files(with: Self.user) != [])
    }

    @Test("An erasure removes all bytes of a user from the files; numbers stay known, other lines stay")
    func erasure() async throws {
        try await folder.serve { collector in
            try await fill(collector)
            let answer = try await collector.call(
                "POST", "/v1/erasures", key: folder.adminToken, body: Array(#"{"user_id":"\#(Self.user)"}"#.utf8))
            #expect(answer.status == 200)
            #expect(answer.json?["lines"]?.integerValue == 33)
            #expect(try folder.files(with: Self.user) == [])
            #expect(try await collector.lines() == others(1...100) + [sender.line(103)])
            let install = try InstallSummary(#require(try await collector.get("/v1/installs/install-a").json))
            #expect(
                NumberRanges.contains(install.ranges(.erased), 3)
                    && !NumberRanges.contains(install.ranges(.erased), 4))
            #expect(install.missing == [])
            // They are not stored again.
            #expect(try await collector.post(sender.body(99, 1...10)).receipt().erased == [3...3, 6...6, 9...9])
            #expect(try folder.files(with: Self.user) == [])
        }
        #expect(try folder.files(with: Self.user) == [])
    }

    @Test("An interrupted erasure is finished at the next start")
    func interrupted() async throws {
        try await folder.serve { try await fill($0) }
        // A collector records an erasure before it starts.
        let noted = try PendingErasures(folder: folder.path).add(user: Self.user)
        #expect(FileManager.default.contents(atPath: noted) == Data(Self.user.utf8))
        let log = LockedLines()
        try await folder.serve({ $0.logger = log.logger }) { collector in
            let isGone = try await eventually { try folder.files(with: Self.user) == [] }
            #expect(isGone)
            #expect(try await collector.lines() == others(1...100) + [sender.line(103)])
        }
        #expect(try PendingErasures(folder: folder.path).left().count == 0)
        #expect(log.contains("finished an interrupted erasure") && !log.contains(Self.user))
    }

    @Test("Unfinished erasures that cannot be read are an error, a missing folder is none")
    func unreadable() throws {
        let pending = PendingErasures(folder: folder.path)
        #expect(try pending.left().isEmpty)
        // A file instead of the folder.
        #expect(FileManager.default.createFile(atPath: "\(folder.path)/erasures", contents: Data()))
        #expect(throws: (any Error).self) { try pending.left() }
    }

    @Test("A torn record of an erasure erases no user and is removed")
    func torn() async throws {
        let pending = PendingErasures(folder: folder.path)
        let path = try pending.add(user: "user-10")
        try Data("user-1".utf8).write(to: URL(fileURLWithPath: path))
        let other = "\(folder.path)/erasures/.draft"
        try Data("user-1".utf8).write(to: URL(fileURLWithPath: other))
        try await folder.serve { collector in
            _ = try await collector.post(SendingInstall("install-a").body(1, 1...5)).receipt()
            #expect(
                try await eventually {
                    try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/erasures") == []
                })
            #expect(try await collector.lines().count == 5)
        }
    }

    /// A folder with 5,000 lines, which tests copy.
    private static let full = Task {
        let tests = try MaintenanceTests()
        try await tests.folder.serve { collector in
            // Several segments, so that the erasure takes its time.
            for batch in 0..<10 {
                let first = Int64(batch * 500 + 1)
                _ = try await collector.post(tests.sender.body(batch + 1, first...first + 499)).receipt()
            }
        }
        return tests.folder
    }

    @Test(
        "A collector killed during an erasure finishes it at the next start",
        arguments: 1...6)
    func killed(seed: UInt64) async throws {
        let folder = try CollectorFolder(copying: try await Self.full.value)
        var random = SplitMix64(seed: seed)
        let program = try RunningProgram(
            command: "collector", ["serve", "--data", folder.path, "--port", "0"])
        let line = try #require(await program.nextLine())
        let port = try #require(line.split(separator: ":").last.flatMap { Int($0) })
        let connection = try RawConnection(port: port)
        let body = Array(#"{"user_id":"\#(Self.user)"}"#.utf8)
        await connection.send(
            RawRequest.head(
                "POST", "/v1/erasures",
                [("Authorization", "Bearer \(folder.adminToken)"), ("Content-Length", "\(body.count)")]) + body)
        let isAnswered = Locked(false)
        let answer = Task {
            _ = await connection.response()
            isAnswered.withLock { $0 = true }
        }
        let note = "\(folder.path)/erasures/\(SHA256.hexadecimal(Array(Self.user.utf8)))"
        // Before the note is whole nothing was promised, and a later start finishes nothing. A fast erasure may have
        // removed it again between two looks: then it has been answered.
        let hasBegun = await program.send(
            0,
            when: {
                FileManager.default.contents(atPath: note) == Data(Self.user.utf8) || isAnswered.withLock { $0 }
            })
        #expect(hasBegun)
        try await Task.sleep(for: .microseconds(Int64(random.next() % 20_000)))
        program.send(SIGKILL)
        await answer.value
        _ = await program.end()
        try await folder.serve { collector in
            let isGone = try await eventually { try folder.files(with: Self.user) == [] }
            #expect(isGone)
            #expect(try await collector.lines() == others(1...5_000))
            #expect(try await collector.get("/v1/findings").json?["findings"] == .array([]))
        }
    }

    @Test("An invalid request for an erasure erases nothing")
    func wrongErasure() async throws {
        try await folder.serve { collector in
            try await fill(collector)
            for body in ["", "{}", #"{"user_id":""}"#, #"{"user_id":1}"#, #"{"user":"user-1"}"#, "user-1"] {
                let answer = try await collector.call(
                    "POST", "/v1/erasures", key: folder.adminToken, body: Array(body.utf8))
                #expect(try answer.problem().code == .malformed, "\(body)")
            }
            let long = #"{"user_id":"\#(String(repeating: "x", count: 70_000))"}"#
            let answer = try await collector.call(
                "POST", "/v1/erasures", key: folder.adminToken, body: Array(long.utf8))
            #expect(try answer.problem().code == .tooLarge)
            #expect(try await collector.lines().count == 101)
        }
    }

    @Test("A collector can open a backup, which has everything acknowledged before")
    func backup() async throws {
        let backups = folder.temporary.path("backups")
        try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: true)
        func ask(_ collector: ServedCollector, _ name: String) async throws -> RawResponse {
            try await collector.call(
                "POST", "/v1/backups", key: folder.adminToken, body: Array(#"{"name":"\#(name)"}"#.utf8))
        }
        try await folder.serve { collector in
            let problem = try await ask(collector, "first").problem()
            #expect(problem.code == .forbidden)
        }
        let lines = try await folder.serve({ $0.backups = backups }) { collector in
            try await fill(collector)
            let before = try await collector.lines()
            #expect(try await ask(collector, "first").status == 201)
            _ = try await collector.post(sender.body(50, 200...210)).receipt()
            for name in ["../first", "a/b", "", "a b", String(repeating: "x", count: 101)] {
                #expect(try await ask(collector, name).problem().code == .malformed, "\(name)")
            }
            #expect(try await ask(collector, "first").problem().code == .alreadyExists)
            let link = "\(backups)/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/nonexistent/folder")
            #expect(try await ask(collector, "link").problem().code == .alreadyExists)
            return before
        }
        let store = try BatchStore(folder: "\(backups)/first")
        let page = try store.lines(after: .start, limit: 1000)
        #expect(page.lines.map { String(decoding: $0.bytes, as: UTF8.self) } == lines)
        #expect(store.openingFindings.filter { $0.severity != .note } == [])
        await store.close()
    }

    @Test("A failed backup states why, and the collector stays ready")
    func failedBackup() async throws {
        try await folder.serve({ $0.backups = folder.temporary.path("missing") }) { collector in
            let answer = try await collector.call(
                "POST", "/v1/backups", key: folder.adminToken, body: Array(#"{"name":"first"}"#.utf8))
            let problem = try answer.problem()
            #expect(problem.code == .internalError && problem.detail.contains("cannot write the backup"), "\(problem)")
            #expect(try await collector.get("/readyz").status == 200)
            #expect(try await collector.post(sender.body(1, 1...3)).status == 200)
        }
    }

    @Test("An intact folder has no findings; damage is reported")
    func findings() async throws {
        try await folder.serve { collector in
            try await fill(collector)
            #expect(try await collector.get("/v1/findings").json?["findings"] == .array([]))
            let segment = "\(folder.path)/store/segments/0000000001.segment"
            var bytes = try Data(contentsOf: URL(fileURLWithPath: segment))
            bytes[bytes.count / 2] ^= 0xFF
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: segment))
            try handle.write(contentsOf: bytes)
            try handle.close()
            guard case .array(let findings)? = try await collector.get("/v1/findings").json?["findings"] else {
                Issue.record("no findings")
                return
            }
            #expect(findings.count > 0)
            #expect(findings.contains { $0["subject"]?.stringValue?.contains("0000000001") == true }, "\(findings)")
        }
    }
}
