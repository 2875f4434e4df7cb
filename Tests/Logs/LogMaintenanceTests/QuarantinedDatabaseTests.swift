import EventLog
import EventModel
import Foundation
import LogFixtures
import Testing

@testable import LogMaintenance

@Suite("Erasing from a quarantined database")
struct QuarantinedDatabaseTests {
    private let folder: LogFolder
    private static let secret = Data("a-secret-of-a-person".utf8)

    init() throws { folder = try LogFolder() }

    private static func isSecret(_ event: BorrowedEvent) -> Bool { Data(event.line).range(of: secret) != nil }

    /// Copies a log while it is open: events in the database, and more in its -wal file.
    private func putAside(in target: LogFolder) async throws {
        let source = try LogFolder()
        for events in [1...300, 301...400] {
            let store = try source.open()
            for number in events {
                let text = number.isMultiple(of: 2) ? "a-secret-of-a-person" : "other"
                _ = store.append { seq in
                    EventRecord(
                        seq: seq, id: EventID(milliseconds: 1, counter: 0, random: UInt64(seq) << 2),
                        time: EventTime(seconds: 1), name: "a",
                        line: Array((text + String(repeating: "x", count: 150)).utf8))
                }
            }
            try await store.commit()
            if events.upperBound == 400 {
                for suffix in ["", "-wal"] {
                    try FileManager.default.copyItem(atPath: source.path + suffix, toPath: target.path + suffix)
                }
            }
            try await store.close()
        }
    }

    /// All events of others must be left, and nothing of the user's.
    private func expectErased() throws {
        #expect(try folder.names() == ["events.sqlite"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path)).range(of: Self.secret) == nil)
        let left = try EventLogReader(path: folder.path).read(after: 0, maximumCount: 1000)
        #expect(left.map(\.seq) == Array(stride(from: 1, through: 399, by: 2)))
        #expect(try DatabaseExamination(path: folder.path).structureIssues(thorough: true) == [])
    }

    @Test("The rows in its -wal file are included, and no other file is left")
    func whole() async throws {
        try await putAside(in: folder)
        #expect(try QuarantinedFile.eraseDatabase(folder.path, where: Self.isSecret) == 200)
        try expectErased()
    }

    @Test(
        "If it was killed with the new database complete, the next run replaces the old one",
        arguments: [["-wal", "-shm"], ["-shm"], []])
    func killed(left: [String]) async throws {
        try await putAside(in: folder)
        let other = try LogFolder()
        try await putAside(in: other)
        #expect(try QuarantinedFile.eraseDatabase(other.path, where: Self.isSecret) == 200)
        try FileManager.default.moveItem(atPath: other.path, toPath: folder.path + ".erased")
        try Data(repeating: 0x5A, count: 32768).write(to: URL(fileURLWithPath: folder.path + "-shm"))
        for suffix in ["-wal", "-shm"] where !left.contains(suffix) {
            try FileManager.default.removeItem(atPath: folder.path + suffix)
        }
        #expect(try QuarantinedFile.eraseDatabase(folder.path, where: Self.isSecret) == 0)
        try expectErased()
    }

    @Test("Without a new database nothing needs to be completed")
    func nothingToFinish() async throws {
        try await putAside(in: folder)
        let before = try folder.names()
        try QuarantinedFile.finish(folder.path)
        #expect(try folder.names() == before)
    }
}
