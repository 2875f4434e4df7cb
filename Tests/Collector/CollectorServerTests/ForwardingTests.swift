import CollectorFixtures
import CollectorForwarding
import CollectorServer
import CollectorStore
import DeliveryProtocol
import Foundation
import JSONLines
import NATSServer
import StreamClient
import Testing

@Suite("Collectors in front of JetStream", .enabled(if: NATSServer.isInstalled), .timeLimit(.minutes(10)))
struct ForwardingTests {
    private let server: NATSServer
    private let folder: CollectorFolder
    private let sender = SendingInstall("install-a")

    init() throws { (server, folder) = (try NATSServer(), try CollectorFolder()) }

    private func forward(
        _ settings: inout CollectorSettings, _ change: (inout ForwardingSettings) -> Void = { _ in }
    ) {
        var forwarding = ForwardingSettings(servers: server.url)
        (forwarding.partitions, forwarding.replicas) = (4, 1)
        change(&forwarding)
        settings.forwarding = forwarding.maker
    }

    private func stream() throws -> JetStream { try JetStream(.init(servers: server.url, name: "tests")) }

    /// Waits until a batch is in the stream, which a repeated batch shows.
    private func waitUntilReplicated(_ batch: [UInt8], _ collector: ServedCollector) async throws {
        #expect(
            try await eventually {
                let answer = try await collector.post(batch)
                return try answer.status == 200 && answer.receipt().level == .replicated
            })
    }

    @Test("With acknowledge replicated, a batch gets 503 while the stream is away, and 200 once the stream has it")
    func replicated() async throws {
        try await folder.serve {
            forward(&$0) {
                $0.answersWhenReplicated = true
                $0.answerTimeout = .milliseconds(500)
            }
        } _: { collector in
            let first = sender.body(1, 1...3)
            try await waitUntilReplicated(first, collector)
            server.kill()
            let second = sender.body(2, 4...6)
            let problem = try await collector.post(second).problem()
            #expect(problem.code == .unavailable && problem.detail.contains("not replicated yet"))
            #expect(problem.retryAfter ?? 0 > 0)
            // It is stored all the same.
            #expect(try await collector.lines() == (1...6).map { sender.line($0) })
            try server.start()
            try await waitUntilReplicated(second, collector)
            #expect(try await collector.lines() == (1...6).map { sender.line($0) })
        }
        #expect(try stream().state(of: StreamNames.events).messages == 2)
    }

    /// Several in one process, because NIO's pool has as many threads as the machine has cores.
    @Test("While the stream is away, other requests do not wait for attempts to reach it")
    func independence() async throws {
        let folders = try (0..<8).map { _ in try CollectorFolder() }
        var collectors: [ServedCollector] = []
        for folder in folders {
            collectors.append(
                try await ServedCollector.start(folder) {
                    // So that an attempt takes much longer than an answer, even on a busy machine with ThreadSanitizer.
                    forward(&$0) { $0.streamTimeout = .seconds(60) }
                })
        }
        for collector in collectors { try await waitUntilReplicated(sender.body(1, 1...3), collector) }
        server.kill()
        func sum(_ metric: String) async throws -> Int {
            var sum = 0
            for collector in collectors {
                let line = try await collector.get("/metrics").lines.first { $0.hasPrefix("\(metric) ") }
                sum += Int(line?.split(separator: " ").last ?? "") ?? 0
            }
            return sum
        }
        for collector in collectors { _ = try await collector.post(sender.body(2, 4...6)).receipt() }
        let before = try await sum("collector_forwarding_failures")
        for _ in 0..<5 {
            for collector in collectors {
                #expect(try await collector.call("GET", "/readyz", key: nil).status == 200)
            }
        }
        // An answer that waits for attempts waits for one at least.
        #expect(try await sum("collector_forwarding_failures") - before < 40)
        // All of them still try.
        #expect(try await sum("collector_forwarding_behind_receipts") == collectors.count)
        try server.start()
        for collector in collectors { try await waitUntilReplicated(sender.body(2, 4...6), collector) }
        for collector in collectors { try await collector.stop() }
    }

    @Test("While the stream is away, batches are accepted up to the quota, then get 503; nothing is lost")
    func quota() async throws {
        var accepted: Set<Int64> = []
        try await folder.serve {
            forward(&$0)
            ($0.retention.maximumBytes, $0.store.segmentBytes) = (8192, 4096)
        } _: { collector in
            try await waitUntilReplicated(sender.body(1, 1...10), collector)
            server.kill()
            var problem: DeliveryProblem?
            for batch in 1..<1000 where problem == nil {
                let first = Int64(batch * 10 + 1)
                let answer = try await collector.post(sender.body(batch + 1, first...first + 9))
                if answer.status == 200 {
                    accepted.formUnion(first...first + 9)
                } else {
                    problem = try answer.problem()
                }
                // The size is measured once a second.
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(problem?.code == .unavailable && problem?.retryAfter ?? 0 >= 30)
            let ready = try await collector.call("GET", "/readyz", key: nil)
            #expect(ready.status == 503 && ready.json?["reason"]?.stringValue?.contains("quota") == true)
            #expect(accepted.count > 20)
            try server.start()
            // The stream catches up, old segments are removed, and batches are accepted again.
            let last = sender.body(5000, 50_001...50_001)
            #expect(try await eventually { try await collector.post(last).status == 200 })
            try await waitUntilReplicated(last, collector)
        }
        let stream = try stream()
        let partition = StreamNames.partition(ofInstall: sender.id, count: 4)
        let (found, _) = try stream.messages(
            of: StreamNames.events, subject: StreamNames.events(partition), after: 0)
        let numbers = try found.flatMap { try StreamMessage(payload: $0.data).numbers.flatMap(Array.init) }
        #expect(numbers.count == Set(numbers).count)
        let expected = accepted.union(1...10).union([50_001])
        #expect(expected.subtracting(numbers) == [])
        #expect(Set(numbers).subtracting(expected) == [])
    }

    @Test("Events that an install has erased are not forwarded, but listed as erased")
    func erased() async throws {
        let sender = SendingInstall("install-a") { $0 % 3 == 0 ? "erased-user" : "user-1" }
        // Before it forwards: a group of batches that is being published counts as forwarded.
        try await folder.serve { collector in
            _ = try await collector.post(sender.body(1, 1...9)).receipt()
            let answer = try await collector.call(
                "POST", CollectorPath.erasures(ofInstall: sender.id), key: folder.writeKey,
                body: sender.erasure(1, of: "erased-user", through: 19))
            #expect(try ErasureReceipt(#require(answer.json)).events == 3)
        }
        try await folder.serve({ forward(&$0) }) { collector in
            // An old body that arrives after the erasure, and an event of the user, who comes back.
            for body in [sender.body(2, 10...12), sender.body(3, 20...21)] {
                _ = try await collector.post(body).receipt()
                try await waitUntilReplicated(body, collector)
            }
        }
        let partition = StreamNames.partition(ofInstall: sender.id, count: 4)
        let (found, _) = try stream().messages(
            of: StreamNames.events, subject: StreamNames.events(partition), after: 0)
        let messages = try found.map { try StreamMessage(payload: $0.data) }
        #expect(messages.flatMap { $0.numbers.flatMap(Array.init) } == [1, 2, 4, 5, 7, 8, 10, 11, 20, 21])
        #expect(messages.flatMap(\.absent).map(\.seqs) == [3...3, 6...6, 9...9, 12...12])
        #expect(messages.flatMap(\.absent).allSatisfy { $0.fate == .erased })
        #expect(found.map { $0.data.firstRange(of: Array("erased-user".utf8)) != nil } == [false, false, true])
    }

    @Test("Verdicts of the loaders: a receipt requests numbers, a device with another secret becomes a new install")
    func verdicts() async throws {
        try await folder.serve({ forward(&$0) }) { collector in
            // Another collector has 1 to 3, as far as this one knows.
            let batch = sender.body(2, 4...6)
            #expect(try await collector.post(batch).receipt().missing == [])
            try await waitUntilReplicated(batch, collector)
            let partition = StreamNames.partition(ofInstall: sender.id, count: 4)
            var verdict = InstallVerdict(installID: sender.id)
            verdict.missing = [2...3]
            _ = try stream().publish([.init(verdict.subject(partition: partition), verdict.payload)])
            #expect(try await eventually { try await collector.post(batch).receipt().missing == [2...3] })
            // A batch with a requested number is not asked for it again.
            #expect(try await collector.post(sender.body(3, 2...2)).receipt().missing == [3...3])
            verdict.secretHash = Array(repeating: 7, count: 32)
            _ = try stream().publish([.init(verdict.subject(partition: partition), verdict.payload)])
            #expect(try await eventually { try await collector.post(batch).status == 409 })
            #expect(try await collector.post(sender.body(4, 7...7)).problem().code == .installTaken)
        }
    }
}
