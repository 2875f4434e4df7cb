import DeliveryProtocol
import EventLog
import EventModel
import Primitives
import Testing
import TrackingHTTP
import TrackingTesting

/// A server that fails in each way in turn, and an app that is restarted in between.
@Suite("Unreliable servers", .timeLimit(.minutes(10)))
struct UnreliableServerTests {
    /// A running collector that reports this in one of these ways.
    private static let replies: [CollectorDouble.Reply] = [
        .collect, .collectSilently, .status(503), .status(429, [("Retry-After", "3600")]), .status(404), .status(401),
        .status(415), .status(422), .status(502, [], Array("<html>".utf8)), .status(200, [], Array("<html>".utf8)),
        .status(307, [("Location", "/v1/events")]), .status(302, [("Location", "https://example.com/")]),
        .status(413, [("Retry-After", "10")]), .raw("HTTP/1.1 200 OK\r\nContent-Le"), .raw(""),
        .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"receipt\":"),
        .problem(DeliveryProblem(.tooLarge, "for a moment")),
    ]

    @Test("every event arrives unchanged, none is rejected, and none is stored under two numbers", arguments: 1...6)
    func nothingIsLost(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let phone = try Phone()
        let collector = try CollectorDouble()
        var app = try phone.start(collector.url)
        for _ in 1...12 {
            // A single oversized event is permanently rejected, which this test does not cover.
            app.send(20)
            collector.script((1...3).map { _ in Self.replies[Int(random.next() % UInt64(Self.replies.count))] })
            await app.flush()
            phone.clock.advance(by: .seconds(86_400))
            if random.next() % 3 == 0 { app = try phone.start(collector.url) }
        }
        collector.script([])
        for _ in 1...3 {
            await app.flush()
            phone.clock.advance(by: .seconds(86_400))
        }
        let records = try await app.log.read(after: 0, maximumCount: 1_000, maximumBytes: .max)
        #expect(records.map(\.seq) == Array(1...240))
        #expect(collector.lines(of: "install-1") == records.map(\.line))
        #expect(collector.installs == ["install-1"])
        #expect(try await app.acknowledged() == 240)
        #expect(try await app.deadLetters() == [])
        #expect(collector.errors == [])
        // Two batches never share an id.
        let batches = try collector.batches()
        for (_, same) in Dictionary(grouping: batches, by: \.header.id) {
            #expect(Set(same.map(\.lines)).count == 1 && Set(same.map(\.header.seqs)).count == 1)
        }
    }
}
