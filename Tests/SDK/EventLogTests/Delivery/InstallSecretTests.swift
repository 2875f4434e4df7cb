import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// The storage and the recovery of an install's secret.
@Suite("An install's secret")
struct InstallSecretTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func secret() throws -> String { try EventLogReader(path: folder.path).generations()[0].secret }

    @Test("is in the control file, with the same install")
    func mirrored() async throws {
        let store = try folder.open()
        let install = try await store.perform { $0.control.install }
        #expect(try install == LogGeneration(installID: "install-1", secret: secret()))
    }

    @Test("is restored from the control file if the salvaged database has no row")
    func salvaged() async throws {
        let store = try folder.open()
        for _ in 1...3 { store.append() }
        try await store.flushToDisk()
        let secret = try secret()
        // The state after a kill: the journals stay, and the database's pages are lost.
        let copy = try LogFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) where !name.hasSuffix("-shm") {
            try FileManager.default.copyItem(
                at: folder.url.appendingPathComponent(name), to: copy.url.appendingPathComponent(name))
        }
        try Data(repeating: 0xA5, count: 40_960).write(to: URL(fileURLWithPath: copy.path))
        unlink(copy.path + "-wal")
        let salvaged = try copy.open()
        #expect(salvaged.installID == "install-1")
        #expect(try EventLogReader(path: copy.path).generations()[0].secret == secret)
        #expect(try await salvaged.perform { $0.control.install?.secret } == secret)
    }

    @Test("is repaired in the database from the control file")
    func mended() async throws {
        let store = try folder.open()
        store.append()
        try await store.flushToDisk()
        let secret = try secret()
        let copy = try LogFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) where !name.hasSuffix("-shm") {
            try FileManager.default.copyItem(
                at: folder.url.appendingPathComponent(name), to: copy.url.appendingPathComponent(name))
        }
        try await DatabaseQueue(path: copy.path).write { db in try db.execute(sql: "UPDATE log SET secret = 'x'") }
        _ = try copy.open()
        #expect(try EventLogReader(path: copy.path).generations()[0].secret == secret)
    }

    @Test("is new in a log that adopts the install of recorded events")
    func adopted() async throws {
        let store = try folder.open()
        let own = try secret()
        let event = RecordedEvent(record: .numbered(7), installID: "recorded") { _, _ in [] }
        _ = try await store.replay([event])
        let batch = try #require(try await store.batch(for: "a"))
        #expect(batch.installID == "recorded" && batch.isAdopted && batch.seqs == 7...7)
        #expect(InstallSecret.isValid(batch.secret) && batch.secret != own)
        #expect(try await store.perform { $0.control.install?.isAdopted } == true)
    }
}
