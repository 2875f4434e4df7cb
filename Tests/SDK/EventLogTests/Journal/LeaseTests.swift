import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// Which of several instances delivers to a consumer.
@Suite("A consumer's holder")
struct LeaseTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    @Test("one instance at a time has a consumer, and may ask again; others get it when it is given back")
    func oneAtATime() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        #expect(try await first.beginDelivery(to: "a") == ConsumerCursor(consumer: "a"))
        #expect(try await first.beginDelivery(to: "a") != nil)
        #expect(try await second.beginDelivery(to: "a") == nil)
        #expect(try await second.beginDelivery(to: "b") != nil)
        try await second.endDelivery(to: "a")  // it is not its to give
        #expect(try await second.beginDelivery(to: "a") == nil)
        try await first.endDelivery(to: "a")
        #expect(try await second.beginDelivery(to: "a") != nil)
        #expect(try await first.beginDelivery(to: "a") == nil)
    }

    @Test("closing gives everything back")
    func close() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        #expect(try await first.beginDelivery(to: "a") != nil)
        try await first.close()
        #expect(try await second.beginDelivery(to: "a") != nil)
    }

    @Test("a holder that has died loses its consumers")
    func deadHolder() async throws {
        let store = try folder.open()
        let dead = try LoneWriter(folder)
        _ = try await store.cursor(of: "a")
        try await DatabaseQueue(path: folder.path).write { db in
            try db.execute(sql: "UPDATE consumers SET holder = ?", arguments: [dead.ring.name])
        }
        #expect(try await store.beginDelivery(to: "a") != nil)
    }

    @Test("a living holder in another process keeps them")
    func livingHolder() async throws {
        let store = try folder.open()
        let other = try LoneWriter(folder, process: .current)
        _ = try await store.cursor(of: "a")
        try await DatabaseQueue(path: folder.path).write { db in
            try db.execute(sql: "UPDATE consumers SET holder = ?", arguments: [other.ring.name])
        }
        #expect(try await store.beginDelivery(to: "a") == nil)
        other.ring.markGone()
        #expect(try await store.beginDelivery(to: "a") != nil)
    }
}
