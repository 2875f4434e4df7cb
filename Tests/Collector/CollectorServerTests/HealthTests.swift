import CollectorFixtures
import CollectorServer
import CollectorStore
import CoreMetrics
import DeliveryProtocol
import Foundation
import JSONLines
import Primitives
import Testing

@Suite("Readiness and metrics", .timeLimit(.minutes(10)))
struct HealthTests {
    private let folder: CollectorFolder

    init() throws { folder = try CollectorFolder() }

    @Test("readyz is 200 with the free bytes and the last commit")
    func ready() async throws {
        let clock = TestClock()
        try await folder.serve({ $0.now = { clock.now } }) { collector in
            let idle = try await collector.call("GET", "/readyz", key: nil)
            #expect(idle.status == 200 && idle.json?["ready"] == .bool(true))
            #expect(idle.json?["free_bytes"]?.integerValue ?? 0 > 0 && idle.json?["last_commit"] == nil)
            _ = try await collector.post(SendingInstall("install-a").body(1, 1...1)).receipt()
            clock.advance(by: .seconds(60))
            let after = try await collector.call("GET", "/readyz", key: nil)
            #expect(after.json?["last_commit"]?.integerValue == 1_800_000_000)
        }
    }

    @Test("readyz fails while batches have waited for over 5 s and the writer thread finishes nothing")
    func stuckWriter() async throws {
        let files = HeldFiles()
        let uptime = Locked(ContinuousClock.now)
        try await folder.serve({
            $0.store.files = files
            $0.store.uptime = { uptime.withLock { $0 } }
        }) { collector in
            func readiness() async throws -> RawResponse { try await collector.call("GET", "/readyz", key: nil) }
            uptime.withLock { $0 += .seconds(60) }
            #expect(try await readiness().status == 200)
            files.hold()
            let waiting = Task { try await collector.post(SendingInstall("install-a").body(1, 1...1)) }
            #expect(try await eventually { files.isReached })
            #expect(try await readiness().status == 200)
            uptime.withLock { $0 += .seconds(6) }
            let stuck = try await readiness()
            #expect(stuck.status == 503 && stuck.json?["reason"]?.stringValue?.contains("waited for over 6 s") == true)
            files.release()
            #expect(try await waiting.value.receipt().stored == [1...1])
            #expect(try await eventually { try await readiness().status == 200 })
        }
    }

    @Test("openapi.json and the guide state the limits as they are")
    func documentedLimits() async throws {
        let document = try await folder.serve { try await $0.get("/openapi.json").json }
        let listed = JSONValue.array(
            Limit.all.map {
                ["subject": .string($0.subject), "limit": .string($0.value), "exceeded": .string($0.consequence)]
            })
        #expect(document?["info"]?["x-limits"] == listed)
        let values = Limit.all.map(\.value).joined(separator: "\n")
        for part in [
            "900,000 bytes", "64 KiB, 1,000 ranges in `missing`", "9,007,194,959,773,696", "10 s (`--header-timeout`)",
        ] {
            #expect(values.contains(part), "\(part)")
        }
    }

    @Test("With too little free space, readyz and batches get 503 with Retry-After; nothing is stored")
    func space() async throws {
        try await folder.serve({ $0.minimumFreeBytes = .max }) { collector in
            let answer = try await collector.call("GET", "/readyz", key: nil)
            #expect(answer.status == 503 && answer.json?["ready"] == .bool(false))
            #expect(answer.json?["reason"]?.stringValue?.contains("bytes are free") == true)
            #expect(answer["Retry-After"].flatMap { Int($0) } ?? 0 > 0)
            let problem = try await collector.post(SendingInstall("install-a").body(1, 1...1)).problem()
            #expect(problem.code == .unavailable && problem.retryAfter ?? 0 >= 30)
            #expect(try await collector.get("/healthz").status == 200)
            #expect(try await collector.lines() == [])
        }
    }

    @Test("Above --max-bytes, readyz and batches get 503 with the limit, and nothing is removed")
    func maximumBytes() async throws {
        let body = SendingInstall("install-a").body(1, 1...3)
        try await folder.serve { collector in _ = try await collector.post(body).receipt() }
        try await folder.serve({ $0.maximumStoredBytes = 10_000 }) { collector in
            #expect(try await eventually { try await collector.call("GET", "/readyz", key: nil).status == 503 })
            let ready = try await collector.call("GET", "/readyz", key: nil)
            #expect(ready.json?["reason"]?.stringValue?.contains("--max-bytes, 10000 bytes; raise it") == true)
            let problem = try await collector.post(SendingInstall("install-a").body(2, 4...4)).problem()
            #expect(problem.code == .unavailable && problem.detail.contains("--max-bytes, 10000 bytes"))
            #expect(try await collector.lines().count == 3)
            let metrics = try await Metrics(collector.get("/metrics").text).values
            #expect(metrics["collector_stored_bytes"] ?? 0 > 10_000)
            #expect(metrics["collector_maximum_stored_bytes"] == 10_000)
        }
        try await folder.serve({ $0.maximumStoredBytes = 1 << 40 }) { collector in
            let stored = try await collector.post(SendingInstall("install-a").body(2, 4...4)).receipt().stored
            #expect(stored == [4...4])
        }
    }

    @Test("After SIGTERM, readyz and further batches get 503")
    func draining() async throws {
        let sender = SendingInstall("install-a")
        let body = sender.body(1, 1...3)
        let collector = try await ServedCollector.start(folder) { $0.drainTimeout = .seconds(300) }
        let half = try collector.connect()
        func expectInFlight(_ count: Int) async throws {
            #expect(
                try await eventually {
                    try await collector.get("/metrics").lines.contains("collector_requests_in_flight \(count)")
                })
        }
        await half.send(RawRequest.events(key: folder.writeKey, [("Content-Length", "\(body.count)")]))
        try await expectInFlight(1)
        // Requests that began before are answered, also by a collector that goes away.
        let late = try collector.connect()
        await late.send(
            RawRequest.events(
                key: folder.writeKey, [("Content-Length", "\(body.count)"), ("Expect", "100-continue")]))
        #expect(await late.response()?.status == 100)
        // The connection asks for the body before the request begins.
        try await expectInFlight(2)
        await collector.beginStop()
        await half.send(body)
        #expect(try #require(await half.response()).receipt().stored == [1...3])
        #expect(await half.endsSilently())
        await late.send(sender.body(1, 1...3))
        #expect(try #require(await late.response()).receipt().stored == [1...3])
        try await collector.stop()
        #expect(try await folder.storedLines()["install-a"]?.count == 3)
    }

    @Test("Metrics are valid Prometheus text with consistent histograms and correct counts")
    func metrics() async throws {
        try await folder.serve { collector in
            let sender = SendingInstall("install-a")
            let bad = sender.line(5).replacing(#""page":1"#, with: #""page":0"#)
            _ = try await collector.post(
                SendingInstall.body([sender.header(1, 1...5)] + (1...4).map { sender.line($0) } + [bad])
            ).receipt()
            _ = try await collector.post(sender.body(2, 1...4)).receipt()
            _ = try await collector.post(sender.body(2, 1...4)).receipt()
            _ = try await collector.post([]).problem()
            let answer = try await collector.call("GET", "/metrics", key: nil)
            #expect(answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            let metrics = try Metrics(answer.text)
            #expect(metrics.values[#"collector_events_total{verdict="stored",app="shop"}"#] == 4)
            #expect(metrics.values[#"collector_events_total{verdict="duplicate",app="shop"}"#] == 4)
            #expect(metrics.values[#"collector_events_total{verdict="rejected",app="shop"}"#] == 1)
            #expect(metrics.values[#"collector_requests_total{route="events",status="200"}"#] == 3)
            #expect(metrics.values[#"collector_requests_total{route="events",status="400"}"#] == 1)
            #expect(metrics.values[#"collector_request_seconds_count{route="events"}"#] == 4)
            #expect(metrics.values[#"collector_request_seconds_bucket{route="events",le="+Inf"}"#] == 4)
            let buckets = metrics.order.filter { $0.hasPrefix("collector_request_seconds_bucket") }
                .compactMap { metrics.values[$0] }
            #expect(buckets == buckets.sorted() && buckets.count == 14)
            #expect(metrics.types["collector_request_seconds"] == "histogram")
            #expect(metrics.types["collector_events_total"] == "counter")
            #expect(metrics.types["collector_requests_in_flight"] == "gauge")
        }
    }

    @Test("Labels are bounded, and contain no paths, installs or keys")
    func labels() async throws {
        try await folder.serve { collector in
            let connection = try collector.connect()
            for number in 0..<300 {
                let path = number % 2 == 0 ? "/v1/installs/secret-\(number)" : "/secret-\(number)"
                await connection.send(
                    RawRequest.head("GET", path, [("Authorization", "Bearer \(folder.adminToken)")]))
                #expect(await connection.response()?.status == 404)
            }
            let text = try await collector.get("/metrics").text
            #expect(!text.contains("secret"))
            #expect(try Metrics(text).order.filter { $0.hasPrefix("collector_requests_total") }.count < 10)
            let registry = MetricRegistry()
            for number in 0..<1000 {
                registry.makeCounter(label: "c", dimensions: [("a", "\(number)")]).increment(by: 1)
            }
            let metrics = try Metrics(registry.rendered())
            #expect(metrics.order.count == MetricRegistry.maximumSeries + 1)
            #expect(metrics.values[#"c{a="other"}"#] == 900)
        }
    }

    @Test("A label's value is escaped")
    func escapes() throws {
        let registry = MetricRegistry()
        registry.makeCounter(label: "c", dimensions: [("app", "a\"b\\c\nd")]).increment(by: 2)
        #expect(registry.rendered() == "# TYPE c counter\nc{app=\"a\\\"b\\\\c\\nd\"} 2\n")
    }
}

/// The system's files, whose next sync a test holds.
private final class HeldFiles: StoreFiles {
    private let system = SystemFiles()
    private let state = Locked<(isHeld: Bool, isReached: Bool)>((false, false))
    private let goOn = DispatchSemaphore(value: 0)

    var isReached: Bool { state.withLock { $0.isReached } }

    func hold() { state.withLock { $0.isHeld = true } }

    func release() { goOn.signal() }

    func create(_ path: String) throws -> CInt { try system.create(path) }

    func openForReading(_ path: String) throws -> CInt { try system.openForReading(path) }

    func read(_ descriptor: CInt, _ memory: UnsafeMutableRawBufferPointer, at offset: Int64, path: String) throws
        -> Int
    {
        try system.read(descriptor, memory, at: offset, path: path)
    }

    func sync(_ descriptor: CInt, path: String) throws {
        let isHeld = state.withLock { state in
            defer { state = (false, state.isReached || state.isHeld) }
            return state.isHeld
        }
        if isHeld { goOn.wait() }
        try system.sync(descriptor, path: path)
    }
}

/// Parses the Prometheus text format according to its documentation.
struct Metrics {
    struct Unreadable: Error { let line: String }

    /// By name and labels.
    private(set) var values: [String: Double] = [:]
    private(set) var order: [String] = []
    private(set) var types: [String: String] = [:]

    init(_ text: String) throws {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let line = String(line)
            if line.hasPrefix("# TYPE ") {
                let words = line.split(separator: " ")
                guard words.count == 4, types[String(words[2])] == nil else { throw Unreadable(line: line) }
                types[String(words[2])] = String(words[3])
                continue
            }
            let sample = /([a-zA-Z_:][a-zA-Z0-9_:]*)(\{([a-z]+="(\\.|[^"\\])*",?)*\})? (-?[0-9.e+-]+)/
            guard let match = try sample.wholeMatch(in: line), let value = Double(match.5) else {
                throw Unreadable(line: line)
            }
            let name = String(match.1) + String(match.2 ?? "")
            guard values.updateValue(value, forKey: name) == nil else { throw Unreadable(line: line) }
            order.append(name)
        }
        guard text.hasSuffix("\n") else { throw Unreadable(line: "no line feed at the end") }
    }
}
