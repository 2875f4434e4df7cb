import CDigest
import CollectorFixtures
import DeliveryProtocol
import Foundation
import GRDB
import Testing

@testable import CollectorStore

@Suite("Opening after a crash and after damage")
struct RecoveryTests {
    private let folder: DataFolder
    private let phone = Phone("install-a")

    init() throws { folder = try DataFolder() }

    /// The complete content of an index.
    private func fill(_ store: BatchStore) async throws {
        let clone = phone.batch(90, 2...3, variant: "clone")
        _ = try await store.submit(phone.batch(1, 1...9, missing: [.init(4...4, .held)], rejecting: [7]))
        _ = try await store.submit(Phone("install-b").batch(1, 5...8))
        _ = try await store.submit(phone.batch(2, 4...12))
        _ = try await store.submit(clone)
        _ = try await store.submit(Phone("install-c").imported([3, 4, 9]))
        _ = try await store.submit(
            phone.batch(2, 4...12, ledger: [.init(reason: "evicted", seqs: 13...15, count: 3)]))
        _ = try await store.submit(phone.batch(3, 13...20, missing: [.init(13...15, .dropped)]))
    }

    @Test("A rebuilt index equals the original index", arguments: [64 << 20, 700] as [Int64])
    func rebuilt(segmentBytes: Int64) async throws {
        try await folder.with({ $0.segmentBytes = segmentBytes }) { try await fill($0) }
        #expect(try folder.segments().count == 1 || segmentBytes == 700)
        #expect(try folder.segments().count > 3 || segmentBytes != 700)
        let kept = try folder.indexContent()
        #expect(kept.filter { $0.hasPrefix("fork") || $0.hasPrefix("reject") || $0.hasPrefix("ledger") }.count == 3)
        #expect(try await folder.rebuiltIndexContent() == kept)
    }

    @Test("An index that is behind catches up")
    func behind() async throws {
        try await folder.with { store in _ = try await store.submit(phone.batch(1, 1...3)) }
        let old = try DataFolder()
        try FileManager.default.copyItem(atPath: folder.path, toPath: old.path)
        try await folder.with { try await fill($0) }
        let kept = try folder.indexContent()
        // The current segments with an older index.
        try FileManager.default.removeItem(atPath: old.file("segments"))
        try FileManager.default.copyItem(atPath: folder.file("segments"), toPath: old.file("segments"))
        try await old.with { store in #expect(store.openingFindings == []) }
        #expect(try old.indexContent() == kept)
    }

    @Test(
        "A damaged index is quarantined and rebuilt", arguments: ["garbage", "cut", "page", "other collector's"])
    func damagedIndex(damage: String) async throws {
        try await folder.with { try await fill($0) }
        let kept = try folder.indexContent()
        var bytes = try folder.bytes("index.sqlite")
        switch damage {
        case "garbage": bytes = Array("no database, nor anything else".utf8)
        case "cut": bytes.removeLast(bytes.count / 2)
        case "page":
            // In a page of a table; SQLite has no checksums, so its own check has to find it.
            for offset in stride(from: 4096, to: bytes.count, by: 4096) { bytes[offset] = 0x77 }
            try Self.execute("UPDATE meta SET value = 0 WHERE name = 'clean'", on: folder)
            bytes = try folder.bytes("index.sqlite")
            for offset in stride(from: 8192, to: bytes.count, by: 4096) { bytes[offset] = 0x77 }
        default:
            try Self.execute(
                "UPDATE meta SET value = '\(String(repeating: "0", count: 32))' WHERE name = 'collector'",
                on: folder)
            bytes = try folder.bytes("index.sqlite")
        }
        try folder.write(bytes, to: "index.sqlite")
        try await folder.with { store in
            #expect(store.openingFindings.map(\.code) == [.rebuiltIndex])
            let again = try await store.submit(
                phone.batch(1, 1...9, missing: [.init(4...4, .held)], rejecting: [7]))
            #expect(again.receipt?.name.number == 1)
        }
        #expect(try folder.indexContent() == kept)
        #expect(try folder.bytes("damaged-1/index.sqlite") == bytes || damage == "page")
        #expect(try !folder.bytes("damaged-1/reason.txt").isEmpty)
    }

    @Test("A truncated tail loses only the bytes after the cut, and writing continues")
    func truncatedTail() async throws {
        var ends: [Int] = []
        try await folder.with { store in
            for batch in 1...3 {
                let first = Int64(batch * 2 - 1)
                _ = try await store.submit(phone.batch(batch, first...first + 1))
                ends.append(try folder.bytes("segments/0000000001.segment").count)
            }
        }
        try folder.removeIndex()
        let whole = try folder.bytes("segments/0000000001.segment")
        for length in stride(from: ends[0], through: whole.count, by: 13) {
            let copy = try DataFolder()
            try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
            try copy.write(Array(whole[..<length]), to: "segments/0000000001.segment")
            let kept = ends.filter { $0 <= length }.count
            try await copy.with { store in
                #expect(store.openingFindings.map(\.code) == (ends.contains(length) ? [] : [.tornTail]))
                for batch in 1...3 {
                    let first = Int64(batch * 2 - 1)
                    let outcome = try await store.submit(phone.batch(batch, first...first + 1))
                    guard case .accepted(let receipt, let isRepeat) = outcome else {
                        Issue.record("\(outcome)")
                        return
                    }
                    #expect(isRepeat == (batch <= kept), "\(length) bytes")
                    #expect(receipt.name.number == Int64(batch))
                }
            }
            #expect(try copy.storedLines().count == 6)
            #expect(try copy.indexContent() == (try await copy.rebuiltIndexContent()), "\(length) bytes")
        }
    }

    @Test("A flipped bit loses only its frame, and is found")
    func flippedBit() async throws {
        try await folder.with { store in
            for batch in 1...4 { _ = try await store.submit(phone.batch(batch, Int64(batch)...Int64(batch))) }
        }
        var ranges: [Range<Int>] = []
        let segments = try Segments(StoreFolder(path: folder.path), SystemFiles(), collector: nil)
        try segments.scan(segments.found[0]) { ranges.append(Int($0.offset)..<Int($0.offset) + $0.length) }
        try folder.removeIndex()
        let whole = try folder.bytes("segments/0000000001.segment")
        var random = SeededGeneratorBox(11)
        for (frame, range) in ranges.enumerated() {
            for _ in 0..<6 {
                var bytes = whole
                bytes[random.number(range.lowerBound...range.upperBound - 1)] ^= 1 << UInt8(random.number(0...7))
                let copy = try DataFolder()
                try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
                try copy.write(bytes, to: "segments/0000000001.segment")
                try await copy.with { store in
                    let expected: [StoreFinding.Code] =
                        frame == 3 ? [.tornTail] : frame == 0 ? [.damagedFrame] : [.missingFrames, .damagedFrame]
                    #expect(store.openingFindings.map(\.code) == expected)
                }
                let stored = try copy.storedLines().compactMap { Int($0.split(separator: " ")[1]) }
                #expect(stored == [1, 2, 3, 4].filter { $0 != frame + 1 })
            }
        }
    }

    @Test("With a damaged header, all frames are read")
    func damagedHeader() async throws {
        try await folder.with({ $0.segmentBytes = 700 }) { try await fill($0) }
        let kept = try folder.indexContent()
        var bytes = try folder.bytes("segments/0000000002.segment")
        bytes[45] ^= 0xFF
        try folder.write(bytes, to: "segments/0000000002.segment")
        try folder.removeIndex()
        try await folder.with { store in #expect(store.openingFindings.map(\.code) == [.damagedHeader]) }
        #expect(try folder.indexContent() == kept)
    }

    @Test("An unreadable segment is quarantined, and its number is not used again")
    func unreadable() async throws {
        try await folder.with { store in _ = try await store.submit(phone.batch(1, 1...1)) }
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.file("segments/0000000002.segment")))
        try await folder.with { store in
            #expect(store.openingFindings.map(\.code) == [.unreadableSegment])
            let receipt = try await store.submit(phone.batch(2, 2...2)).receipt
            #expect(receipt?.missing == [])
        }
        #expect(try folder.bytes("damaged-1/0000000002.segment") == [1, 2, 3])
        #expect(try folder.storedLines().count == 2)
    }

    @Test("A missing segment is reported, and its numbers stay known")
    func missingSegment() async throws {
        try await folder.with { store in _ = try await store.submit(phone.batch(1, 1...3)) }
        try FileManager.default.removeItem(atPath: folder.file("segments/0000000001.segment"))
        try await folder.with { store in
            #expect(store.openingFindings.map(\.code) == [.missingSegment])
            let receipt = try await store.submit(phone.batch(2, 1...4)).receipt
            #expect(receipt?.duplicates == [1...3])
            #expect(receipt?.name.number == 2)
        }
    }

    @Test("A newer version's files are rejected and not changed", arguments: ["segment", "index", "identity"])
    func newerVersion(what: String) async throws {
        try await folder.with { store in _ = try await store.submit(phone.batch(1, 1...3)) }
        switch what {
        case "segment":
            var bytes = try folder.bytes("segments/0000000001.segment")
            bytes[8] = 2
            var writer = ByteWriter()
            writer.fixed(Self.checksum(bytes[..<76]))
            bytes.replaceSubrange(76..<80, with: writer.bytes)
            try folder.write(bytes, to: "segments/0000000001.segment")
        case "index":
            try Self.execute("PRAGMA user_version = \(IndexSchema.version + 1)", on: folder)
        default: try folder.write(Array("swift-tracking collector 2\n".utf8), to: "collector")
        }
        // SQLite makes these two whenever it opens a database.
        func content() throws -> [[UInt8]] {
            try folder.allFiles().filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.map {
                try folder.bytes($0)
            }
        }
        let before = try content()
        #expect(try Self.openingFailure(folder) == .newerVersion)
        #expect(try content() == before)
    }

    @Test("A segment of another collector is rejected")
    func foreignSegment() async throws {
        let other = try DataFolder()
        try await other.with { store in _ = try await store.submit(phone.batch(1, 1...3)) }
        try await folder.with { store in _ = try await store.submit(phone.batch(1, 1...3)) }
        try FileManager.default.copyItem(
            atPath: other.file("segments/0000000001.segment"), toPath: folder.file("segments/0000000002.segment"))
        #expect(try Self.openingFailure(folder) == .foreign)
    }

    @Test("Files have mode 0600 and folders 0700, and symbolic links are rejected")
    func permissions() async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...3))
            for name in try folder.allFiles() {
                let mode =
                    try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(name)")
            }
            for name in ["", "segments"] {
                let mode =
                    try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
                #expect(mode == 0o700, "\(name)")
            }
        }
        let target = try DataFolder()
        try await target.with { _ in }
        let link = try DataFolder()
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target.path)
        #expect(try Self.openingFailure(link) == .cannotOpen)
        try FileManager.default.removeItem(atPath: folder.file("collector"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("collector"), withDestinationPath: target.file("collector"))
        #expect(try Self.openingFailure(folder) == .cannotOpen)
    }

    static func openingFailure(_ folder: DataFolder) throws -> StoreError.Code? {
        do {
            _ = try folder.open()
            return nil
        } catch let error as StoreError { return error.code }
    }
}

extension RecoveryTests {
    /// Changes a closed store's index.
    static func execute(_ sql: String, on folder: DataFolder) throws {
        let queue = try DatabaseQueue(path: folder.file("index.sqlite"))
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { cdigest_crc32c(0, $0.baseAddress, $0.count) }
    }
}
