import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// Consent: in all instances, in the database, in the mirror, and the removals after an opt-out.
@Suite("Consent in a log")
struct ConsentTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func append(_ marker: String, of user: String, to store: SQLiteEventStore) {
        _ = store.append(lineCapacity: 2000) { seq, line in
            let text = Array(#"{"seq":\#(seq),"user_id":"\#(user)","text":"\#(marker)"}"#.utf8)
            line.copyBytes(from: text)
            let record = EventRecord.numbered(seq)
            return EventStamp(id: record.id, time: record.time, name: "n", lineLength: text.count)
        }
    }

    /// The files of the log that contain a text.
    private func files(with text: String) throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        return paths.filter { path in
            let data = FileManager.default.contents(atPath: folder.url.appendingPathComponent(path).path) ?? Data()
            return data.range(of: Data(text.utf8)) != nil
        }
    }

    @Test("every instance sees a change immediately, and after a restart")
    func everywhere() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        let generation = second.consentGeneration
        #expect(second.consent(of: "ada") == nil)
        try await first.setConsent(.denied, of: ["ada"])
        #expect(second.consentGeneration != generation)
        #expect(second.consent(of: "ada") == .denied && second.consent(of: "bob") == nil)
        try await second.setConsent(.granted, of: ["ada"])
        #expect(first.consent(of: "ada") == .granted)
        first.requireConsent(of: "ada")
        first.requireConsent(of: "bob")
        #expect(second.consent(of: "ada") == .granted && second.consent(of: "bob") == .unknown)
        try await first.close()
        try await second.close()
        let next = try folder.open()
        #expect(next.consent(of: "ada") == .granted && next.consent(of: "bob") == .unknown)
    }

    @Test("a truncated or new control file gets its mirror back; until then consent is unknown")
    func mirror() async throws {
        let store = try folder.open()
        try await store.setConsent(.granted, of: ["ada"])
        let control = folder.journal + "/control"
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: control))
        // Flip a bit of the mirror.
        try handle.seek(toOffset: 2304 + 128)
        try handle.write(contentsOf: Data([0xFF]))
        #expect(store.consent(of: "ada") == .unknown && store.consent(of: "bob") == .unknown)
        // The mirror is checked regularly.
        let end = ContinuousClock.now + .seconds(30)
        while store.consent(of: "ada") != .granted, ContinuousClock.now < end { try await store.flushToDisk() }
        #expect(store.consent(of: "ada") == .granted && store.consent(of: "bob") == nil)
        unlink(control)
        try await store.flushToDisk()
        #expect(store.consent(of: "ada") == .granted)
    }

    @Test(
        "an answer that was only in the control file when its process ended is kept",
        arguments: [Consent.denied, .unknown], [true, false])
    func interrupted(answer: Consent, isAlone: Bool) async throws {
        var first: SQLiteEventStore? = try folder.open()
        for marker in ["before", "after"] {
            append("ada-\(marker)", of: "ada", to: try #require(first))
            append("bob-\(marker)", of: "bob", to: try #require(first))
        }
        let second = isAlone ? nil : try folder.open()
        // Ends without closing the log, before anything could be stored. Its mover would otherwise keep the log for
        // some pauses.
        try await first?.perform { worker in
            worker.control.consents.set(answer, of: "ada")
            worker.abandon()
        }
        first = nil
        if let second { try await second.close() }
        for _ in 1...3 {
            let store = try folder.open()
            #expect(store.consent(of: "ada") == answer && store.consent(of: "bob") == nil)
            let batch = try await store.batch(for: "a")
            #expect(batch?.records.map(\.seq) == [2, 4])
            try await store.close()
        }
        let optedOut = try EventLogReader(path: folder.path).ledger().filter { $0.reason == .optedOut }
        #expect(optedOut.reduce(0) { $0 + $1.count } == (answer == .denied ? 2 : 0))
        #expect(try files(with: "ada-").isEmpty == (answer == .denied))
        // The next answer replaces it.
        let store = try folder.open()
        try await store.setConsent(.granted, of: ["ada"])
        try await store.close()
        #expect(try folder.open().consent(of: "ada") == .granted)
    }

    @Test("an adopted denial is stored together with the marker for its events, or not at all")
    func adoptedWhole() throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: ConsentMirror.size, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: ConsentMirror.size)
        let mirror = ConsentMirror(memory)
        mirror.fill([:])
        mirror.set(.denied, of: "ada")
        try DatabaseQueue().inDatabase { db in
            try DatabaseSchema.createIfEmpty(db) { "install-1" }
            try db.execute(
                sql: "CREATE TRIGGER fails BEFORE INSERT ON discards BEGIN SELECT RAISE(ABORT, 'fails'); END")
            #expect(throws: DatabaseError.self) { try Consents.adopt(mirror, drawn: 9, db) }
            #expect(try Consents.all(db).isEmpty)
            try db.execute(sql: "DROP TRIGGER fails")
            try Consents.adopt(mirror, drawn: 9, db)
            #expect(try Consents.consent(of: "ada", db) == .denied)
            #expect(try Int64.fetchAll(db, sql: "SELECT through_seq FROM discards") == [9])
        }
    }

    @Test("a user known only by key keeps that answer until the next one")
    func keyOnly() async throws {
        let store = try folder.open()
        try await store.perform { worker in worker.control.consents.set(.denied, of: "ada") }
        try await store.close()
        let next = try folder.open()
        next.requireConsent(of: "ada")
        #expect(next.consent(of: "ada") == .denied)
        // Discards the user's events from senders that do not know of the denial.
        append("late", of: "ada", to: next)
        append("late", of: "bob", to: next)
        #expect(try await next.all().map(\.seq) == [2])
        try await next.close()
        #expect(try folder.open().consent(of: "ada") == .denied)
    }

    @Test("with more users than the mirror has slots, consent is unknown")
    func overflow() async throws {
        let store = try folder.open()
        try await store.setConsent(.denied, of: (0..<ConsentMirror.slotCount).map { "user-\($0)" })
        #expect(store.consent(of: "another") == nil)
        try await store.setConsent(.denied, of: ["one-more"])
        #expect(store.consent(of: "one-more") == .unknown && store.consent(of: "another") == .unknown)
        #expect(store.consent(of: "user-7") == .denied)
        // It is stored nevertheless, so that none of their events are delivered.
        store.requireConsent(of: "another")
        #expect(
            try await store.perform { worker in try worker.reading { try Consents.consent(of: "another", $0) } }
                == .unknown)
    }

    /// A process may end, or another process read, between any two writes. Each write here is one word.
    @Test(
        "the mirror is intact after every write; filling it during writes and lookups loses no user")
    func filledAtAnyMoment() async throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: ConsentMirror.size, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: ConsentMirror.size)
        let mirror = ConsentMirror(memory)
        mirror.fill([:])
        let before = Array(UnsafeRawBufferPointer(start: memory + 128, count: ConsentMirror.size - 128))
        mirror.withhold("ada")
        let after = Array(UnsafeRawBufferPointer(start: memory + 128, count: ConsentMirror.size - 128))
        #expect(Set(zip(before, after).enumerated().filter { $1.0 != $1.1 }.map { $0.offset / 8 }).count == 1)
        #expect(mirror.isIntact)

        let users = (0..<100).map { "user-\($0)" }
        await withTaskGroup { group in
            group.addTask {
                for _ in 0..<300 { mirror.fill(mirror.consents()) }
            }
            for thread in 0..<3 {
                group.addTask {
                    for user in users.dropFirst(thread) {
                        mirror.withhold(user)
                        for _ in 0..<20 { #expect(mirror.consent(of: user) == .unknown) }
                    }
                }
            }
        }
        #expect(mirror.isIntact && mirror.consent(of: "other") == nil)
        #expect(Set(mirror.consents().keys) == Set((users + ["ada"]).map(ConsentMirror.key)))
    }

    @Test("any changed bit or zero in the mirror is detected; intact denials apply until it is filled")
    func changedBits() throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: ConsentMirror.size, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: ConsentMirror.size)
        let mirror = ConsentMirror(memory)
        #expect(!mirror.isIntact && mirror.consent(of: "ada") == .unknown)
        mirror.fill([ConsentMirror.key(of: "ada"): .denied, ConsentMirror.key(of: "bob"): .granted])
        #expect(mirror.isIntact)
        for offset in 128..<128 + 8 * 10 {
            for bit in 0..<8 {
                memory.storeBytes(
                    of: memory.load(fromByteOffset: offset, as: UInt8.self) ^ 1 << bit, toByteOffset: offset,
                    as: UInt8.self)
                // One of 262,144 changes passes as a slot of another user, if it changes the key.
                #expect(!mirror.isIntact && mirror.consent(of: "other") == .unknown)
                #expect(mirror.consent(of: "ada") != .granted && mirror.consent(of: "bob") != .denied)
                memory.storeBytes(
                    of: memory.load(fromByteOffset: offset, as: UInt8.self) ^ 1 << bit, toByteOffset: offset,
                    as: UInt8.self)
            }
        }
        memory.storeBytes(of: 0, toByteOffset: 128 + 8 * 100, as: UInt64.self)
        #expect(!mirror.isIntact && mirror.consent(of: "ada") == .denied && mirror.consent(of: "other") == .unknown)
    }

    @Test("new users from many threads are visible to all instances when the call returns")
    func withheld() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        try await first.setConsent(.denied, of: ["user-3"])
        await withTaskGroup { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<60 {
                        (thread % 2 == 0 ? first : second).requireConsent(of: "user-\(number)")
                        #expect(first.consent(of: "user-\(number)") == (number == 3 ? .denied : .unknown))
                    }
                }
            }
        }
        // Each user has one slot, and together they have all slots.
        #expect(second.consent(of: "other") == nil)
        try await first.commit()
        try await second.commit()
        #expect(try await first.perform { worker in try worker.reading { try Consents.all($0).count } } == 60)
    }

    @Test("the next process finishes an interrupted opt-out, up to the number at the opt-out")
    func unfinished() async throws {
        let store = try folder.open()
        for user in ["ada", "bob", "ada"] { append("x", of: user, to: store) }
        try await store.commit()
        // The state that is stored before anything is removed. Then the process ends, and the user opts in again.
        try await store.perform { worker in
            try worker.freeing { db, _ in
                try Consents.set(.denied, of: "ada", db)
                try Discards.mark("ada", through: 3, db)
                try Consents.set(.granted, of: "ada", db)
            }
        }
        append("x", of: "ada", to: store)
        try await store.commit()
        try await store.close()
        let next = try folder.open()
        try await next.commit()
        #expect(try await next.seqs() == [2, 4])
        #expect(try await next.ledger().map(\.reason) == [.optedOut])
        try await next.close()
    }

    @Test("events sent without knowledge of an opt-out are discarded when they are moved")
    func late() async throws {
        let store = try folder.open()
        try await store.setConsent(.denied, of: ["ada"])
        append("x", of: "ada", to: store)
        append("x", of: "bob", to: store)
        try await store.commit()
        #expect(try await store.seqs() == [2])
        #expect(try await store.ledger().map(\.reason) == [.optedOut])
    }

    @Test("after an opt-out no file of the log has bytes of an undelivered event", arguments: [1, 200])
    func traces(count: Int) async throws {
        let store = try folder.open()
        _ = try await store.cursor(of: "sink")
        let long = String(repeating: "long", count: 300)
        for _ in 0..<count { append("marker-of-ada\(long)", of: "ada", to: store) }
        try await store.commit()
        append("marker-of-bob", of: "bob", to: store)
        for _ in 0..<count { append("marker-of-ada\(long)", of: "ada", to: store) }
        // A quarantined copy.
        let aside = folder.path + ".damaged-1"
        try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: folder.path + "-wal", toPath: aside + "/events.sqlite-wal")
        #expect(try files(with: "marker-of-ada").count > 1)
        try await store.setConsent(.denied, of: ["ada"])
        try await store.commit()
        #expect(try files(with: "marker-of-ada") == [])
        #expect(try !files(with: "marker-of-bob").isEmpty)
        #expect(try await store.seqs() == [Int64(count) + 1])
        #expect(try await store.ledger().map(\.count) == [Int64(2 * count)])
    }
}
