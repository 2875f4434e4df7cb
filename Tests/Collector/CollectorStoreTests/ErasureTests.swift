import CollectorFixtures
import DeliveryProtocol
import Foundation
import Primitives
import Testing

@testable import CollectorStore

@Suite("Erasing a user")
struct ErasureTests {
    private static let marker = "marked-user-7f3a"
    private let folder: DataFolder
    private let files = FaultyFiles()
    /// Every fourth event is the marked user's.
    private let phone = Phone("install-a", user: { $0 % 4 == 0 ? marker : "other-user" })

    init() throws { folder = try DataFolder() }

    private func fill(_ store: BatchStore) async throws {
        _ = try await store.submit(phone.batch(1, 1...10))
        _ = try await store.submit(phone.batch(2, 11...20, rejecting: [12, 13]))
        _ = try await store.submit(Phone("install-b").batch(1, 1...10))
        _ = try await store.submit(phone.batch(3, 21...21))
    }

    private func holders() throws -> [String] {
        try folder.allFiles().filter { try folder.bytes($0).firstRange(of: Array(Self.marker.utf8)) != nil }
    }

    @Test("No file contains the user, other lines are unchanged, and erased numbers are not stored again")
    func erased() async throws {
        let before = try await folder.with({ $0.segmentBytes = 3000 }) { store in
            try await fill(store)
            let before = try store.lines(after: .start).lines
            #expect(try !holders().isEmpty)
            let report = try await store.erase(user: Self.marker)
            #expect(report == ErasureReport(lines: 4, rejects: 1, segments: 1))
            #expect(try holders() == [])
            let after = try store.lines(after: .start).lines
            #expect(after == before.filter { $0.installID == "install-b" || $0.cursor.seq % 4 != 0 })
            #expect(try store.install("install-a")?.ranges(.erased) == [4...4, 8...8, 16...16, 20...20])
            #expect(try store.rejects().map { $0.bytes == nil } == [true, false])
            // The same batch again, and the same numbers in another one.
            let again = try await store.submit(phone.batch(1, 1...10))
            #expect(again.receipt?.name.number == 1)
            #expect(again.receipt?.erased == [4...4, 8...8])
            let other = try await store.submit(phone.batch(9, 1...10)).receipt
            #expect(other?.erased == [4...4, 8...8])
            #expect(other?.stored == [1...3, 5...7, 9...10])
            #expect(other?.missing == [])
            #expect(try holders() == [])
            // Nothing is left to erase.
            #expect(try await store.erase(user: Self.marker) == ErasureReport())
            #expect(try await store.doctor().filter { $0.severity != .note } == [])
            return before
        }
        #expect(before.count == 29)
        #expect(try holders() == [])
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
        #expect(try holders() == [])
    }

    @Test(
        "After an interruption between any two steps, the folder is valid, and another erasure finishes",
        arguments: 0..<6)
    func interrupted(step: Int) async throws {
        let (files, folder) = (files, folder)
        let copy = try DataFolder()
        try await folder.with({ $0.files = files }) { store in
            try await fill(store)
            let (call, fault) = FaultyFiles.failuresOfRewriting[step]
            files.set(call) { path in path.contains(".draft") || call == .syncFolder ? fault : nil }
            // What is left behind stays, as after a kill; the first call makes room for the draft.
            let removals = Locked(0)
            files.set(.remove) { _ in
                removals.withLock { count in
                    count += 1
                    return count > 1 ? .error(EIO) : nil
                }
            }
            await #expect(throws: (any Error).self) { _ = try await store.erase(user: Self.marker) }
            // It ends here.
            try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
        }
        try await copy.with { store in
            #expect(store.openingFindings == [])
            // Rewritten or not, the index fits the segments.
            #expect(try await store.doctor() == [])
            let lines = try store.lines(after: .start).lines.filter { $0.installID == "install-a" }
            #expect(lines.count == (step < 4 ? 19 : 15))
            _ = try await store.erase(user: Self.marker)
            #expect(try store.lines(after: .start).lines.count == 25)
        }
        for file in try copy.allFiles() {
            #expect(try copy.bytes(file).firstRange(of: Array(Self.marker.utf8)) == nil, "\(file)")
        }
        let kept = try copy.indexContent()
        #expect(try await copy.rebuiltIndexContent() == kept)
    }

    @Test("Unacknowledged bytes and quarantined files are searched, too")
    func hidden() async throws {
        let files = files
        try await folder.with({ $0.files = files }) { store in
            _ = try await store.submit(Phone("install-b").batch(1, 1...10))
            files.set(.sync) { _ in .afterwards(EIO) }
            #expect(await store.failure(of: phone.batch(1, 1...10)) == .writeFailed)
            files.set(.sync, nil)
            _ = try await store.submit(Phone("install-b").batch(2, 11...12))
            let aside = folder.path + "/damaged-1"
            try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: false)
            try Data("torn \(Self.marker)".utf8).write(to: URL(fileURLWithPath: aside + "/0000000009.segment"))
            #expect(try holders().count == 2)
            let report = try await store.erase(user: Self.marker)
            #expect(report == ErasureReport(lines: 0, rejects: 0, segments: 1, quarantinedFiles: 1))
            #expect(try holders() == [])
            #expect(try store.lines(after: .start).lines.count == 12)
        }
        #expect(try holders() == [])
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
    }

    @Test("Lines that a client reports as erased can't be read, and the next erasure removes them")
    func reported() async throws {
        try await folder.with { store in
            try await fill(store)
            let ledger: [BatchHeader.LedgerRow] = [.init(reason: "erased", seqs: 2...5, count: 4)]
            _ = try await store.submit(phone.batch(4, 22...22, ledger: ledger))
            let seqs = try store.lines(after: .start, .init(installID: "install-a")).lines.map(\.cursor.seq)
            #expect(seqs == [1] + Array(6...11) + Array(14...22))
            #expect(try await store.doctor().map(\.code) == [.erasurePending])
            #expect(try folder.storedLines().contains("install-a 5 \(phone.line(5))"))
            #expect(try await store.eraseReported() == ErasureReport(lines: 4, rejects: 0, segments: 1))
            #expect(try !folder.storedLines().contains("install-a 5 \(phone.line(5))"))
            #expect(try store.lines(after: .start, .init(installID: "install-a")).lines.map(\.cursor.seq) == seqs)
            #expect(try await store.doctor() == [])
        }
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
    }

    @Test("Submissions and readers continue during an erasure, and nothing else is lost")
    func concurrent() async throws {
        let phone = phone
        try await folder.with({ $0.segmentBytes = 4000 }) { store in
            for batch in 0..<20 { _ = try await store.submit(PlannedBatches.submission(phone, batch)) }
            let last = PlannedBatches.seqs(39).upperBound
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await store.erase(user: Self.marker) }
                group.addTask {
                    for batch in 20..<40 { _ = try await store.submit(PlannedBatches.submission(phone, batch)) }
                }
                group.addTask {
                    for _ in 0..<10 {
                        let seqs = Set(try store.lines(after: .start, limit: 10_000).lines.map(\.cursor.seq))
                        // The others' lines of the first twenty batches are there all the time.
                        for seq in 1...PlannedBatches.seqs(19).upperBound where seq % 4 != 0 {
                            #expect(seqs.contains(seq))
                        }
                    }
                }
                try await group.waitForAll()
            }
            _ = try await store.erase(user: Self.marker)
            let seqs = try store.lines(after: .start, limit: 10_000).lines.map(\.cursor.seq)
            #expect(seqs == (1...last).filter { $0 % 4 != 0 })
        }
        #expect(try holders() == [])
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
    }
}
