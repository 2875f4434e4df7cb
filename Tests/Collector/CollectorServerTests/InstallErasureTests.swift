import CollectorFixtures
import CommandRunner
import DeliveryProtocol
import Foundation
import JSONLines
import Primitives
import Testing

@testable import CollectorServer

@Suite("Erasure by an install over HTTP", .timeLimit(.minutes(10)))
struct InstallErasureTests {
    /// Unique bytes that occur nowhere else in a test.
    private static let user = "zz-erased-user-ü-zz"
    private let folder: CollectorFolder
    /// Every third event is the user's.
    private let sender = SendingInstall("install-a") { $0 % 3 == 0 ? InstallErasureTests.user : "user-\($0 % 2)" }

    init() throws { folder = try CollectorFolder() }

    private func others(_ seqs: ClosedRange<Int64>) -> [String] {
        seqs.filter { $0 % 3 != 0 }.map { sender.line($0) }
    }

    private func request(
        _ collector: ServedCollector, _ body: [UInt8], install: String = "install-a", key: String? = nil,
        _ fields: [(String, String)] = []
    ) async throws -> RawResponse {
        try await collector.call(
            "POST", CollectorPath.erasures(ofInstall: install), key: key ?? folder.writeKey, fields, body: body)
    }

    private func erase(_ collector: ServedCollector, _ body: [UInt8], install: String = "install-a") async throws
        -> ErasureReceipt
    {
        let answer = try await request(collector, body, install: install)
        #expect(answer.status == 200, "\(answer.text)")
        return try ErasureReceipt(#require(answer.json))
    }

    private func summary(_ collector: ServedCollector) async throws -> InstallSummary {
        try InstallSummary(#require(try await collector.get("/v1/installs/install-a").json))
    }

    @Test("A proxy delivers an old body twice after the answer, with a fork in between: nothing comes back")
    func proxy() async throws {
        try await folder.serve { collector in
            let first = sender.body(1, 1...10)
            #expect(try await collector.post(first).receipt().stored == [1...10])
            // A proxy keeps the second body, and its answer never reaches the client.
            let kept = sender.body(2, 11...20)
            let receipt = try await erase(
                collector,
                sender.erasure(1, of: Self.user, through: 20, numbers: [3...3, 6...6, 9...9, 12...12, 18...18]))
            #expect(receipt.events == 3 && receipt.marked == 5 && receipt.kept == 0 && receipt.through == 20)
            #expect(try await collector.lines() == others(1...10))
            #expect(try await collector.post(kept).receipt().erased == [12...12, 15...15, 18...18])
            // A clone of the phone sends other bytes under a known number.
            let fork = try await collector.post(sender.body(3, 1...10, query: "clone")).problem()
            #expect(fork.code == .fork && fork.acknowledged == [3...3, 6...6, 9...9])
            #expect(fork.forked == [1...2, 4...5, 7...8, 10...10])
            for body in [first, kept] {
                let again = try await collector.post(body).receipt()
                #expect(!again.erased.isEmpty && !again.stored.contains { $0.contains(3) || $0.contains(12) })
            }
            #expect(try await collector.lines() == others(1...20))
            #expect(
                try await collector.lines(
                    "user=\(Self.user.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")") == [])
            // The user comes back.
            #expect(try await collector.post(sender.body(4, 21...24)).receipt().stored == [21...24])
            #expect(try await collector.lines() == others(1...20) + (21...24).map { sender.line($0) })
            // The same request gets the stored answer.
            let again = try await erase(
                collector,
                sender.erasure(1, of: Self.user, through: 20, numbers: [3...3, 6...6, 9...9, 12...12, 18...18]))
            #expect(again == receipt)
            #expect(try await collector.lines().count == others(1...20).count + 4)
            let install = try await summary(collector)
            #expect(install.missing == [])
            #expect(install.ranges(.erased) == [3...3, 6...6, 9...9, 12...12, 15...15, 18...18])
            let metrics = try await collector.get("/metrics").lines
            #expect(metrics.contains(#"collector_erased_numbers_total{app="shop"} 5"#))
            #expect(metrics.contains(#"collector_events_total{verdict="erased",app="shop"} 3"#))
            #expect(metrics.contains("collector_erasures_pending 1"))
            #expect(metrics.contains(#"collector_requests_total{route="install-erasures",status="200"} 2"#))
        }
    }

    @Test("The live page's rows have no erased event from the answer on, also for a viewer at the end")
    func live() async throws {
        try await folder.serve { collector in
            func view() async throws -> RawConnection {
                let connection = try collector.connect()
                await connection.send(
                    RawRequest.head(
                        "GET", "/v1/stream?after=0", [("Authorization", "Bearer \(folder.adminToken)")]))
                return connection
            }
            // The rows are in memory, because a viewer is at the end.
            let viewer = try await view()
            #expect(await viewer.text(until: "event: end") != nil)
            _ = try await collector.post(sender.body(1, 1...6)).receipt()
            #expect(await viewer.text(until: #""seq":6"#)?.contains(#""seq":3,"#) == true)
            _ = try await erase(collector, sender.erasure(1, of: Self.user, through: 6))
            let after = await (try view()).text(until: "event: end") ?? ""
            #expect(!after.contains(#""seq":3"#) && !after.contains(#""seq":6"#) && after.contains(#""seq":5"#))
            #expect(!after.contains(Self.user))
        }
    }

    @Test("Another install's secret gets 403, another key 401, and nothing is changed")
    func notMine() async throws {
        try await folder.serve { collector in
            _ = try await collector.post(sender.body(1, 1...6)).receipt()
            let other = SendingInstall("install-b", secret: String(repeating: "b0", count: 16), user: sender.user)
            _ = try await collector.post(other.body(1, 1...3)).receipt()
            let lines = try await collector.lines()
            let problem = try await request(collector, other.erasure(1, of: Self.user), install: "install-a").problem()
            #expect(problem.code == .wrongSecret)
            #expect(
                try await request(collector, sender.erasure(1, of: Self.user), key: "wk_unknown").problem().code
                    == .unauthorized)
            // Imported lines have no secret.
            let imported = SendingInstall("install-c", user: sender.user)
            _ = try await collector.post(
                SendingInstall.body([imported.line(3)]), key: folder.adminToken
            ).receipt()
            #expect(
                try await request(collector, imported.erasure(1, of: Self.user), install: "install-c").problem().code
                    == .wrongSecret)
            #expect(try await collector.lines() == lines + [imported.line(3)])
            // The install's own request leaves the other installs alone.
            #expect(try await erase(collector, sender.erasure(1, of: Self.user)).events == 2)
            #expect(try await collector.lines() == others(1...6) + (1...3).map { other.line($0) } + [imported.line(3)])
        }
    }

    @Test("An invalid request gets 4xx, and erases nothing")
    func invalid() async throws {
        let id = Phone.id(1)
        let secret = sender.secret
        try await folder.serve { collector in
            _ = try await collector.post(sender.body(1, 1...6)).receipt()
            func expect(
                _ code: DeliveryProblem.Code, _ body: String, _ fields: [(String, String)] = [],
                install: String = "install-a", _ location: SourceLocation = #_sourceLocation
            ) async throws {
                let answer = try await request(collector, Array(body.utf8), install: install, fields)
                #expect(try answer.problem().code == code, "\(body.prefix(200))", sourceLocation: location)
            }
            let whole = #""id":"\#(id)","secret":"\#(secret)","user_id":"\#(Self.user)""#
            for body in [
                "", "[]", "{", "{}", #"{"id":"\#(id)","secret":"\#(secret)"}"#,
                #"{"id":"\#(id)","secret":"\#(secret)","user_id":""}"#,
                #"{"id":"\#(id)","secret":"\#(secret)","user_id":1}"#,
                #"{"id":"\#(id)","secret":"\#(secret)","user_id":"\#(String(repeating: "x", count: 129))"}"#,
                #"{"id":"1","secret":"\#(secret)","user_id":"u"}"#, #"{"id":"\#(id)","secret":"S","user_id":"u"}"#,
                #"{"id":"\#(id)","user_id":"u"}"#,
                "{\(whole),\"through\":0}", "{\(whole),\"through\":\"6\"}", "{\(whole),\"numbers\":[[1]]}",
                "{\(whole),\"numbers\":[[2,1]]}", "{\(whole),\"numbers\":[[0,1]]}",
                "{\(whole),\"numbers\":[[1,2],[2,3]]}",
                "{\(whole),\"numbers\":[[1,7]],\"through\":6}", "{\(whole),\"numbers\":[[1,9007199254740992]]}",
                "{\(whole),\"numbers\":{}}",
            ] { try await expect(.malformed, body) }
            try await expect(.malformed, "{\(whole)}", [("Idempotency-Key", "\"\(Phone.id(2))\"")])
            try await expect(.malformed, "{\(whole)}", install: String(repeating: "x", count: 129))
            try await expect(.unsupportedEncoding, "{\(whole)}", [("Content-Encoding", "gzip")])
            let ranges = (1...10_001).map { "[\(2 * $0),\(2 * $0)]" }.joined(separator: ",")
            try await expect(.tooLarge, "{\(whole),\"numbers\":[\(ranges)]}")
            try await expect(.tooLarge, "{\(whole),\"x\":\"\(String(repeating: "x", count: 600_000))\"}")
            #expect(try await collector.lines().count == 6)
            // The limit itself, and the id in header and body.
            let most = ranges.split(separator: "],").dropLast().joined(separator: "],") + "]"
            let answer = try await request(
                collector, Array("{\(whole),\"numbers\":[\(most)]}".utf8), [("Idempotency-Key", "\"\(id)\"")])
            #expect(answer.status == 200, "\(answer.text)")
            try await expect(.keyReused, "{\(whole)}")
            #expect(try await collector.lines() == others(1...6))
        }
    }

    @Test("Requests consume the quota of the install")
    func quota() async throws {
        let clock = TestClock()
        try await folder.serve({
            $0.now = { clock.now }
            $0.installQuota = .init(perSecond: 1, burst: 5)
        }) { collector in
            #expect(
                try await request(collector, sender.erasure(1, of: "u", numbers: [1...1, 3...3, 5...5, 7...7])).status
                    == 200)
            let problem = try await request(collector, sender.erasure(2, of: "u", numbers: [1...1, 3...3])).problem()
            #expect(problem.code == .overQuota && problem.retryAfter ?? 0 > 0)
        }
    }

    @Test("The hourly round removes the bytes, and not before")
    func round() async throws {
        let clock = HurriedClock()
        try await folder.serve({
            $0.clock = clock
            $0.roundsBetweenRemovals = 60
        }) { collector in
            for batch in 0..<10 {
                let first = Int64(batch * 10 + 1)
                _ = try await collector.post(sender.body(batch + 1, first...first + 9)).receipt()
            }
            // Rejected lines of the user, whole and broken.
            let bad = [
                sender.line(102).replacing(#""page":1"#, with: #""page":0"#), #"{"user_id":"\#(Self.user)""#,
            ]
            _ = try await collector.post(
                SendingInstall.body([sender.header(11, 101...103)] + bad + [sender.line(103)])
            ).receipt()
            _ = try await erase(collector, sender.erasure(1, of: Self.user))
            #expect(try await collector.lines() == others(1...100) + [sender.line(103)])
            #expect(try await collector.get("/v1/rejects").lines.allSatisfy { $0.contains(#""message":"erased""#) })
            #expect(try folder.files(with: Self.user) != [])
            #expect(try await collector.get("/metrics").lines.contains("collector_erasures_pending 1"))
            clock.hurry()
            #expect(try await eventually { try folder.files(with: Self.user) == [] })
            #expect(try await collector.lines() == others(1...100) + [sender.line(103)])
            #expect(try await collector.get("/metrics").lines.contains("collector_erasures_pending 0"))
            #expect(try await collector.get("/v1/findings").json?["findings"] == .array([]))
            #expect(try await collector.post(sender.body(99, 1...10)).receipt().erased == [3...3, 6...6, 9...9])
        }
        #expect(try folder.files(with: Self.user) == [])
    }

    @Test("The next start removes lines that a batch has reported as erased without a request")
    func start() async throws {
        try await folder.serve { collector in
            _ = try await collector.post(sender.body(1, 1...3)).receipt()
            let report = [BatchHeader.LedgerRow(reason: "erased", seqs: 3...3, count: 1)]
            _ = try await collector.post(
                SendingInstall.body([sender.header(2, 4...4, ledger: report), sender.line(4)])
            ).receipt()
            #expect(try folder.files(with: Self.user) != [])
        }
        // Not in a later round.
        try await folder.serve({ $0.roundsBetweenRemovals = 1_000_000 }) { collector in
            let isRemoved = try await eventually { try folder.files(with: Self.user) == [] }
            let lines = try await collector.lines()
            #expect(isRemoved)
            #expect(lines == others(1...4))
        }
    }

    /// A folder with 5,000 lines, which tests copy.
    private static let full = Task {
        let tests = try InstallErasureTests()
        try await tests.folder.serve { collector in
            for batch in 0..<10 {
                let first = Int64(batch * 500 + 1)
                _ = try await collector.post(tests.sender.body(batch + 1, first...first + 499)).receipt()
            }
        }
        return tests.folder
    }

    @Test("A collector killed right after its answer, and while it removes the bytes, has erased all", arguments: 1...6)
    func killed(seed: UInt64) async throws {
        let folder = try CollectorFolder(copying: try await Self.full.value)
        var random = SplitMix64(seed: seed)
        func start() async throws -> (program: RunningProgram, port: Int) {
            let program = try RunningProgram(command: "collector", ["serve", "--data", folder.path, "--port", "0"])
            let line = try #require(await program.nextLine())
            return (program, try #require(line.split(separator: ":").last.flatMap { Int($0) }))
        }
        let first = try await start()
        let connection = try RawConnection(port: first.port)
        let body = sender.erasure(1, of: Self.user, through: 5_000)
        await connection.send(
            RawRequest.head(
                "POST", CollectorPath.erasures(ofInstall: "install-a"),
                [("Authorization", "Bearer \(folder.writeKey)"), ("Content-Length", "\(body.count)")]) + body)
        let answer = try #require(await connection.response())
        #expect(answer.status == 200)
        first.program.send(SIGKILL)
        _ = await first.program.end()
        #expect(try folder.files(with: Self.user) != [])
        // The next one begins to remove the bytes.
        let second = try await start()
        try await Task.sleep(for: .microseconds(Int64(random.next() % 30_000)))
        second.program.send(SIGKILL)
        _ = await second.program.end()
        if seed % 2 == 0 {
            for suffix in ["", "-wal", "-shm"] { unlink("\(folder.path)/store/index.sqlite\(suffix)") }
        }
        try await folder.serve { collector in
            #expect(try await collector.lines() == others(1...5_000))
            #expect(try await collector.post(sender.body(1, 1...500)).receipt().erased.count == 166)
            #expect(try await collector.post(sender.body(77, 4_001...5_000)).receipt().erased.count == 333)
            #expect(try await eventually { try folder.files(with: Self.user) == [] })
            #expect(try await collector.lines() == others(1...5_000))
            let install = try InstallSummary(#require(try await collector.get("/v1/installs/install-a").json))
            #expect(install.ranges(.erased).count == 1_666 && install.missing == [])
            #expect(try await collector.get("/v1/findings").json?["findings"] == .array([]))
        }
    }
}

/// Stops the background work of a collector until a test makes it run without pauses.
private final class HurriedClock: Clock {
    private let isHurried = Locked(false)

    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func hurry() { isHurried.withLock { $0 = true } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        while !isHurried.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(20)) }
        await Task.yield()
        try Task.checkCancellation()
    }
}
