import DeliveryHTTP
import DeliveryProtocol
import EventLog
import EventModel
import Foundation
import JSONLines
import LogFixtures
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingHTTP
import TrackingTesting

/// A proxy between an app and a collector, which may deliver requests late and repeatedly.
private final class Proxy: DeliveryTransport {
    enum Mode { case passes, keepsBatches, fails }

    let mode = Locked(Mode.passes)
    private let kept = Locked<[DeliveryRequest]>([])
    private let next: any DeliveryTransport = .system()

    func send(_ request: DeliveryRequest) async throws(DeliveryTransportError) -> DeliveryResponse {
        let mode = mode.withLock { $0 }
        if mode == .fails { throw DeliveryTransportError(.other, "no network") }
        guard mode == .keepsBatches, request.url.path == CollectorPath.events else {
            return try await next.send(request)
        }
        kept.withLock { $0.append(request) }
        throw DeliveryTransportError(.other, "the connection was lost")
    }

    /// Delivers the kept requests.
    func deliver() async throws -> [DeliveryResponse] {
        var answers: [DeliveryResponse] = []
        for request in kept.withLock({ $0 }) { answers.append(try await next.send(request)) }
        return answers
    }
}

@Suite("Deleting a user's data at the collector", .timeLimit(.minutes(10)))
struct UserErasureTests {
    private let folder: CollectorFolder
    private let logs: [LogFolder]
    private let proxy = Proxy()

    init() throws {
        folder = try CollectorFolder()
        logs = try (0..<2).map { _ in try LogFolder() }
    }

    /// An app with the identity of its log.
    private func start(_ log: Int, port: Int, install: String = "phone") async throws -> Tracker {
        let installs = Locked(0)
        let options = SQLiteEventStore.Options(
            installID: {
                installs.withLock { count in
                    count += 1
                    return "\(install)-\(count)"
                }
            }, retention: .keepAll)
        var setup = TrackerSetup(
            clock: ManualTrackingClock(EventTime(seconds: 1_700_000_000)), timer: ManualTimer(),
            ids: RandomTrackingIDs(), context: nil, diagnostics: { _ in })
        setup.sharesIdentity = true
        setup.flushPolicy = .manual
        setup.sendingLimit = nil
        let sink = try HTTPSink(
            url: "http://127.0.0.1:\(port)/v1/events", key: folder.writeKey,
            options: .init(timeout: .seconds(300), transport: proxy))
        let storage = try FileKeyValueStorage(path: logs[log].url.path + "/tracking.json")
        let tracker = Tracker.open(setup, storage: storage) { [folder = logs[log]] in
            (try SQLiteEventStore(path: folder.path, options: options), [sink])
        }
        try await tracker.opened()
        return tracker
    }

    /// Sends two events of Ada and two of Bob.
    private func send(_ tracker: Tracker, _ text: String = "x") {
        for user in ["ada", "bob"] {
            tracker.identify("customer-\(user)")
            for page in 1...2 { tracker.send(.search(query: "\(text)-of-\(user)", page: page)) }
        }
    }

    private func summary(_ collector: ServedCollector, _ install: String) async throws -> InstallSummary {
        try InstallSummary(#require(try await collector.get("/v1/installs/\(install)").json))
    }

    private func users(_ collector: ServedCollector) async throws -> [String] {
        try await collector.lines().map {
            try JSONParser.parse(Array($0.utf8))["user_id"]?.stringValue ?? ""
        }
    }

    private func expectNoTraces(_ log: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try logs[log].files(with: "of-ada") == [], sourceLocation: sourceLocation)
        #expect(try logs[log].files(with: "customer-ada") == [], sourceLocation: sourceLocation)
    }

    @Test("a body that is delivered twice after the answer brings nothing back; every number is explained")
    func lateBody() async throws {
        try await folder.serve { collector in
            let tracker = try await start(0, port: collector.port)
            send(tracker)
            await tracker.flush()
            send(tracker, "late")
            proxy.mode.withLock { $0 = .keepsBatches }
            await tracker.flush()
            proxy.mode.withLock { $0 = .passes }
            let result = try await tracker.erase(user: "customer-ada")
            #expect(result.sinks == ["http": .done])
            try expectNoTraces()
            #expect(try await users(collector) == ["customer-bob", "customer-bob"])
            for _ in 1...2 {
                let answers = try await proxy.deliver()
                #expect(answers.map(\.status) == [200])
            }
            #expect(try await users(collector).allSatisfy { $0 == "customer-bob" })
            await tracker.flush()
            #expect(try await users(collector) == Array(repeating: "customer-bob", count: 4))
            let install = try await summary(collector, "phone-1")
            #expect(install.ranges(.stored) == [3...4, 7...8] && install.ranges(.erased) == [1...2, 5...6])
            #expect(install.missing == [])
            // The user comes back.
            tracker.identify("customer-ada")
            tracker.send(.search(query: "again", page: 1))
            await tracker.flush()
            #expect(try await users(collector).last == "customer-ada")
            try await tracker.close()
        }
    }

    @Test("with a fork in between, the numbers of both generations are erased")
    func fork() async throws {
        try await folder.serve { collector in
            let first = try await start(0, port: collector.port)
            send(first)
            await first.flush()
            try await first.close()
            // The backup is restored on another phone, and the first phone sends more.
            try FileManager.default.removeItem(at: logs[1].url)
            try FileManager.default.copyItem(at: logs[0].url, to: logs[1].url)
            let original = try await start(0, port: collector.port)
            original.identify("customer-eve")
            for page in 1...4 { original.send(.search(query: "y", page: page)) }
            await original.flush()
            try await original.close()
            let copy = try await start(1, port: collector.port, install: "copy")
            send(copy, "copied")
            proxy.mode.withLock { $0 = .keepsBatches }
            await copy.flush()
            proxy.mode.withLock { $0 = .passes }
            // The kept body has known numbers with other bytes.
            await copy.flush()
            send(copy, "new")
            proxy.mode.withLock { $0 = .keepsBatches }
            await copy.flush()
            proxy.mode.withLock { $0 = .passes }
            let result = try await copy.erase(user: "customer-ada")
            #expect(result.sinks == ["http": .done])
            try expectNoTraces(1)
            for _ in 1...2 {
                _ = try await proxy.deliver()
                #expect(try await !users(collector).contains("customer-ada"))
            }
            await copy.flush()
            let users = try await users(collector)
            #expect(!users.contains("customer-ada"))
            #expect(
                users.filter { $0 == "customer-bob" }.count == 6 && users.filter { $0 == "customer-eve" }.count == 4)
            for install in ["phone-1", "copy-1"] {
                let summary = try await summary(collector, install)
                #expect(summary.missing == [], "\(install)")
                #expect(!summary.ranges(.erased).isEmpty, "\(install)")
            }
            try await copy.close()
        }
    }

    @Test("without a network the erasure is pending, and the next start completes it")
    func pending() async throws {
        try await folder.serve { collector in
            let tracker = try await start(0, port: collector.port)
            send(tracker)
            await tracker.flush()
            proxy.mode.withLock { $0 = .fails }
            let result = try await tracker.erase(user: "customer-ada")
            guard case .pending(let reason)? = result.sinks["http"] else {
                Issue.record("\(result)")
                return
            }
            #expect(reason.contains("no network") && !result.isComplete)
            #expect(try logs[0].files(with: "customer-ada") == ["events.sqlite.erasures"])
            #expect(try await users(collector).contains("customer-ada"))
            try await tracker.close()
            proxy.mode.withLock { $0 = .passes }
            let next = try await start(0, port: collector.port)
            await next.flush()
            try expectNoTraces()
            #expect(try await users(collector) == ["customer-bob", "customer-bob"])
            #expect(try await summary(collector, "phone-1").missing == [])
            try await next.close()
        }
    }

    @Test("events before the sign-in are erased at the collector, too, and another install's events stay")
    func anonymous() async throws {
        try await folder.serve { collector in
            let other = try await start(1, port: collector.port, install: "other")
            send(other)
            await other.flush()
            let tracker = try await start(0, port: collector.port)
            tracker.send(.search(query: "anonymous", page: 1))
            tracker.identify("customer-ada")
            tracker.send(.search(query: "x", page: 1))
            await tracker.flush()
            #expect(try await tracker.erase(user: "customer-ada").isComplete)
            #expect(try await collector.lines("install=phone-1") == [])
            #expect(try await collector.lines("install=other-1").count == 4)
            for tracker in [tracker, other] { try await tracker.close() }
        }
    }
}
