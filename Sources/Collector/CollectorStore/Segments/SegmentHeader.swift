internal import CDigest
internal import Primitives

/// The first 80 bytes of a segment. All integers are little-endian.
///
/// | offset | bytes | contents |
/// |---|---|---|
/// | 0 | 8 | `TRKSEGMT` |
/// | 8 | 4 | version of the format: 1 |
/// | 12 | 4 | how often the segment was rewritten |
/// | 16 | 8 | the segment's number |
/// | 24 | 16 | the collector's id |
/// | 40 | 8 | the marker at the start of its frames |
/// | 48 | 8 | the number of its first frame; frames with that number or a later one in earlier segments are ignored
/// |
/// | 56 | 8 | the valid length of the previous segment, in bytes |
/// | 64 | 8 | creation time, in microseconds since 1970 |
/// | 72 | 4 | zero |
/// | 76 | 4 | CRC-32C of the first 76 bytes |
struct SegmentHeader: Equatable {
    static let length = 80
    static let version: UInt32 = 1
    private static let magic = Array("TRKSEGMT".utf8)

    var generation: UInt32 = 0
    var number: Int64
    var collector: CollectorID
    var marker: UInt64
    var firstFrame: Int64
    var trustedBefore: Int64
    var createdAt: Int64

    /// The result of reading the first bytes of a file.
    enum Reading: Equatable {
        case header(SegmentHeader)
        case newerVersion
        case damaged
    }

    static func read(_ bytes: [UInt8]) -> Reading {
        guard bytes.count >= length, bytes.starts(with: magic) else { return .damaged }
        return bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[8..<length]))
            do {
                let version = try reader.fixed(UInt32.self)
                let header = SegmentHeader(
                    generation: try reader.fixed(UInt32.self), number: try reader.fixed(Int64.self),
                    collector: CollectorID(bytes: Array(try reader.raw(16))), marker: try reader.fixed(UInt64.self),
                    firstFrame: try reader.fixed(Int64.self), trustedBefore: try reader.fixed(Int64.self),
                    createdAt: try reader.fixed(Int64.self))
                _ = try reader.fixed(UInt32.self)
                guard try reader.fixed(UInt32.self) == cdigest_crc32c(0, bytes.baseAddress, length - 4) else {
                    return .damaged
                }
                return version == Self.version ? .header(header) : .newerVersion
            } catch { return .damaged }  // The bytes end before the header does; the error adds nothing.
        }
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.raw(Self.magic)
        writer.fixed(Self.version)
        writer.fixed(generation)
        writer.fixed(number)
        writer.raw(collector.bytes)
        writer.fixed(marker)
        writer.fixed(firstFrame)
        writer.fixed(trustedBefore)
        writer.fixed(createdAt)
        writer.fixed(UInt32(0))
        writer.fixed(writer.bytes.withUnsafeBytes { cdigest_crc32c(0, $0.baseAddress, $0.count) })
        return writer.bytes
    }
}

/// The random id of a collector: 16 bytes, written as 32 hexadecimal digits.
package struct CollectorID: Hashable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Generates an id with the system's random generator.
    static func random() -> CollectorID {
        var generator = SystemRandomNumberGenerator()
        return CollectorID(bytes: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// Reads 32 lowercase hexadecimal digits.
    init?(_ text: some StringProtocol) {
        guard let bytes = [UInt8](hexadecimal: text), bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    package var description: String { bytes.hexadecimal }
}
