import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog
@testable import LogMaintenance

@Suite("Erasing from a log")
struct ErasureTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    /// Appends a text as an event's line.
    private func append(_ text: String, to store: SQLiteEventStore) {
        _ = store.append { seq in
            EventRecord(
                seq: seq, id: EventID(milliseconds: 1, counter: 0, random: UInt64(seq) << 2),
                time: EventTime(seconds: 1), name: "a", line: Array(text.utf8))
        }
    }

    private static func isSecret(_ event: BorrowedEvent) -> Bool { Data(event.line).range(of: secret) != nil }
    private static let secret = Data("a-secret-of-a-person".utf8)

    /// The files in the folder that hold the secret.
    private func holding() throws -> [String] {
        let names = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            let data = try? Data(contentsOf: folder.url.appendingPathComponent(name))  // a folder has none
            return data?.range(of: Self.secret) != nil
        }.sorted()
    }

    @Test("The bytes of erased events are gone, the ledger has their numbers in runs, and new numbers are higher")
    func erase() async throws {
        let store = try folder.open()
        let pattern: [Bool] = [true, true, false, true, false, false, true]
        for isSecret in pattern {
            append((isSecret ? "a-secret-of-a-person" : "other") + String(repeating: "x", count: 6000), to: store)
        }
        let erased = try await store.erase(where: Self.isSecret)
        #expect(erased.events == 4 && erased.bytes == 4 * 6020)
        #expect(try await store.seqs() == [3, 5, 6])
        #expect(try await store.statistics().count == 3)
        #expect(try await store.statistics().bytes == 3 * 6005)
        let ranges = try EventLogReader(path: folder.path).ledgerRanges()
        #expect(ranges.map(\.reason) == [.erased, .erased, .erased])
        #expect(ranges.map(\.seqs) == [1...2, 4...4, 7...7] && ranges.map(\.count) == [2, 1, 1])
        #expect(try await store.compact())
        #expect(try holding().filter { !$0.contains(".journal/") } == [])
        append("more", to: store)
        #expect(try await store.seqs() == [3, 5, 6, 8])
        try await store.close()
        #expect(try holding() == [])
    }

    @Test("A user's dead letters and copies go with their bytes, and doctor counts the dead letters that are left")
    func apart() async throws {
        let store = try folder.open()
        for text in ["a-secret-of-a-person", "other", "a-secret-of-a-person"] { append(text, to: store) }
        func answer(_ result: DeliveryResult) async throws {
            let lease = try #require(
                try await store.beginDelivery(to: "a", lasting: .seconds(90), at: EventTime(seconds: 1)))
            let end = try await store.syncStored()
            let batch = try #require(try await store.nextBatch(lease, through: end, lasting: .seconds(90)))
            _ = try await store.settle(lease, batch: batch.id, result, pause: nil)
        }
        // Copied for its consumer, which rejected it.
        try await answer(.newGeneration(acknowledged: [], reason: "fork"))
        try await answer(
            .judged(
                [1: .refused(reason: "no"), 2: .refused(reason: "no"), 3: .retry(reason: "later")], checkpoint: nil))
        let database = try DatabaseExamination(path: folder.path)
        #expect(try database.deadLetters() == ExaminedDeadLetters(count: 2, bytes: 25, evicted: 0))
        _ = try await store.erase(where: Self.isSecret)
        #expect(try await store.deadLetters().map(\.line) == [Array("other".utf8)])
        #expect(try await store.compact())
        #expect(try holding().filter { !$0.contains(".journal/") } == [])
        let findings = DeadLetterCheck.findings(try database.deadLetters(), folder.path)
        #expect(findings.map(\.message) == ["1 event permanently refused (5 bytes)"])
        let numbers = try RowCheck(folder.path, database: database, options: DoctorOptions(now: EventTime(seconds: 2)))
            .findings()
        #expect(numbers.filter { $0.check == .numbers }.map(\.severity) == [.ok])
    }

    @Test("Numbers without an event in between are one run, whatever the ledger says about those in between")
    func runs() async throws {
        let store = try folder.open()
        for _ in 1...5 { append("a-secret-of-a-person", to: store) }
        _ = try await store.erase { $0.seq == 3 }
        _ = try await store.erase { $0.seq != 5 }
        let ranges = try EventLogReader(path: folder.path).ledgerRanges()
        #expect(ranges.map(\.seqs) == [1...4, 3...3] && ranges.map(\.count) == [3, 1])
    }

    @Test("A number that another cause has lost is in no run")
    func unaccounted() async throws {
        var store = try folder.open()
        for _ in 1...7 { append("a-secret-of-a-person", to: store) }
        _ = try await store.erase { $0.seq == 6 }
        try await store.close()
        let past = try DatabaseQueue(path: folder.path)
        try await past.write { db in try db.execute(sql: "DELETE FROM events WHERE seq = 3") }
        try past.close()
        store = try folder.open()
        #expect(try await store.erase(where: Self.isSecret).events == 5)
        try await store.close()
        let ranges = try EventLogReader(path: folder.path).ledgerRanges()
        #expect(ranges.map(\.seqs) == [1...2, 4...7, 6...6] && ranges.map(\.count) == [2, 3, 1])
        #expect(try DatabaseExamination(path: folder.path).lostNumbers().missing(of: 1...7) == [3...3])
    }

    @Test("No space is released while another writer has the log open")
    func otherWriter() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        #expect(try await first.compact() == false)
        try await second.close()
        #expect(try await first.compact())
    }

    @Test("The rings of ended writers are overwritten after an opening has moved their events")
    func endedRings() async throws {
        do {
            let dead = try LoneWriter(folder)
            for _ in 1...3 { dead.append(length: 40) }
        }
        let ring = folder.journal + "/writer-1-a"
        let copy = try #require(FileHandle(forReadingAtPath: ring))
        let ended = EndedJournals(of: folder.path)
        try ended.overwrite()
        let before = try #require(try copy.readToEnd())
        #expect(before.contains { $0 != 0 })
        let store = try folder.open()
        #expect(try await store.seqs() == [1, 2, 3])
        try ended.overwrite()
        try copy.seek(toOffset: 0)
        let after = try #require(try copy.readToEnd())
        #expect(after.count == before.count && after.allSatisfy { $0 == 0 })
        try await store.close()
    }

    @Test(
        "In a quarantined ring, everything but the complete records of other users is overwritten",
        arguments: [true, false])
    func quarantinedRing(isDamaged: Bool) async throws {
        let dead = try LoneWriter(folder)
        for _ in 1...5 { dead.append(length: 40) }
        let ring = folder.journal + "/writer-1-a"
        if isDamaged { try folder.change(ring) { bytes in bytes[4096 + 2 * 104 + 60] ^= 0xFF } }
        let count = try QuarantinedFile.eraseRing(ring) { $0.seq == 2 }
        #expect(count == 1)
        let left = JournalScan.records(in: dead.ring, after: 0).map(\.seq)
        #expect(left == (isDamaged ? [1, 4, 5] : [1, 3, 4, 5]))
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: ring)))
        #expect(bytes[(4096 + 104)..<(4096 + 208)].allSatisfy { $0 == 0 })
        #expect(bytes[(4096 + 208)..<(4096 + 312)].allSatisfy { $0 == 0 } == isDamaged)
    }

    @Test("A quarantined database is rebuilt from its readable rows; unreadable bytes are removed")
    func quarantinedDatabase() async throws {
        let store = try folder.open()
        for number in 1...200 {
            append(
                (number.isMultiple(of: 2) ? "a-secret-of-a-person " : "other ") + String(repeating: "x", count: 150),
                to: store)
        }
        try await store.close()
        try folder.change(folder.path) { bytes in
            bytes.replaceSubrange(7 * 4096..<7 * 4096 + 60, with: Array(repeating: 0x5A, count: 60))
        }
        let count = try #require(try QuarantinedFile.eraseDatabase(folder.path, where: Self.isSecret))
        #expect(count > 60 && count <= 100)
        #expect(try holding() == [])
        #expect(try folder.names() == ["events.sqlite"])
        let left = try EventLogReader(path: folder.path).read(after: 0, maximumCount: 1000)
        #expect(left.count > 60 && left.allSatisfy { !$0.seq.isMultiple(of: 2) })
    }

    @Test("A quarantined database without a readable row is removed")
    func quarantinedGarbage() throws {
        try Data(repeating: 0x5A, count: 9000).write(to: URL(fileURLWithPath: folder.path))
        #expect(try QuarantinedFile.eraseDatabase(folder.path, where: Self.isSecret) == nil)
        #expect(try folder.names() == [])
    }
}
