import Foundation
import PowerCuts
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@Suite("Identity, session and opt-out")
struct IdentityTests {
    let dependencies = TestDependencies()
    private let device = "00000000-0000-4000-8000-000000000001"

    @Test("the device id is created once and survives restarts")
    func deviceID() throws {
        #expect(dependencies.start().device.store.state.deviceID == device)
        let second = dependencies.start()
        #expect(second.device.store.state.deviceID == device)
        second.tracking.send(.launch)
        #expect(try dependencies.strings("user_id") == [device])
    }

    @Test("an identified user survives a restart; a reset creates a new device id in the same install")
    func identify() throws {
        dependencies.start().tracking.identify("ada")
        let environment = dependencies.start()
        environment.tracking.send(.launch)
        environment.tracking.reset()
        environment.tracking.send(.launch)
        dependencies.start().tracking.send(.launch)
        let users = try dependencies.strings("user_id")
        #expect(users[0] == "ada")
        #expect(users[1] == users[2])
        #expect(![device, "ada"].contains(users[1]))
        #expect(environment.device.store.state.deviceID == users[1])
        #expect(try Set(dependencies.strings("install_id")) == ["install"])
        #expect(try dependencies.strings("session_id")[0] != dependencies.strings("session_id")[1])
    }

    @Test(
        "an invalid user id is rejected",
        arguments: ["", String(repeating: "x", count: 129), "a\u{0}b", "a\u{1B}b", "\n", "a\u{7F}", "a\u{85}b"])
    func invalidUser(id: String) throws {
        let environment = dependencies.start()
        #expect(!environment.tracking.identify(id))
        #expect(environment.tracking.as(user: id) == nil)
        environment.tracking.send(.launch)
        #expect(try dependencies.strings("user_id") == [device])
    }

    @Test("a pause of 30 minutes keeps the session, a longer pause ends it; a restart changes nothing")
    func session() throws {
        dependencies.start().tracking.send(.launch)
        dependencies.clock.advance(by: .seconds(30 * 60))
        let environment = dependencies.start()
        environment.tracking.send(.launch)
        dependencies.clock.advance(by: .seconds(30 * 60) + .microseconds(1))
        environment.tracking.send(.launch)
        dependencies.clock.advance(by: .seconds(30 * 60) + .microseconds(1))
        dependencies.start().tracking.send(.launch)
        let sessions = try dependencies.strings("session_id")
        #expect(sessions[0] == sessions[1])
        #expect(Set(sessions).count == 3)
    }

    @Test("a session ends 24 hours after its start, even between two events of the same second")
    func longestSession() throws {
        let environment = dependencies.start()
        environment.tracking.send(.launch)
        for _ in 1..<48 {
            dependencies.clock.advance(by: .seconds(30 * 60))
            environment.tracking.send(.launch)
        }
        dependencies.clock.advance(by: .seconds(30 * 60) - .microseconds(1))
        environment.tracking.send(.launch)
        #expect(try Set(dependencies.strings("session_id")).count == 1)
        dependencies.clock.advance(by: .microseconds(1))
        environment.tracking.send(.launch)
        environment.tracking.send(.launch)
        let sessions = try dependencies.strings("session_id")
        #expect(sessions[sessions.count - 3] == sessions[0])
        #expect(sessions[sessions.count - 2] != sessions[0])
        #expect(Set(sessions).count == 2)
    }

    @Test("a restart after a reset does not continue the former session")
    func restartAfterReset() throws {
        let environment = dependencies.start()
        environment.tracking.send(.launch)
        environment.tracking.reset()
        dependencies.start().tracking.send(.launch)
        #expect(try Set(dependencies.strings("session_id")).count == 2)
    }

    @Test("identifying the user keeps the session, even across a restart")
    func identifyKeepsSession() throws {
        let environment = dependencies.start()
        environment.tracking.send(.launch)
        environment.tracking.identify("ada")
        dependencies.start().tracking.send(.launch)
        dependencies.start().tracking.send(.launch)
        #expect(try dependencies.strings("user_id") == [device, "ada", "ada"])
        #expect(try Set(dependencies.strings("session_id")).count == 1)
    }

    @Test("an event is dropped if its user opts out during encoding")
    func optOutWhileEncoding() async throws {
        let environment = dependencies.start()
        let (beginnings, beginning) = AsyncStream.makeStream(of: Void.self)
        let (answers, answer) = AsyncStream.makeStream(of: TrackingReceipt?.self)
        let mayGoOn = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            answer.yield(
                environment.tracking.send(
                    Slow {
                        beginning.yield()
                        mayGoOn.wait()
                    }))
        }
        for await _ in beginnings { break }
        try await environment.tracking.setConsent(.denied)
        mayGoOn.signal()
        for await receipt in answers {
            #expect(receipt == nil)
            break
        }
        #expect(dependencies.lines() == [])
        #expect(
            try await dependencies.log.ledger() == [
                LedgerEntry(
                    reason: .optedOut, consumer: nil, count: 1, seqs: nil, times: dependencies.now...dependencies.now)
            ])
    }

    /// An event whose encoding waits for the test.
    private struct Slow: TrackingEvent {
        static let name = "slow"
        let encoding: @Sendable () -> Void

        func encode(to encoder: any Encoder) throws {
            encoding()
            var container = encoder.singleValueContainer()
            try container.encode(["done": true])
        }
    }

    @Test("setting the clock back does not end the session")
    func clockBack() throws {
        let environment = dependencies.start()
        environment.tracking.send(.launch)
        dependencies.clock.advance(by: .seconds(-7200))
        environment.tracking.send(.launch)
        dependencies.clock.advance(by: .seconds(7200))
        environment.tracking.send(.launch)
        #expect(try Set(dependencies.strings("session_id")).count == 1)
    }

    @Test("opting out drops new events, removes queued ones, and survives a restart")
    func optOut() async throws {
        let sink = RecordingSink("sink")
        var environment = dependencies.start(sinks: [sink])
        environment.tracking.send(.launch)
        await environment.tracking.flush()
        environment.tracking.send(.search(query: "queued", page: 1))
        try await environment.tracking.setConsent(.denied)
        #expect(environment.tracking.send(.launch) == nil)
        environment = dependencies.start(sinks: [sink])
        #expect(environment.tracking.consent.value == .denied)
        #expect(environment.tracking.send(.launch) == nil)
        await environment.tracking.flush()
        #expect(sink.delivered == [[1]])
        #expect(
            try await dependencies.log.ledger() == [
                LedgerEntry(
                    reason: .optedOut, consumer: nil, count: 3, seqs: 2...2, times: dependencies.now...dependencies.now)
            ])
        try await environment.tracking.setConsent(.granted)
        #expect(environment.tracking.send(.launch)?.seq == 3)
        await environment.tracking.flush()
        #expect(sink.delivered == [[1], [3]])
    }

    @Test("a user's opt-out removes no events of other users in the same log")
    func optOutOfOne() async throws {
        let sink = RecordingSink("sink")
        let environments = ["alice", "bob"].map { user in
            let environment = dependencies.start(sinks: [sink])
            environment.tracking.identify(user)
            return environment
        }
        for environment in environments { environment.tracking.send(.launch) }
        try await environments[0].tracking.setConsent(.denied)
        await environments[1].tracking.flush()
        #expect(sink.delivered == [[2]])
        #expect(
            try await dependencies.log.ledger() == [
                LedgerEntry(reason: .optedOut, consumer: nil, count: 1, seqs: 1...1)
            ])
    }

    @Test("event ids increase while the clock stops and when it goes back")
    func risingIDs() {
        let ids = RandomTrackingIDs()
        var last = ids.eventID(at: EventTime(seconds: 2000))
        for index in 0..<10_000 {
            let next = ids.eventID(at: EventTime(seconds: index < 5000 ? 2000 : 1000))
            #expect(next > last)
            #expect(next.high >> 12 & 0xF == 7)
            #expect(next.low >> 62 == 2)
            last = next
        }
        let later = ids.eventID(at: EventTime(seconds: 3000))
        #expect(later.high >> 16 == 3_000_000)
    }

    @Test("a key-value file survives its process")
    func fileStorage() throws {
        let folder = try SinkFolder()
        let path = folder.file("values.json")
        let storage = try FileKeyValueStorage(path: path)
        try storage.set("ada", forKey: "user_id")
        try storage.set("x", forKey: "gone")
        try storage.set(nil, forKey: "gone")
        let again = try FileKeyValueStorage(path: path)
        #expect(try again.string(forKey: "user_id") == "ada")
        #expect(try again.string(forKey: "gone") == nil)
    }

    @Test("after a power failure during a change, the key-value file has the old or the new values")
    func powerFailure() throws {
        let folder = try SinkFolder()
        let path = folder.file("values.json")
        try FileKeyValueStorage(path: path).set("ada", forKey: "user_id")
        let old = try folder.bytes("values.json")
        let disk = try RecordedDisk(folder.path)
        let storage = try FileKeyValueStorage(path: path, files: disk) { old }
        try storage.set("bob", forKey: "user_id")
        let new = try folder.bytes("values.json")
        #expect(try FileKeyValueStorage(path: path).string(forKey: "user_id") == "bob")
        #expect(disk.contents(of: path) == [old, new] && disk.contentsNow(of: path) == [new])
    }

    @Test("a file that can't be read yet is retried at each use, and never treated as empty")
    func lockedFile() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("locked-\(UUID().uuidString).json")
            .path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileKeyValueStorage(path: path).set("ada", forKey: "user_id")
        let isLocked = Locked(true)
        let storage = try FileKeyValueStorage(path: path) {
            if isLocked.withLock({ $0 }) { throw CocoaError(.fileReadNoPermission) }
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        #expect(throws: CocoaError.self) { try storage.string(forKey: "user_id") }
        #expect(throws: CocoaError.self) { try storage.set("bob", forKey: "device_id") }
        isLocked.withLock { $0 = false }
        #expect(try storage.string(forKey: "user_id") == "ada")
        try storage.set("device", forKey: "device_id")
        #expect(try FileKeyValueStorage(path: path).string(forKey: "user_id") == "ada")
    }
}
