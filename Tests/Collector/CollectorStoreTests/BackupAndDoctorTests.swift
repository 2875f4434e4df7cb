import CollectorFixtures
import Foundation
import Testing

@testable import CollectorStore

@Suite("Backup")
struct BackupTests {
    @Test("A backup during submissions has everything acknowledged before, and can be opened")
    func whileRunning() async throws {
        let (folder, copy) = (try DataFolder(), try DataFolder())
        let phone = Phone("install-a")
        try await folder.with({ $0.segmentBytes = 3000 }) { store in
            for batch in 0..<30 { _ = try await store.submit(PlannedBatches.submission(phone, batch)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await store.backup(to: copy.path) }
                group.addTask {
                    for batch in 30..<90 { _ = try await store.submit(PlannedBatches.submission(phone, batch)) }
                }
                try await group.waitForAll()
            }
        }
        try await copy.with { store in
            #expect(store.openingFindings == [])
            #expect(try await store.doctor() == [])
            let seqs = try store.lines(after: .start, limit: 10_000).lines.map(\.cursor.seq)
            let last = try #require(seqs.last)
            #expect(seqs == Array(1...last))
            #expect(last >= PlannedBatches.seqs(29).upperBound)
            #expect((0..<90).contains { PlannedBatches.seqs($0).upperBound == last }, "half a batch")
        }
        let kept = try copy.indexContent()
        #expect(try await copy.rebuiltIndexContent() == kept)
        for file in try copy.allFiles() {
            let mode = try FileManager.default.attributesOfItem(atPath: copy.file(file))[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(file)")
        }
    }

    @Test("A backup excludes unacknowledged bytes, and never overwrites a folder")
    func notAcknowledged() async throws {
        let (folder, copy, files) = (try DataFolder(), try DataFolder(), FaultyFiles())
        let phone = Phone("install-a")
        try await folder.with({ $0.files = files }) { store in
            _ = try await store.submit(phone.batch(1, 1...3))
            files.set(.sync) { _ in .afterwards(EIO) }
            #expect(await store.failure(of: phone.batch(2, 4...5)) == .writeFailed)
            files.set(.sync, nil)
            try await store.backup(to: copy.path)
            await #expect(throws: StoreError.self) { try await store.backup(to: copy.path) }
        }
        #expect(try copy.storedLines().count == 3)
    }
}

@Suite("The doctor")
struct DoctorTests {
    private let folder: DataFolder

    init() throws { folder = try DataFolder() }

    private func fill() async throws {
        try await folder.with({ $0.segmentBytes = 1500 }) { store in
            for batch in 0..<10 { _ = try await store.submit(PlannedBatches.submission(Phone("install-a"), batch)) }
            #expect(try await store.doctor() == [])
        }
    }

    private func codes() async throws -> [StoreFinding.Code] {
        try await folder.with { store in try await store.doctor().map(\.code) }
    }

    @Test("Permissions, unknown files and quarantined files are reported")
    func files() async throws {
        try await fill()
        try await folder.with { store in
            chmod(folder.file("index.sqlite"), 0o644)
            try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file("notes.txt")))
            chmod(folder.file("notes.txt"), 0o600)
            mkdir(folder.file("damaged-1"), 0o700)
            #expect(
                try await store.doctor().map { "\($0.code.rawValue) \(($0.subject as NSString).lastPathComponent)" }
                    == [
                        "permissions index.sqlite", "quarantine damaged-1", "unknown-file notes.txt",
                    ])
        }
    }

    @Test("A flipped bit in an old segment is reported")
    func flippedBit() async throws {
        try await fill()
        var bytes = try folder.bytes("segments/0000000002.segment")
        bytes[bytes.count / 2] ^= 1
        try folder.write(bytes, to: "segments/0000000002.segment")
        let codes = try await codes()
        #expect(codes.contains(.damagedFrame))
    }

    @Test("A missing segment is reported")
    func missingSegment() async throws {
        try await fill()
        try FileManager.default.removeItem(atPath: folder.file("segments/0000000002.segment"))
        #expect(try await codes() == [.missingSegment, .missingFrames])
    }

    @Test(
        "An index that differs from the segments is reported",
        arguments: [
            "UPDATE batches SET offset = offset + 1 WHERE receipt = 3", "DELETE FROM batches WHERE receipt = 2",
            "UPDATE hashes SET bytes = zeroblob(length(bytes)) WHERE receipt = 4",
            "DELETE FROM numbers", "UPDATE numbers SET last = last - 1", "UPDATE runs SET last = last + 1",
        ])
    func wrongIndex(sql: String) async throws {
        try await fill()
        try RecoveryTests.execute(sql, on: folder)
        let codes = try await codes()
        #expect(codes.contains(.wrongIndex))
    }

    @Test("Unexplained numbers are reported")
    func missingNumbers() async throws {
        try await folder.with { store in _ = try await store.submit(Phone("install-a").batch(1, 4...5)) }
        let findings = try await folder.with { try await $0.doctor() }
        #expect(findings.map(\.code) == [.missingNumbers])
        #expect(findings.first?.message.hasPrefix("3 numbers from 1 on") == true)
    }
}
