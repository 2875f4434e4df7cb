import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// Logs that `log-writer keep` wrote with format 4 of the database and format 2 of the journal. The closed log has 15
/// events; the killed log has ten more, which are only in its ring. Never write these files again for the same format:
/// installed apps have such logs.
@Suite("A stored log of the present format")
struct PresentFormatTests {
    static let logs: [(String, Int64)] = [("closed", 15), ("killed", 25)]
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func copy(_ name: String) throws {
        let source = try #require(
            Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Resources/Format4"))
        for file in try FileManager.default.contentsOfDirectory(atPath: source.path) {
            try FileManager.default.copyItem(
                at: source.appendingPathComponent(file), to: folder.url.appendingPathComponent(file))
        }
    }

    private static func id(_ number: Int64) -> EventID {
        EventID(milliseconds: 100_000, counter: 0, random: UInt64(number) << 2)
    }

    /// The numbers of the events: 16 to 19 were reserved for copies of 12 to 15.
    private static func numbers(_ count: Int64) -> [Int64] { (1...count).map { $0 <= 15 ? $0 : $0 + 4 } }

    @Test("can be read without being changed", arguments: logs)
    func reading(name: String, count: Int64) throws {
        try copy(name)
        let reader = try EventLogReader(path: folder.path)
        let stored = try reader.read(after: 0)
        #expect(stored.map(\.seq) == Array(1...15))
        #expect(stored.map(\.id) == (1...15).map(Self.id))
        #expect(stored.allSatisfy { $0.name == "search" && $0.time == EventTime(seconds: 100) })
        var seqs: [Int64] = []
        try reader.forEach { event in
            seqs.append(event.seq)
            return true
        }
        #expect(seqs == Self.numbers(count))
        #expect(try reader.generations().map(\.installID) == ["install-1", reader.installID()])
        #expect(try reader.cursors().map { "\($0.consumer) \($0.acknowledged)" } == ["file 4", "server 19"])
    }

    @Test("opens with all it has, and continues", arguments: logs)
    func continuing(name: String, count: Int64) async throws {
        try copy(name)
        let store = try folder.open()
        #expect(try await store.seqs() == Self.numbers(count))
        #expect(try await store.all().map(\.id) == (1...count).map(Self.id))
        #expect(try await store.cursor(of: "file") == .init(consumer: "file", acknowledged: 4, checkpoint: "here"))
        let dropped = try await store.ledger().filter { $0.seqs == nil }
        #expect(dropped.map(\.reason) == (name == "closed" ? [.encoding] : [.encoding, .runaway]))
        #expect(store.consent(of: "ada") == .denied && store.consent(of: "bob") == .granted)
        let letters = try await store.deadLetters()
        #expect(letters.map(\.seq) == [3] && letters.map(\.location) == ["/v"] && letters.map(\.reason) == ["bad"])
        #expect(try EventLogReader(path: folder.path).ledgerRanges().count >= 4)
        // The first event of the new install is retried, then the others follow.
        let lease = try #require(try await store.lease("server"))
        let batch = try #require(try await store.nextBatch(lease, through: store.syncStored(), lasting: .seconds(90)))
        #expect(batch.generation == 2 && batch.checkpoint == "d" && batch.records.first?.id == Self.id(12))
        let number = try #require(Self.numbers(count + 1).last)
        _ = store.append { seq in .numbered(seq + 15) }
        try await store.commit()
        #expect(try await store.seqs() == Self.numbers(count) + [number])
        try await store.close()
        #expect(try folder.names() == ["events.sqlite"])
    }

    @Test("keeps its events if the database's first page is overwritten")
    func firstPage() async throws {
        try copy("closed")
        try folder.change(folder.path) { bytes in for index in 0..<4096 { bytes[index] = 0xA5 } }
        try FileManager.default.createDirectory(atPath: folder.journal, withIntermediateDirectories: false)
        let store = try folder.open()
        #expect(try await store.all().map(\.id) == (1...15).map(Self.id))
        #expect(try await store.deadLetters().map(\.seq) == [3])
        #expect(try await store.cursor(of: "file") == .init(consumer: "file", acknowledged: 4, checkpoint: "here"))
        #expect(store.consent(of: "ada") == .denied)
    }

    @Test("of a newer version is rejected and not changed")
    func newer() async throws {
        try copy("closed")
        let database = try DatabaseQueue(path: folder.path)
        try await database.write { db in try db.execute(sql: "PRAGMA user_version = \(DatabaseSchema.version + 1)") }
        try database.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path))
        #expect { _ = try folder.open() } throws: { ($0 as? EventLogError)?.code == .newerVersion }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path)) == bytes)
        #expect(try folder.names() == ["events.sqlite"])
    }
}
