import Foundation
import LogFixtures
import Primitives
import Testing

@testable import EventLog

@Suite("The identity in the control file")
struct IdentityRingTests {
    let folder: LogFolder
    let memory = SharedMemory(IdentityRing.size)
    var ring: IdentityRing { IdentityRing(memory.bytes) }

    init() throws { folder = try LogFolder() }

    @Test("keeps every id, and numbers the identities")
    func values() {
        #expect(ring.newest == nil && !ring.isUnstored)
        let identities = [
            LogIdentity(deviceID: "device"), LogIdentity(deviceID: "", userID: ""),
            LogIdentity(deviceID: "device", userID: String(repeating: "🧑‍💻", count: 80), endedSession: "session"),
            LogIdentity(deviceID: "device", userID: String(repeating: "\u{1F600}", count: 255), endedSession: "s"),
            LogIdentity(deviceID: "d\0\n", endedSession: ""),
        ]
        for (number, identity) in identities.enumerated() {
            var expected = identity
            expected.number = Int64(number + 1)
            #expect(ring.set(identity) == expected && ring.newest == expected)
        }
        #expect(ring.set(identities[0], atLeast: 100).number == 100)
        #expect(ring.isUnstored)
        ring.stored.raise(to: 100)
        #expect(!ring.isUnstored)
    }

    @Test("after any changed bit in the newest identity, the one before is valid")
    func changedBits() {
        let former = ring.set(LogIdentity(deviceID: "one"))
        let newest = ring.set(LogIdentity(deviceID: "two", userID: "ada"))
        for offset in 128 + 2 * 2016..<128 + 2 * 2016 + 30 {
            for bit in 0..<8 {
                memory.flip(bit, at: offset)
                #expect(ring.newest == former)
                memory.flip(bit, at: offset)
            }
        }
        #expect(ring.newest == newest)
    }

    @Test("an identity that is too long loses its ended session, or is not shared")
    func tooLong() {
        let former = ring.set(LogIdentity(deviceID: "one"))
        let long = String(repeating: "x", count: 1990)
        _ = ring.set(LogIdentity(deviceID: long, endedSession: "session"))
        #expect(ring.newest == LogIdentity(deviceID: long, number: 2))
        _ = ring.set(LogIdentity(deviceID: long, userID: "ada"))
        #expect(ring.newest?.number == 2 && former.number == 1)
    }

    @Test("no thread ever sees a mixture of identities, and the last one stays")
    func threads() async {
        let ring = ring
        _ = ring.set(LogIdentity(deviceID: "0", userID: "0", endedSession: "0"))
        let memory = memory
        await withTaskGroup { group in
            for thread in 0..<3 {
                group.addTask {
                    for number in 0..<2000 {
                        let text = String(repeating: "\(thread)", count: 1 + number % 300)
                        _ = ring.set(LogIdentity(deviceID: text, userID: text, endedSession: text))
                    }
                }
            }
            group.addTask {
                for _ in 0..<5000 {
                    let seen = ring.newest
                    #expect(seen?.deviceID == seen?.userID && seen?.userID == seen?.endedSession)
                }
            }
        }
        _ = memory
        #expect(ring.newest?.number == 6001)
    }

    @Test("all instances see an identity; the number decides whether another one is adopted")
    func adoption() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        #expect(first.identity == nil)
        let generation = second.consentGeneration
        let made = try first.adoptIdentity(atLeast: 1) { LogIdentity(deviceID: "device") }
        #expect(made.number == 1 && second.identity == made && second.consentGeneration != generation)
        #expect(try second.adoptIdentity(atLeast: 1) { LogIdentity(deviceID: "another") } == made)
        #expect(second.setIdentity(LogIdentity(deviceID: "device", userID: "ada")).number == 2)
        #expect(first.identity?.person == "ada")
        // From a file that is newer than the log.
        let stored = try first.adoptIdentity(atLeast: 7) { LogIdentity(deviceID: "stored", number: 7) }
        #expect(stored.number == 7 && second.identity == stored)
        #expect(try second.adoptIdentity(atLeast: 20) { LogIdentity(deviceID: "new") }.number == 20)
        try await first.close()
        try await second.close()
    }

    @Test("instances that adopt at the same time get the same identity")
    func adoptionAtTheSameTime() async throws {
        let stores = try (0..<4).map { _ in try folder.open() }
        let adopted = try await withThrowingTaskGroup { group in
            for (index, store) in stores.enumerated() {
                group.addTask { try store.adoptIdentity(atLeast: 1) { LogIdentity(deviceID: "device-\(index)") } }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(adopted.count == 1 && stores[3].identity == adopted.first)
    }

    @Test("a closed log keeps an identity that is stored nowhere else")
    func closed() async throws {
        let store = try folder.open()
        let identity = store.setIdentity(LogIdentity(deviceID: "device", userID: "ada"))
        store.append()
        try await store.close()
        #expect(try folder.names() == ["events.sqlite", "events.sqlite.journal"])
        #expect(try EventLogReader(path: folder.path).identity() == identity)
        #expect(try EventLogReader(path: folder.path).read(after: 0).count == 1)
        let next = try folder.open()
        #expect(next.identity == identity)
        next.identityIsStored(identity.number)
        try await next.close()
        #expect(try folder.names() == ["events.sqlite"])
    }

    @Test("a killed process's identity is the next one's", arguments: [true, false])
    func killed(isNewest: Bool) async throws {
        var store: SQLiteEventStore? = try folder.open()
        let former = store?.setIdentity(LogIdentity(deviceID: "device"))
        let newest = store?.setIdentity(LogIdentity(deviceID: "device", userID: "ada"))
        try await store?.perform { worker in worker.abandon() }
        store = nil
        if !isNewest {
            try folder.change(folder.journal + "/control") { $0[JournalControl.identitiesOffset + 128 + 2 * 2016] ^= 1 }
        }
        #expect(try folder.open().identity == (isNewest ? newest : former))
    }

    @Test("a truncated or deleted control file gets the identity back", arguments: [true, false])
    func restored(isDeleted: Bool) async throws {
        let store = try folder.open()
        let identity = store.setIdentity(LogIdentity(deviceID: "device", userID: "ada"))
        let control = folder.journal + "/control"
        if isDeleted { unlink(control) } else { truncate(control, 4096) }
        let end = ContinuousClock.now + .seconds(30)
        repeat { try await store.flushToDisk() } while store.identity != identity && ContinuousClock.now < end
        #expect(store.identity == identity)
        #expect(
            try FileHandle(forReadingFrom: URL(fileURLWithPath: control)).seekToEnd() == UInt64(JournalControl.size))
    }

    @Test("flushing syncs the control file after a change of consent or of the identity, once")
    func synced() async throws {
        let steps = Locked<[DiskOrder.Step]>([])
        var options = SQLiteEventStore.Options(installID: { "install-1" })
        options.system.willSync = { step in steps.withLock { $0.append(step) } }
        let store = try SQLiteEventStore(path: folder.path, options: options)
        try await store.flushToDisk()
        for change in [{ _ = store.requireConsent(of: "ada") }, { _ = store.setIdentity(LogIdentity(deviceID: "d")) }] {
            steps.withLock { $0 = [] }
            change()
            for _ in 1...2 { try await store.flushToDisk() }
            #expect(steps.withLock { $0 } == [.file(folder.journal + "/control")])
        }
    }
}
