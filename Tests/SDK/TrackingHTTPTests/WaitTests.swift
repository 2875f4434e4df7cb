import DeliveryHTTP
import DeliveryProtocol
import EventModel
import Primitives
import Testing
import TrackingHTTP
import TrackingTesting

/// `Retry-After`, and the dates in it.
@Suite("Waits", .timeLimit(.minutes(10)))
struct WaitTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT
    private static let example = EventTime(seconds: 784_111_777)

    @Test(
        "all three forms of a date are parsed",
        arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
    func dates(text: String) {
        #expect(HTTPDate.time(text, now: EventTime(seconds: 1_700_000_000)) == Self.example)
    }

    @Test(
        "days are counted correctly",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Fri, 31 Dec 2100 23:59:59 GMT", 4_133_980_799),
            ("Saturday, 01-Jan-00 00:00:00 GMT", 946_684_800),
        ])
    func days(text: String, seconds: Int64) {
        #expect(HTTPDate.time(text, now: EventTime(seconds: 1_700_000_000)) == EventTime(seconds: seconds))
    }

    @Test("a year with two digits is at most 50 years ahead")
    func century() {
        let now = EventTime(seconds: 1_700_000_000)
        #expect(HTTPDate.time("Sunday, 06-Nov-74 08:49:37 GMT", now: now) == EventTime(seconds: 152_959_777))
        #expect(HTTPDate.time("Sunday, 06-Nov-73 08:49:37 GMT", now: now) == EventTime(seconds: 3_277_183_777))
    }

    @Test(
        "invalid dates are rejected",
        arguments: [
            "", "soon", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "-5",
            "Sun, 06 Noo 1994 08:49:37 GMT", "1e3",
        ])
    func noDate(text: String) { #expect(HTTPDate.time(text, now: Self.example) == nil) }

    @Test(
        "a wait is in seconds or until a date, positive, and at most a day",
        arguments: [
            (["Retry-After": "120"], 120), (["retry-after": "1"], 1), (["Retry-After": "0"], nil),
            (["Retry-After": "-5"], nil), (["Retry-After": "later"], nil), ([:], nil),
            (["Retry-After": "99999999"], 86_400), (["Retry-After": "99999999999999999999999999"], 86_400),
            (["Retry-After": "Sun, 06 Nov 1994 08:50:37 GMT"], 60),
            (["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
            (["Retry-After": "Sun, 06 Nov 2094 08:49:37 GMT"], 900),
            (["Retry-After": "Sun, 06 Nov 2094 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 07:49:37 GMT"], 86_400),
            // The server's clock is an hour behind the device's.
            (["Retry-After": "Sun, 06 Nov 1994 07:49:47 GMT", "Date": "Sun, 06 Nov 1994 07:49:37 GMT"], 10),
        ] as [([String: String], Int?)])
    func waits(fields: [String: String], seconds: Int?) {
        let response = DeliveryResponse(status: 503, fields: fields.map { DeliveryField($0.key, $0.value) })
        #expect(RetryAfter.wait(response, at: Self.reading(0)) == seconds.map { .seconds($0) })
    }

    private static func reading(_ passed: Int64) -> ClockReading {
        ClockReading(time: example, sinceBoot: BootTime(boot: "test", microseconds: passed * 1_000_000))
    }

    @Test(
        "without a Date, the last one of the server counts, whatever the device's clock shows; without any, 15 minutes do"
    )
    func dateOfServer() async throws {
        let dated = DeliveryResponse(status: 503, fields: [DeliveryField("Date", "Tue, 08 Nov 1994 08:49:00 GMT")])
        let asking = DeliveryResponse(
            status: 503, fields: [DeliveryField("Retry-After", "Tue, 08 Nov 1994 08:51:00 GMT")])
        let passed = Locked<Int64>(0)
        let transport = TransportDouble([.success(dated), .success(asking), .success(asking)])
        let client = {
            DeliveryClient(
                try DeliveryEndpoint("https://example.com/v1/events"), key: nil, transport: transport,
                timeout: .seconds(1), clock: { Self.reading(passed.withLock { $0 }) })
        }
        let known = try client()
        let content = DeliveryClient.Content(id: "1", lines: [], attempt: nil)
        #expect(try await known.post(content).wait == nil)
        passed.withLock { $0 = 20 }
        #expect(try await known.post(content).wait == .seconds(100))
        // The device is two days behind.
        #expect(try await client().post(content).wait == .seconds(900))
    }

    @Test(
        "nothing is sent before the server's wait ends, even manually or after a restart; then the same batch is sent")
    func retryAfter() async throws {
        let phone = try Phone()
        let collector = try CollectorDouble([.status(429, [("Retry-After", "100")])])
        var app = try phone.start(collector.url)
        app.send(1)
        await app.flush()
        phone.clock.advance(by: .seconds(99))
        await app.flush()
        app = try phone.start(collector.url)
        await app.flush()
        #expect(collector.requests.count == 1)
        phone.clock.advance(by: .seconds(1))
        await app.flush()
        #expect(collector.requests.count == 2)
        #expect(try await app.acknowledged() == 1)
    }

    @Test("a problem's retry_after applies if the header has none")
    func problemsWait() async throws {
        let phone = try Phone()
        let collector = try CollectorDouble([.problem(DeliveryProblem(.overQuota, "slower", retryAfter: 60))])
        let app = try phone.start(collector.url)
        app.send(1)
        await app.flush()
        phone.clock.advance(by: .seconds(59))
        await app.flush()
        #expect(collector.requests.count == 1)
        phone.clock.advance(by: .seconds(1))
        await app.flush()
        #expect(try await app.acknowledged() == 1)
    }

    @Test("a wait of zero leaves the log's back-off, which a manual flush overrides")
    func zero() async throws {
        let phone = try Phone()
        let collector = try CollectorDouble([.status(503, [("Retry-After", "0")])])
        let app = try phone.start(collector.url)
        app.send(1)
        await app.flush()
        #expect(collector.requests.count == 1)
        await app.flush()
        #expect(try await app.acknowledged() == 1)
    }

    @Test("up to a tenth is added to a server's wait, or up to a second if that is longer")
    func spread() async throws {
        let phone = try Phone()
        let collector = try CollectorDouble([
            .status(503, [("Retry-After", "100")]), .status(503, [("Retry-After", "2")]),
        ])
        let app = try phone.start(collector.url)
        app.send(1)
        let sink = try HTTPSink(
            DeliveryEndpoint(collector.url), WriteKey(Phone.key), name: "http", options: .standard,
            clock: phone.clock, memory: CompressionMemory(), jitter: { $0 })
        let records = try await app.log.read(after: 0, maximumCount: 1, maximumBytes: .max)
        var waits: [Duration?] = []
        for _ in 1...2 {
            guard case .retry(let wait, _) = await sink.deliver(EventBatch(records: records, checkpoint: nil)) else {
                return #expect(Bool(false), "the server asked to wait")
            }
            waits.append(wait)
        }
        #expect(waits == [.seconds(110), .seconds(3)])
    }
}
