import EventModel
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// Which of several instances delivers to a consumer.
@Suite("Leases of consumers")
struct LeaseTests {
    let folder: LogFolder

    private static let holding = "UPDATE consumers SET holder = ?, state = json_set(state, '$.lease', json(?))"
    private static var longLease: String {
        #"{"boot":"\#(BootTime.currentBoot)","until":\#(JournalRing.secondsOfBoot() + 90)}"#
    }

    init() throws { folder = try LogFolder() }

    @Test("one instance at a time leases a consumer, and may renew; others get it after its release")
    func oneAtATime() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        let former = try #require(try await first.take("a"))
        #expect(former.cursor == ConsumerCursor(consumer: "a"))
        let lease = try #require(try await first.take("a"))
        #expect(try await second.take("a") == nil)
        #expect(try await second.take("b") != nil)
        try await first.endDelivery(former)  // Its lease ended with the second call.
        #expect(try await second.take("a") == nil)
        try await first.endDelivery(lease)
        #expect(try await second.take("a") != nil)
        #expect(try await first.take("a") == nil)
    }

    @Test("answers under an expired lease change nothing")
    func expiry() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        for _ in 1...3 { _ = first.append { .numbered($0) } }
        let late = try #require(try await first.take("a", lasting: .zero))
        let batch = try #require(try await first.nextBatch(late, through: 3, lasting: .zero))
        let lease = try #require(try await second.take("a"))
        #expect(lease.token > late.token)
        let again = try #require(try await second.nextBatch(lease, through: 3, lasting: .seconds(90)))
        #expect(again.id == batch.id && again.records == batch.records && again.attempt == 2)
        let answer = DeliveryResult.delivered(through: 3, checkpoint: "late")
        #expect(try await first.settle(late, batch: batch.id, answer, pause: nil) == nil)
        #expect(try await first.nextBatch(late, through: 3, lasting: .zero) == nil)
        #expect(try await first.cursor(of: "a") == ConsumerCursor(consumer: "a"))
        #expect(
            try await second.settle(lease, batch: again.id, .delivered(through: 3, checkpoint: "x"), pause: nil)?.cursor
                == ConsumerCursor(consumer: "a", acknowledged: 3, checkpoint: "x"))
    }

    @Test("closing releases all leases")
    func close() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        #expect(try await first.take("a") != nil)
        try await first.close()
        #expect(try await second.take("a") != nil)
    }

    @Test("a dead holder loses its leases")
    func deadHolder() async throws {
        let store = try folder.open()
        let dead = try LoneWriter(folder)
        _ = try await store.cursor(of: "a")
        try await DatabaseQueue(path: folder.path).write { db in
            try db.execute(sql: Self.holding, arguments: [dead.ring.name, Self.longLease])
        }
        #expect(try await store.take("a") != nil)
    }

    @Test("a living holder in another process keeps its leases")
    func livingHolder() async throws {
        let store = try folder.open()
        let other = try LoneWriter(folder, isAlive: true)
        _ = try await store.cursor(of: "a")
        try await DatabaseQueue(path: folder.path).write { db in
            try db.execute(sql: Self.holding, arguments: [other.ring.name, Self.longLease])
        }
        #expect(try await store.take("a") == nil)
        other.ring.markGone()
        #expect(try await store.take("a") != nil)
    }
}

extension SQLiteEventStore {
    fileprivate func take(_ consumer: String, lasting: Duration = .seconds(90)) async throws -> DeliveryLease? {
        try await beginDelivery(to: consumer, lasting: lasting, at: EventTime(seconds: 1))
    }
}
