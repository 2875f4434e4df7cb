import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog
@testable import LogMaintenance

@Suite("Examining a log")
struct ExaminationTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    @Test("A closed log is read without leaving a trace, and an opening during the reading is noticed")
    func traceless() async throws {
        let store = try folder.open()
        for _ in 1...3 { store.append() }
        try await store.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.path))
        let examination = try DatabaseExamination(path: folder.path)
        var seqs: [Int64] = []
        try examination.forEachRow { seq, _, bytes in
            #expect(bytes == 10)
            seqs.append(seq)
        }
        #expect(seqs == [1, 2, 3])
        #expect(try examination.structureIssues(thorough: true) == [])
        #expect(try folder.names() == ["events.sqlite"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path)) == before)
        #expect(!examination.isDisturbed)
        let again = try folder.open()
        #expect(examination.isDisturbed)
        #expect(try !DatabaseExamination(path: folder.path).isDisturbed)
        try await again.close()
    }

    @Test("Rings are classified by their writers: running, ended, newer version; with their waiting events")
    func rings() async throws {
        let store = try folder.open()
        for _ in 1...3 { store.append() }
        try await store.commit()
        // On the log's queue: its mover would otherwise empty the ended rings.
        let found = try await store.perform { [folder] _ in
            let dead = try LoneWriter(folder, "writer-1-a")
            dead.append()
            _ = try LoneWriter(folder, "writer-2-b")
            try folder.change(folder.journal + "/writer-2-b") { bytes in
                bytes.withUnsafeMutableBytes { bytes in
                    guard let base = bytes.baseAddress else { return }
                    HeaderIdentity.write(
                        mark: base.load(as: UInt64.self), version: 3, fileSize: bytes.count, text: "1@ended", to: base,
                        capacity: 504)
                }
            }
            return try JournalExamination(database: folder.path, after: 3)
        }
        let journals = try #require(found)
        #expect(journals.installID == "install-1" && journals.controlIssue == nil)
        let rings = Dictionary(uniqueKeysWithValues: journals.rings.map { ($0.name, $0) })
        #expect(rings.count == 3)
        let ended = try #require(rings["writer-1-a"])
        #expect(!ended.isAlive && ended.process == getpid() && ended.waiting == 1 && ended.issue == nil)
        let newer = try #require(rings["writer-2-b"])
        #expect(newer.newerVersion == 3 && !newer.isAlive && newer.waiting == 0)
        #expect(journals.rings.filter(\.isAlive).map(\.process) == [getpid()])
    }

    @Test("Without journals there is nothing to examine")
    func none() async throws {
        try await folder.open().close()
        #expect(try JournalExamination(database: folder.path, after: 0) == nil)
    }

    @Test(
        "A header identifies the file's owner",
        arguments: [
            ("CREATE TABLE t (a)", DatabaseHeader.Owner.other), ("PRAGMA user_version = 1", .unclaimed),
            ("PRAGMA application_id = 7", .other),
        ])
    func header(sql: String, owner: DatabaseHeader.Owner) async throws {
        let database = try DatabaseQueue(path: folder.path)
        try await database.writeWithoutTransaction { db in try db.execute(sql: sql) }
        try database.close()
        #expect(DatabaseHeader(path: folder.path)?.owner == owner)
    }

    @Test("A log's header has its version; a text has no header")
    func ownHeader() async throws {
        try await folder.open().close()
        let header = try #require(DatabaseHeader(path: folder.path))
        #expect(header.owner == .eventLog && header.version == 6 && header.pageSize == 4096)
        #expect(header.lengthIssue == nil)
        try Data("SQLite format 2".utf8).write(to: URL(fileURLWithPath: folder.path))
        #expect(DatabaseHeader(path: folder.path) == nil)
    }
}
