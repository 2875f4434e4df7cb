import CDigest
import DeliveryProtocol
import EventModel
import Primitives
import Testing

@testable import CollectorStore

@Suite("Frames, headers and digests")
struct FrameTests {
    private static let batch = BatchFrame(
        receivedAt: -5, sentAt: 77, installID: "install-ä", secretHash: Array(repeating: 3, count: 32),
        key: Array(0..<16), digest: Array(repeating: 9, count: 32), named: ReceiptName(collector: "c", number: 41),
        seqs: 1...20, absent: [.init(3...4, .held), .init(9...9, .deliveredEarlier)],
        ledger: [
            .init(reason: "evicted", seqs: 3...4, count: 2),
            .init(
                reason: "runaway", seqs: nil, count: 12, times: .init(microseconds: -1)...(.init(microseconds: 2))),
        ], duplicates: [1...2], unverified: [5...5], erased: [6...6], missing: [7...8], highest: 20,
        rejected: [
            .init(
                rejection: .init(
                    seq: 10, id: "x", line: 3, code: "schema", message: "m", instancePath: "/a", schemaPath: "/b"),
                bytes: Array("{]".utf8)),
            .init(rejection: .init(seq: nil, id: nil, line: 4, code: "syntax", message: "n"), bytes: nil),
        ], removed: [11...12], users: ["u", ""], schemas: ["page-view/1-0-0"],
        lines: [
            .init(seq: 13, length: 5, time: .max, user: 0, schema: 0, isValidated: true),
            .init(seq: 20, length: 0, time: .min, user: 1, schema: 0, isValidated: false),
        ], text: Array("hallo\n\n".utf8))

    private static let state = InstallState(
        installID: "i", secretHash: [1], firstSeen: -1, lastSeen: 4, highest: 9,
        numbers: [(1...3, .stored), (4...4, .held), (5...9, .erased)],
        runs: [.init(seqs: 1...1, receipt: 5, hash: .max), .init(seqs: 2...3, receipt: 6, hash: 0)],
        ledger: batch.ledger, forks: [(7, fork)])

    private static let fork = ForkFrame(
        receivedAt: 3, installID: "i", key: [1, 2], acknowledged: [1...1, 3...9], forked: [2...2])

    private static let erasure = ErasureFrame(
        receivedAt: 8, installID: "install-ä", secretHash: Array(repeating: 3, count: 32), key: Array(0..<16),
        digest: Array(repeating: 9, count: 32), userKey: Array(repeating: 4, count: 16), user: "user-ü", through: 20,
        erased: [1...3, 7...7], named: [9...20], kept: 2)

    /// Without the user's id.
    private static var rewritten: ErasureFrame {
        var frame = erasure
        frame.user = nil
        return frame
    }

    private static var expiry: ExpiryFrame {
        var frame = ExpiryFrame(segment: 3, frames: 1...99, installs: [state])
        frame.erasures = [KeptErasure(erasure, number: 98)]
        return frame
    }

    static let contents: [FrameContent] = [
        .batch(batch), .ledger(LedgerFrame(receivedAt: 1, installID: "i", ledger: batch.ledger)), .fork(fork),
        .expiry(ExpiryFrame(segment: 3, frames: 1...99, installs: [state])),
        .erasure(erasure), .erasure(rewritten), .expiry(expiry),
    ]

    private func bytes(_ content: FrameContent) -> [UInt8] {
        var writer = ByteWriter()
        content.write(to: &writer)
        return writer.bytes
    }

    @Test("Each kind of frame can be read again", arguments: contents)
    func roundTrip(content: FrameContent) throws {
        let read = try bytes(content).withUnsafeBytes { try FrameContent(kind: content.kind, $0) }
        #expect(read == content)
    }

    @Test("A truncated frame is malformed", arguments: contents)
    func cut(content: FrameContent) {
        let whole = bytes(content)
        for length in whole.indices {
            #expect(throws: ByteReader.Malformed.self) {
                try whole[..<length].withUnsafeBytes { try FrameContent(kind: content.kind, $0) }
            }
        }
    }

    @Test("Random and damaged frames are read or rejected, without traps", arguments: contents)
    func spoilt(content: FrameContent) {
        var random = SeededGeneratorBox(7)
        let whole = bytes(content)
        for _ in 0..<3000 {
            var other = whole
            for _ in 0..<random.number(1...4) {
                other[random.number(0...other.count - 1)] = UInt8(random.number(0...255))
            }
            // What is read can be written, and read again.
            guard let read = try? other.withUnsafeBytes({ try FrameContent(kind: content.kind, $0) }) else {
                continue
            }
            let again = try? bytes(read).withUnsafeBytes { try FrameContent(kind: content.kind, $0) }
            #expect(again == read)
        }
    }

    @Test("Frames of unknown kinds are ignored")
    func unknownKind() throws {
        let read = try [UInt8]().withUnsafeBytes { try FrameContent(kind: 99, $0) }
        #expect(read == nil)
    }

    @Test("The checksum or the marker covers every bit of a frame")
    func flippedBits() throws {
        var writer = ByteWriter()
        _ = writer.frame(number: 5, marker: 0x1234_5678_9ABC_DEF0, kind: 1) { $0.text("payload") }
        let whole = writer.bytes
        func isIntact(_ bytes: [UInt8]) -> Bool {
            bytes.withUnsafeBytes { bytes in
                guard let header = FrameHeader(bytes, marker: 0x1234_5678_9ABC_DEF0),
                    header.payloadLength == bytes.count - FrameHeader.length
                else { return false }
                return FrameHeader.isIntact(
                    bytes, UnsafeRawBufferPointer(rebasing: bytes[FrameHeader.length...]), checksum: header.checksum
                )
            }
        }
        #expect(isIntact(whole))
        for bit in 0..<whole.count * 8 {
            var other = whole
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!isIntact(other), "bit \(bit)")
        }
    }

    @Test("A segment's header can be read again; a changed byte makes it damaged or a newer version")
    func header() {
        let header = SegmentHeader(
            generation: 2, number: 7, collector: CollectorID(bytes: Array(1...16)), marker: 99, firstFrame: 12,
            trustedBefore: 4096, createdAt: -3)
        #expect(header.bytes.count == SegmentHeader.length)
        #expect(SegmentHeader.read(header.bytes) == .header(header))
        for index in header.bytes.indices {
            var other = header.bytes
            other[index] ^= 0x10
            #expect(SegmentHeader.read(other) == .damaged, "byte \(index)")
        }
        #expect(SegmentHeader.read([]) == .damaged)
    }

    @Test("CRC-32C equals RFC 3720, with the instruction and with the table")
    func checksums() {
        let digits = Array("123456789".utf8)
        #expect(cdigest_crc32c(0, digits, digits.count) == 0xE306_9283)
        #expect(cdigest_crc32c_by_table(0, digits, digits.count) == 0xE306_9283)
        let bytes = (0..<100).map { UInt8($0) }
        for length in 0...100 {
            #expect(cdigest_crc32c(0, bytes, length) == cdigest_crc32c_by_table(0, bytes, length))
            let start = cdigest_crc32c(0, bytes, length)
            let rest = Array(bytes[length...])
            #expect(cdigest_crc32c(start, rest, rest.count) == cdigest_crc32c(0, bytes, 100))
        }
    }

    @Test("The hash of a range is the sum over its lines")
    func rangeHash() {
        let lines = ["one", "two", "three"].map { Array($0.utf8) }
        let expected = lines.reduce(UInt64(0)) { sum, line in
            sum &+ SHA256.bytes(of: line).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let hashes = lines.flatMap { SHA256.bytes(of: $0).prefix(LineDigest.keptBytes) }
        #expect(LineDigest.sum(hashes, 0..<3) == expected)
    }

    @Test("Digests are compared completely")
    func comparison() {
        let digest = [UInt8](0..<32)
        #expect(LineDigest.isEqual(digest, digest))
        for index in digest.indices {
            var other = digest
            other[index] ^= 1
            #expect(!LineDigest.isEqual(digest, other))
        }
        #expect(!LineDigest.isEqual(digest, Array(digest.dropLast())))
    }
}
