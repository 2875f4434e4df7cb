import EventModel
import Foundation
import GRDB
import LogFixtures
import Primitives
import Testing

@testable import EventLog

/// The bytes of removed events in the database, without a `VACUUM` at each denial.
@Suite("Overwriting removed events")
struct OverwritingTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func append(_ marker: String, of user: String, length: Int, to store: SQLiteEventStore) {
        let text = String(repeating: marker + " ", count: max(length / (marker.utf8.count + 1), 1))
        _ = store.append(lineCapacity: 32_000) { seq, line in
            let bytes = Array(#"{"seq":\#(seq),"user_id":"\#(user)","text":"\#(text)"}"#.utf8)
            line.copyBytes(from: bytes)
            let record = EventRecord.numbered(seq)
            return EventStamp(id: record.id, time: record.time, name: "n", lineLength: bytes.count)
        }
    }

    /// How often a text is in the files of the log. Searched in C, because the files are large.
    private func count(of text: String) throws -> Int {
        let text = Array(text.utf8)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        return paths.reduce(0) { count, path in
            let data = FileManager.default.contents(atPath: folder.url.appendingPathComponent(path).path) ?? Data()
            return data.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return count }
                var found = count
                var offset = 0
                while let hit = memchr(start + offset, CInt(text[0]), bytes.count - offset) {
                    offset = UnsafeRawPointer(hit) - start + 1
                    if bytes.count - offset + 1 >= text.count, memcmp(hit, text, text.count) == 0 { found += 1 }
                }
                return found
            }
        }
    }

    private func pages(_ pragma: String, _ store: SQLiteEventStore) async throws -> Int {
        try await store.perform { worker in
            try worker.exclusively { db in try Int.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0 }
        }
    }

    /// Users whose events alternate, with lines from 50 bytes to several pages.
    private func fill(_ store: SQLiteEventStore, users: Int, events: Int) async throws {
        _ = try await store.cursor(of: "sink")
        var lengths = SteadyGenerator(state: 7)
        for number in 0..<events {
            let user = number % users
            let length = Int.random(in: 50...(number % 10 == 0 ? 9000 : 900), using: &lengths)
            append("marker-of-\(user)-", of: "user-\(user)", length: length, to: store)
        }
        try await store.commit()
    }

    @Test("after the first denial no file has bytes of the person's events", arguments: [2, 3, 20])
    func first(users: Int) async throws {
        let store = try folder.open()
        try await fill(store, users: users, events: 800)
        #expect(try count(of: "marker-of-1-") > 0)
        try await store.setConsent(.denied, of: ["user-1"])
        #expect(try count(of: "marker-of-1-") == 0)
        #expect(try count(of: "marker-of-0-") > 0)
        let all = try await store.all().count
        #expect(all == (0..<800).filter { $0 % users != 1 }.count)
    }

    @Test(
        "the user of a line is that of the outermost object, in any order and with escapes",
        arguments: [
            (#"{"v":1,"session_id":"s","user_id":"ada","event":{"value":{"a":1,"user_id":"eve"}}}"#, "ada"),
            (#"{"event":{"value":{"a":1,"user_id":"eve"}},"user_id":"ada"}"#, "ada"),
            (#"{"install_id":",\"user_id\":\"eve\"","user_id":"ada"}"#, "ada"),
            (#"{"install_id":"{","user_id":"ada"}"#, "ada"), (#"{"user_id":"ada"}"#, "ada"),
            (#"{"a":1,"user_id":"a\u0064a"}"#, "ada"), (#"{"a":1,"user_id":"a\"da"}"#, #"a"da"#),
            (#"{"a":1,"user_id":7}"#, nil), (#"{"a":1,"event":{"b":1,"user_id":"eve"}}"#, nil),
        ])
    func user(line: String, user: String?) {
        #expect(Array(line.utf8).withUnsafeBytes(Discards.user) == user)
    }

    @Test("copies that earlier removals left behind are gone when the log was idle", arguments: [true, false])
    func later(isClosed: Bool) async throws {
        let time = Locked(ContinuousClock.now)
        let store = try folder.open()
        try await store.perform { worker in worker.rewrites = Rewrites { time.withLock { $0 } } }
        try await fill(store, users: 3, events: 800)
        for user in 0..<2 {
            try await store.setConsent(.denied, of: ["user-\(user)"])
            time.withLock { $0 += Rewrites.interval }
            if isClosed, user == 1 { try await store.close() } else { try await store.perform { $0.rest() } }
            #expect(try count(of: "marker-of-\(user)-") == 0)
        }
        #expect(try count(of: "marker-of-2-") > 0)
    }

    @Test("a denial does not rewrite the database; an idle log does, at most once a day")
    func rewrites() async throws {
        let time = Locked(ContinuousClock.now)
        let store = try folder.open()
        try await store.perform { worker in worker.rewrites = Rewrites { time.withLock { $0 } } }
        try await fill(store, users: 3, events: 1000)
        try await store.setConsent(.denied, of: ["user-0"])
        try await store.perform { $0.rest() }
        #expect(try await pages("freelist_count", store) == 0)
        try await store.setConsent(.denied, of: ["user-1"])
        try await store.perform { $0.rewriteIfDue(isIdle: true) }
        let free = try await pages("freelist_count", store)
        #expect(free > 0)
        time.withLock { $0 += Rewrites.interval }
        try await store.perform { $0.rewriteIfDue(isIdle: false) }
        #expect(try await pages("freelist_count", store) == 0)
        #expect(try await store.all().count == 333)
    }

    @Test("a busy log is rewritten a day after the first removal")
    func busy() {
        let time = Locked(ContinuousClock.now)
        var rewrites = Rewrites { time.withLock { $0 } }
        #expect(!rewrites.isDue(isIdle: true))
        rewrites.isWanted = true
        #expect(rewrites.isDue(isIdle: true) && !rewrites.isDue(isIdle: false))
        time.withLock { $0 += Rewrites.interval - .seconds(1) }
        rewrites.isWanted = true
        #expect(!rewrites.isDue(isIdle: false))
        time.withLock { $0 += .seconds(1) }
        #expect(rewrites.isDue(isIdle: false))
        rewrites.begin()
        rewrites.isWanted = true
        #expect(!rewrites.isDue(isIdle: true))
    }

    @Test("dead letters and rows are overwritten with the setting that a connection had")
    func setting() async throws {
        let store = try folder.open()
        try await fill(store, users: 2, events: 10)
        let before = try await pages("secure_delete", store)
        try await store.setConsent(.denied, of: ["user-0"])
        #expect(try await pages("secure_delete", store) == before)
    }
}
