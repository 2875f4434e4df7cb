import CommandRunner
import EventModel
import Foundation
import LogFixtures
import Testing

@testable import EventLog

@Suite("A full disk")
struct FullDiskTests {
    @Test(
        "no room for the journal: opening says so and leaves nothing behind; with room it opens",
        .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func preallocating() async throws {
        let disk = try await SmallDisk(kilobytes: 1024)
        let path = disk.path + "/events.sqlite"
        let options = SQLiteEventStore.Options(installID: { "install-1" })
        #expect {
            _ = try SQLiteEventStore(path: path, options: options)
        } throws: { error in (error as? EventLogError)?.code == .diskFull }
        #expect(!FileManager.default.fileExists(atPath: JournalFolder.path(of: path)))
        try await disk.resize(kilobytes: 8192)
        let store = try SQLiteEventStore(path: path, options: options)
        #expect(try store.append().get().seq == 1)
        try await store.close()
    }

    @Test(
        "no room at all, not even for the control file",
        .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func nothing() async throws {
        let disk = try await SmallDisk(kilobytes: 4)
        try Data(repeating: 1, count: 4096).write(to: URL(fileURLWithPath: disk.path + "/filler"))
        #expect {
            _ = try SQLiteEventStore(path: disk.path + "/events.sqlite", options: .init(installID: { "" }))
        } throws: { error in (error as? EventLogError)?.code == .diskFull }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: disk.path).filter { $0.contains("journal") } == [])
    }

    @Test(
        "while the disk is full events wait in the journal, and are stored when there is room",
        .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func whileOpen() async throws {
        let disk = try await SmallDisk(kilobytes: 1024)
        let options = SQLiteEventStore.Options(
            installID: { "install-1" }, retention: .keepAll, maximumPendingBytes: 512 << 10)
        let store = try SQLiteEventStore(path: disk.path + "/events.sqlite", options: options)
        var count: Int64 = 0
        var code: EventLogError.Code?
        while code == nil {
            while case .success = store.append(length: 4000) { count += 1 }
            do { try await store.commit() } catch let error as EventLogError { code = error.code }
        }
        #expect(code == .diskFull)
        try await disk.resize(kilobytes: 16384)
        try await store.commit()
        #expect(try await store.seqs() == Array(1...count))
        #expect(try store.append().get().seq == count + 1)
    }
}
