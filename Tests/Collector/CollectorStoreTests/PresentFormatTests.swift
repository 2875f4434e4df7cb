import CollectorFixtures
import DeliveryProtocol
import Foundation
import Testing

@testable import CollectorStore

/// The data folder of a killed `batch-writer FOLDER 0 0`: a segment of version 1, and an index of version 2. It has
/// acknowledged nine batches of each install. Never write these files again for the same versions: collectors have such
/// folders.
@Suite("A stored data folder of the present format")
struct PresentFormatTests {
    private static let batches = 0...8
    private let folder: DataFolder
    private let phones = [Phone("install-0"), Phone("install-1")]

    init() throws {
        folder = try DataFolder()
        let source = try #require(
            Bundle.module.url(forResource: "Segments1", withExtension: nil, subdirectory: "Resources"))
        try FileManager.default.copyItem(atPath: source.path, toPath: folder.path)
    }

    @Test("Opens with all its batches, and continues")
    func continuing() async throws {
        let lines = try folder.storedLines()
        #expect(Set(lines).count == lines.count)
        for phone in phones {
            let last = PlannedBatches.seqs(Self.batches.upperBound).upperBound
            let expected = (1...last).map { "\(phone.installID) \($0) \(phone.line($0))" }
            #expect(expected.allSatisfy(lines.contains))
        }
        try await folder.with { store in
            #expect(store.openingFindings.filter { $0.severity != .note } == [])
            for (index, phone) in phones.enumerated() {
                for batch in Self.batches {
                    let known = try await store.submit(PlannedBatches.submission(phone, batch))
                    #expect(known.receipt?.name.number == Int64(2 * batch + index + 1))
                }
            }
            let next = try await store.submit(Phone("install-2").batch(1, 1...3))
            #expect(try #require(next.receipt).name.number > 18)
            // The view of version 2 does not know this fate.
            _ = try await store.submit(Phone("install-2").batch(2, 4...4, missing: [.init(4...4, .optedOut)]))
            #expect(try #require(try store.completeness(after: "install-1").first).isComplete)
        }
        let added = (1...3).map { (seq: Int64) in "install-2 \(seq) \(Phone("install-2").line(seq))" }
        #expect(try folder.storedLines() == lines + added)
        let content = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == content)
    }

    @Test("Of a newer version is rejected and not changed", arguments: ["index.sqlite", "collector"])
    func newer(file: String) throws {
        if file == "collector" {
            let text = String(decoding: try folder.bytes(file), as: UTF8.self)
            try folder.write(Array(text.replacing("collector 1\n", with: "collector 2\n").utf8), to: file)
        } else {
            try folder.execute("PRAGMA user_version = \(IndexSchema.version + 1)")
        }
        let bytes = try folder.bytes(file)
        #expect { _ = try folder.open() } throws: { ($0 as? StoreError)?.code == .newerVersion }
        #expect(try folder.bytes(file) == bytes)
    }
}
