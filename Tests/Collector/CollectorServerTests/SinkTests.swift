import CollectorFixtures
import CollectorIntake
import CollectorServer
import DeliveryHTTP
import DeliveryProtocol
import EventLog
import EventModel
import Foundation
import JSONLines
import LogFixtures
import LogReplay
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingHTTP
import TrackingTesting

private enum Screen: RouteCommand { case home }

/// An app with its log, whose sink delivers to a collector.
private final class App: Sendable {
    let log: SQLiteEventStore
    let environment: TrackingEnvironment<Screen>
    let clock = ManualTrackingClock(EventTime(seconds: 1_700_000_000))

    /// - Parameter install: The prefix of its install ids.
    init(_ folder: LogFolder, install: String, port: Int, key: String, ids: any TrackingIDs) throws {
        let installs = Locked(0)
        log = try SQLiteEventStore(
            path: folder.path,
            options: .init(
                installID: {
                    installs.withLock { count in
                        count += 1
                        return "\(install)-\(count)"
                    }
                }, retention: .keepAll))
        let sink = try HTTPSink(
            DeliveryEndpoint("http://127.0.0.1:\(port)/v1/events"), WriteKey(key), name: "http",
            options: .init(timeout: .seconds(300)), clock: clock, memory: CompressionMemory(),
            jitter: { _ in .zero })
        environment = try .live(
            log: log, storage: InMemoryKeyValueStorage(), clock: clock, timer: ContinuousClock(), ids: ids,
            sinks: [sink],
            flushPolicy: .manual, sendingLimit: nil, consent: .assumed, context: nil, diagnostics: { _ in })
    }

    func send(_ count: Int, _ text: String = "swift") {
        for page in 1...count { environment.tracking.send(.search(query: text, page: page)) }
    }

    func flush() async { await environment.tracking.flush() }

    /// The log's lines, in the order in which they were sent.
    func lines() async throws -> [String] {
        try await log.read(after: 0, maximumCount: 100_000, maximumBytes: .max).map {
            String(decoding: $0.line, as: UTF8.self)
        }
    }
}

@Suite("The SDK's sink and the collector", .timeLimit(.minutes(10)))
struct SinkTests {
    private let folder: CollectorFolder
    private let logs: [LogFolder]

    init() throws {
        folder = try CollectorFolder()
        logs = try (0..<2).map { _ in try LogFolder() }
    }

    private func app(_ log: Int, _ collector: ServedCollector, install: String = "phone") throws -> App {
        try App(logs[log], install: install, port: collector.port, key: folder.writeKey, ids: RandomTrackingIDs())
    }

    @Test(
        "Every sent event is stored byte for byte and marked as delivered, even with a restart"
    )
    func endToEnd() async throws {
        let collected = try await folder.serve { collector in
            let app = try app(0, collector)
            // Enough events for two batches, with lines of all lengths.
            app.send(3000)
            for length in [2, 1000, 20_000] { app.send(3, String(repeating: "é", count: length / 2)) }
            await app.flush()
            #expect(try await app.log.cursor(of: "http").acknowledged == 3009)
            return try await collector.lines()
        }
        let sent = try await folder.serve { collector in
            let app = try app(0, collector)
            app.send(5)
            await app.flush()
            let install = try await collector.get("/v1/installs/phone-1").json
            #expect(try InstallSummary(#require(install)).ranges(.stored) == [1...3014])
            let sent = try await app.lines()
            #expect(try await collector.lines() == sent)
            #expect(try await app.log.deadLetters() == [])
            return sent
        }
        #expect(collected.count == 3009 && Array(sent[..<3009]) == collected)
    }

    @Test(
        "An event rejected by the schemas becomes a dead letter and can be resent; other events are delivered"
    )
    func rejected() async throws {
        try await folder.serve({ $0.unknownSchemas = .refuse }) { collector in
            let app = try app(0, collector)
            app.send(2)
            app.environment.tracking.send(Unknown())
            app.send(2)
            await app.flush()
            #expect(try await app.log.cursor(of: "http").acknowledged == 5)
            #expect(try await app.log.deadLetters().map(\.seq) == [3])
            #expect(try await collector.lines().count == 4)
            let install = try await collector.get("/v1/installs/phone-1").json
            #expect(try InstallSummary(#require(install)).ranges(.refused) == [3...3])
        }
        // Like `trackctl replay --dlq`, when the collector has the schema.
        try await folder.serve { collector in
            let reader = try EventLogReader(path: logs[0].path)
            let letter = try #require(try reader.deadLetters().first)
            let container = try RecordedContainer(line: letter.line)
            let record = EventRecord(
                seq: letter.seq, id: container.id, time: container.time, name: container.name, line: letter.line)
            let batch = ReplayBatch(
                [RecordedEvent(record: record, installID: letter.installID) { _, _ in [] }], first: 0)
            var options = HTTPRequestOptions(
                url: try #require(URL(string: "http://127.0.0.1:\(collector.port)/v1/events")))
            options.key = try WriteKey(folder.writeKey)
            let sink = try CollectorSink(options, logs: try SealedLog.all(reader))
            for _ in 1...2 {
                guard case .delivered = try await sink.deliver(batch) else {
                    Issue.record("the dead letter is not delivered")
                    return
                }
            }
            let summary = try InstallSummary(#require(try await collector.get("/v1/installs/phone-1").json))
            #expect(summary.ranges(.stored) == [1...5] && summary.ranges(.refused) == [])
            #expect(try await collector.lines().count == 5)
        }
    }

    @Test(
        "A log with 5,000 alternately held events is delivered, also if a batch header has more ranges than the collector's limit",
        arguments: [IntakeLimits().maximumMissing, 100])
    func alternatelyHeld(ranges: Int) async throws {
        var limits = IntakeLimits()
        limits.maximumMissing = ranges
        try await folder.serve({ [limits] in $0.limits = limits }) { collector in
            let log = try logs[0].open()
            let sink = try HTTPSink(
                url: "http://127.0.0.1:\(collector.port)/v1/events", key: folder.writeKey,
                options: .init(timeout: .seconds(300)))
            try await log.storeConsent(log.requireConsent(of: "eve"))
            let install = SendingInstall("install-1") { $0 % 2 == 0 ? "eve" : "ada" }
            for number in 1...5000 {
                let appended = log.append { seq in
                    let record = EventRecord.numbered(seq)
                    return EventRecord(
                        seq: seq, id: record.id, time: record.time, name: record.name,
                        line: Array(install.line(seq).utf8))
                }
                #expect(try appended.get().seq == Int64(number))
                // On a slow machine the journal would become full.
                if number.isMultiple(of: 500) { _ = try await log.syncStored() }
            }
            let end = try await log.syncStored()
            func deliver() async throws {
                let lease = try #require(
                    try await log.beginDelivery(to: "http", lasting: .seconds(600), at: EventTime(seconds: 1)))
                while let batch = try await log.nextBatch(lease, through: end, lasting: .seconds(600)) {
                    var result = await sink.deliver(batch)
                    // On a slow machine a request can exceed a time limit.
                    for _ in 0..<5 {
                        guard case .retry = result else { break }
                        result = await sink.deliver(batch)
                    }
                    if case .retry(_, let reason) = result { Issue.record("\(reason)") }
                    _ = try await log.settle(lease, batch: batch.id, result, pause: nil)
                }
            }
            try await deliver()
            #expect(try await collector.lines().count == 2500)
            try await log.setConsent(.granted, of: ["eve"])
            try await deliver()
            let summary = try InstallSummary(#require(try await collector.get("/v1/installs/install-1").json))
            #expect(summary.ranges(.stored) == [1...5000])
            #expect(try await log.deadLetters() == [])
        }
    }

    @Test("With two copies of a phone, the second becomes a new install, and its events are stored once")
    func fork() async throws {
        try await folder.serve { collector in
            let first = try app(0, collector)
            first.send(4)
            await first.flush()
            try await first.log.close()
            // The backup is restored on another phone.
            try FileManager.default.removeItem(at: logs[1].url)
            try FileManager.default.copyItem(at: logs[0].url, to: logs[1].url)
            let (one, other) = (try app(0, collector), try app(1, collector, install: "copy"))
            one.send(2, "one")
            await one.flush()
            other.send(3, "other")
            await other.flush()
            await other.flush()
            let stored = try await collector.lines()
            let queries = try stored.map { line in
                try JSONParser.parse(Array(line.utf8))["event"]?["value"]?["query"]?.stringValue
            }
            #expect(queries.filter { $0 == "swift" }.count == 4)
            #expect(queries.filter { $0 == "one" }.count == 2)
            #expect(queries.filter { $0 == "other" }.count == 3)
            // The first install's lines are the bytes of its phone's log.
            let (original, copy) = (
                try await collector.lines("install=phone-1"), try await collector.lines("install=copy-1")
            )
            #expect(try await original == one.lines() && original.count == 6)
            // The other phone's own events have the new install id and numbers, and record the old ones.
            let renamed = try await other.lines().suffix(3).enumerated().map { index, line in
                let former = #""install_id":"phone-1","seq":\#(index + 5)"#
                try #require(line.contains(former))
                return line.replacing(former, with: #""install_id":"copy-1","seq":\#(index + 1)"#)
                    .replacing(#""event":{"name""#, with: #""origin":{\#(former)},"event":{"name""#)
            }
            #expect(copy == renamed)
            #expect(stored.count == 9 && Set(stored) == Set(original + copy))
        }
    }

    @Test("If another phone has the install id, this phone becomes a new install without losses")
    func installTaken() async throws {
        try await folder.serve { collector in
            let thief = SendingInstall("phone-1", secret: String(repeating: "0f", count: 16))
            _ = try await collector.post(thief.body(1, 1...2)).receipt()
            let app = try app(0, collector)
            app.send(3)
            await app.flush()
            await app.flush()
            #expect(try await collector.lines("install=phone-1").count == 2)
            #expect(try await collector.lines("install=phone-2").count == 3)
        }
    }

    @Test("After an outage, the collector gets all events")
    func outage() async throws {
        let log = try LogFolder()
        let port = try await folder.serve { collector in
            let app = try App(
                log, install: "phone", port: collector.port, key: folder.writeKey, ids: RandomTrackingIDs())
            app.send(10)
            await app.flush()
            try await app.log.close()
            return collector.port
        }
        let away = try App(log, install: "phone", port: port, key: folder.writeKey, ids: RandomTrackingIDs())
        away.send(10)
        await away.flush()
        #expect(try await away.log.cursor(of: "http").acknowledged == 10)
        try await away.log.close()
        try await folder.serve({ $0.port = port }) { collector in
            let app = try App(log, install: "phone", port: port, key: folder.writeKey, ids: RandomTrackingIDs())
            app.clock.advance(by: .seconds(86_400))
            await app.flush()
            #expect(try await collector.lines() == (try await app.lines()))
            #expect(try await app.log.cursor(of: "http").acknowledged == 20)
        }
    }
}

/// An event without a standard schema.
private struct Unknown: TrackingEvent {
    static let name = "unknown-here"
    var size = 1
}
