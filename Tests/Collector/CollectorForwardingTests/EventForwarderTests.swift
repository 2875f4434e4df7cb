import CollectorFixtures
import CollectorStore
import CommandRunner
import DeliveryProtocol
import Foundation
import NATSServer
import Primitives
import StreamClient
import Testing

@testable import CollectorForwarding

@Suite("Forwarding to JetStream", .enabled(if: NATSServer.isInstalled), .timeLimit(.minutes(5)))
struct EventForwarderTests {
    private let server: NATSServer
    private let folder: TemporaryFolder
    private let phone = Phone("install-a")
    private let reports = Locked<[String]>([])

    init() throws {
        (server, folder) = (try NATSServer(), try TemporaryFolder())
    }

    private func open() throws -> BatchStore { try BatchStore(folder: folder.path("store")) }

    private func forwarder(_ store: BatchStore, to server: NATSServer? = nil) throws -> EventForwarder {
        var stream = JetStream.Options(servers: (server ?? self.server).url, name: "tests")
        stream.timeout = .milliseconds(500)
        var options = EventForwarder.Options(stream: stream)
        (options.partitions, options.replicas) = (4, 1)
        let reports = self.reports
        return try EventForwarder(store, path: folder.path("forwarded.json"), options) { body in
            body()
        } report: { message in
            reports.withLock { $0.append(message) }
        }
    }

    /// Runs a forwarder until a receipt is in the stream.
    private func forward(
        _ store: BatchStore, through receipt: Int64, to server: NATSServer? = nil
    ) async throws -> EventForwarder.Progress {
        let forwarder = try forwarder(store, to: server)
        let task = Task.detached { await forwarder.run() }
        while forwarder.progress.receipt < receipt { try await Task.sleep(for: .milliseconds(10)) }
        task.cancel()
        await task.value
        return forwarder.progress
    }

    /// All messages of the install's partition.
    private func messages(of server: NATSServer? = nil) throws -> [StreamMessage] {
        let stream = try JetStream(JetStream.Options(servers: (server ?? self.server).url, name: "tests"))
        let partition = StreamNames.partition(ofInstall: phone.installID, count: 4)
        let (found, _) = try stream.messages(
            of: StreamNames.events, subject: StreamNames.events(partition), after: 0)
        return try found.map { try StreamMessage(payload: $0.data) }
    }

    @Test("Batches are published in the order of receipts, with lines, numbers and reasons")
    func content() async throws {
        let store = try open()
        _ = try await store.submit(phone.batch(1, 1...4, missing: [.init(3...3, .held)]))
        _ = try await store.submit(phone.batch(2, 5...6))
        let progress = try await forward(store, through: 2)
        #expect(progress.receipt == 2 && progress.events == 5 && progress.messages == 2)
        let found = try messages()
        #expect(found.map(\.receipt.number) == [1, 2])
        #expect(found.map(\.receipt.collector) == ["\(store.collectorID)", "\(store.collectorID)"])
        #expect(found.map(\.numbers) == [[1...2, 4...4], [5...6]])
        #expect(found[0].absent == [.init(3...3, .held)] && found[0].seqs == 1...4)
        #expect(String(decoding: found[1].text, as: UTF8.self) == phone.line(5) + "\n" + phone.line(6) + "\n")
        #expect(found[0].secretHash.count == 32 && found[0].batchID?.count == 32)
        await store.close()
    }

    @Test("A further forwarder continues; what it publishes again is ignored")
    func position() async throws {
        let store = try open()
        _ = try await store.submit(phone.batch(1, 1...4))
        _ = try await forward(store, through: 1)
        _ = try await store.submit(phone.batch(2, 5...6))
        // As after a crash before the position was written.
        try FileManager.default.removeItem(atPath: folder.path("forwarded.json"))
        #expect(try await forward(store, through: 2).messages == 2)
        #expect(try messages().map(\.numbers) == [[1...4], [5...6]])
        await store.close()
    }

    @Test("A position ahead of the store, as after a restored backup, starts again: nothing is skipped")
    func restoredStore() async throws {
        let store = try open()
        let position = ForwardingPosition(path: folder.path("forwarded.json"), collector: "\(store.collectorID)")
        try position.write(.init(receipt: 9, stream: "s"))
        _ = try await store.submit(phone.batch(1, 1...4))
        #expect(try forwarder(store).progress.receipt == 0)
        await store.close()
    }

    @Test("While the server is away nothing is lost, and the first error is reported")
    func outage() async throws {
        let store = try open()
        _ = try await store.submit(phone.batch(1, 1...4))
        _ = try await forward(store, through: 1)
        server.kill()
        let forwarder = try forwarder(store)
        let task = Task.detached { await forwarder.run() }
        for batch in 2...20 {
            let first = Int64(batch) * 5
            _ = try await store.submit(phone.batch(batch, first...first + 4))
        }
        while forwarder.progress.failures < 2 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(forwarder.progress.receipt == 0 && forwarder.progress.problem != nil)
        #expect(reports.withLock { $0.count } == 1)
        try server.start()
        while forwarder.progress.receipt < 20 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(forwarder.progress.problem == nil)
        task.cancel()
        await task.value
        #expect(try messages().map(\.receipt.number) == Array(1...20))
        await store.close()
    }

    @Test("Absent numbers that exceed a message become several messages, and later batches flow")
    func manyAbsences() async throws {
        let (store, first) = (try open(), (1 << 53) - 50_000 as Int64)
        // 6,150 reasons of 64 characters: more than 1 MiB in one message.
        let ledger = (0..<6150 as Range<Int64>).map { index in
            BatchHeader.LedgerRow(
                reason: "\(10_000 + index)" + String(repeating: "r", count: 59),
                seqs: first + 2 * index...first + 2 * index, count: 1)
        }
        let all = first...first + 12_400
        _ = try await store.submit(phone.batch(1, all, missing: [.init(all, .dropped)], ledger: ledger))
        _ = try await store.submit(phone.batch(2, 1...2))
        let progress = try await forward(store, through: 2)
        #expect(progress.problem == nil && progress.failures == 0 && progress.messages > 2)
        let found = try messages()
        #expect(NumberRanges.union(found.flatMap(\.absent).map(\.seqs)) == [all])
        #expect(found.last?.numbers == [1...2])
        #expect(found.allSatisfy { $0.payload.count <= StreamMessage.maximumBytes })
        await store.close()
    }

    @Test("A line that exceeds the servers' limit is set aside with a finding, also after a restart; the others flow")
    func setAside() async throws {
        let small = try NATSServer(maximumPayload: 16 << 10)
        let store = try open()
        let long = String(repeating: "x", count: 13 << 10)
        _ = try await store.submit(phone.batch(1, 1...3, variants: [2: long]))
        _ = try await store.submit(phone.batch(2, 4...5))
        for _ in 0..<2 {
            let progress = try await forward(store, through: 2, to: small)
            #expect(progress.problem == nil && progress.failures == 0)
            #expect(try messages(of: small).map(\.numbers) == [[1...1], [3...3], [4...5]])
            try FileManager.default.removeItem(atPath: folder.path("forwarded.json"))
        }
        let findings = SetAsideMessages(dataFolder: folder.path).findings()
        #expect(findings.map(\.code) == [.unpublished] && findings.map(\.subject) == [phone.installID])
        #expect(findings.first?.message.contains("numbers 2 to 2 of receipt 1") == true)
        #expect(reports.withLock { $0 } == findings.map(\.description))
        await store.close()
    }

    @Test("The latest verdict of each install is known, an empty one revokes it")
    func verdicts() async throws {
        let store = try open()
        _ = try await store.submit(phone.batch(1, 1...4))
        _ = try await forward(store, through: 1)
        let options = JetStream.Options(servers: server.url, name: "tests")
        let (stream, reader) = (try JetStream(options), VerdictReader(options) { body in body() })
        func publish(_ install: String, _ missing: [ClosedRange<Int64>]) throws {
            var verdict = InstallVerdict(installID: install)
            verdict.missing = missing
            _ = try stream.publish([.init(verdict.subject(partition: 1), verdict.payload)])
        }
        try reader.read()
        #expect(reader.verdict(on: "a") == nil)
        try publish("a", [1...2])
        try publish("b", [5...5])
        try publish("a", [2...2])
        try reader.read()
        #expect(reader.verdict(on: "a")?.missing == [2...2] && reader.verdict(on: "b")?.missing == [5...5])
        try publish("a", [])
        try reader.read()
        #expect(reader.verdict(on: "a") == nil && reader.verdict(on: "b") != nil)
        // The stream has only the latest one of each.
        #expect(try stream.state(of: StreamNames.verdicts).messages == 2)
        await store.close()
    }

    @Test("A new stream gets everything that is still stored")
    func newStream() async throws {
        let store = try open()
        _ = try await store.submit(phone.batch(1, 1...4))
        _ = try await forward(store, through: 1)
        server.kill()
        try server.forget()
        try server.start()
        _ = try await store.submit(phone.batch(2, 5...6))
        #expect(try await forward(store, through: 2).messages == 2)
        #expect(try messages().map(\.numbers) == [[1...4], [5...6]])
        #expect(reports.withLock { $0.contains { $0.contains("has a new stream") } })
        await store.close()
    }
}
