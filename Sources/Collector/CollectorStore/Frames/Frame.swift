internal import CDigest

/// A record of a segment: a header of 28 bytes, then the payload. All integers are little-endian.
///
/// | offset | bytes | contents |
/// |---|---|---|
/// | 0 | 8 | the segment's random marker, so that a client's bytes can't be mistaken for a frame |
/// | 8 | 8 | the frame's number: one higher than that of the previous frame, across segments |
/// | 16 | 4 | length of the payload in bytes |
/// | 20 | 4 | the payload's kind |
/// | 24 | 4 | CRC-32C of the first 24 bytes and the payload |
struct FrameHeader: Equatable {
    static let length = 28
    /// More than the largest decompressed request needs, with all its metadata, and more than what is kept of
    /// millions of installs.
    static let maximumPayload = 1 << 30

    var number: Int64
    var kind: UInt32
    var payloadLength: Int
    var checksum: UInt32

    /// Reads a header; nil if the bytes are not a header of this segment.
    init?(_ bytes: UnsafeRawBufferPointer, marker: UInt64) {
        var reader = ByteReader(bytes)
        do {
            guard try reader.fixed(UInt64.self) == marker else { return nil }
            number = try reader.fixed(Int64.self)
            let length = try reader.fixed(UInt32.self)
            kind = try reader.fixed(UInt32.self)
            checksum = try reader.fixed(UInt32.self)
            guard number > 0, length <= Self.maximumPayload else { return nil }
            payloadLength = Int(length)
        } catch { return nil }  // The bytes end before the header does; the error adds nothing.
    }

    /// Whether the checksum of header and payload is correct.
    static func isIntact(_ header: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer, checksum: UInt32)
        -> Bool
    {
        Self.checksum(header, payload) == checksum
    }

    /// The checksum of a frame's first 24 bytes and its payload.
    static func checksum(_ header: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer) -> UInt32 {
        let start = cdigest_crc32c(0, header.baseAddress, 24)
        return cdigest_crc32c(start, payload.baseAddress, payload.count)
    }
}

extension ByteWriter {
    /// Appends a frame.
    ///
    /// - Returns: Its offset in the buffer, and its length in bytes.
    mutating func frame(
        number: Int64, marker: UInt64, kind: UInt32, _ payload: (inout ByteWriter) -> Void
    ) -> (offset: Int, length: Int) {
        let start = count
        fixed(marker)
        fixed(number)
        fixed(UInt32(0))
        fixed(kind)
        fixed(UInt32(0))
        payload(&self)
        let length = count - start
        overwrite(UInt32(length - FrameHeader.length), at: start + 16)
        let checksum = bytes.withUnsafeBytes { bytes in
            FrameHeader.checksum(
                UnsafeRawBufferPointer(rebasing: bytes[start..<start + 24]),
                UnsafeRawBufferPointer(rebasing: bytes[(start + FrameHeader.length)..<(start + length)]))
        }
        overwrite(checksum, at: start + 24)
        return (start, length)
    }
}

enum FrameContent: Equatable {
    case batch(BatchFrame)
    case ledger(LedgerFrame)
    case fork(ForkFrame)
    case expiry(ExpiryFrame)
    case erasure(ErasureFrame)

    static let batchKind: UInt32 = 1
    static let ledgerKind: UInt32 = 2
    static let forkKind: UInt32 = 3
    static let expiryKind: UInt32 = 4
    /// A batch with messages, and an expiry with messages.
    static let messagesKind: UInt32 = 5
    static let messagesExpiryKind: UInt32 = 6
    static let erasureKind: UInt32 = 7
    /// An expiry with erasures, and perhaps messages.
    static let erasuresExpiryKind: UInt32 = 8

    /// Whether frames of a kind are batches.
    static func isBatch(_ kind: UInt32) -> Bool { kind == batchKind || kind == messagesKind }

    var kind: UInt32 {
        switch self {
        case .batch(let frame): frame.messages.isEmpty ? Self.batchKind : Self.messagesKind
        case .ledger: Self.ledgerKind
        case .fork: Self.forkKind
        case .expiry(let frame):
            if !frame.erasures.isEmpty {
                Self.erasuresExpiryKind
            } else {
                frame.messages.isEmpty ? Self.expiryKind : Self.messagesExpiryKind
            }
        case .erasure: Self.erasureKind
        }
    }

    /// Reads a payload.
    ///
    /// - Returns: nil for a kind that this version does not know.
    /// - Throws: ``ByteReader/Malformed``.
    init?(kind: UInt32, _ payload: UnsafeRawBufferPointer) throws(ByteReader.Malformed) {
        var reader = ByteReader(payload)
        switch kind {
        case Self.batchKind: self = .batch(try BatchFrame(&reader))
        case Self.ledgerKind: self = .ledger(try LedgerFrame(&reader))
        case Self.forkKind: self = .fork(try ForkFrame(&reader))
        case Self.expiryKind: self = .expiry(try ExpiryFrame(&reader))
        case Self.messagesKind: self = .batch(try BatchFrame(withMessages: &reader))
        case Self.messagesExpiryKind: self = .expiry(try ExpiryFrame(withMessages: &reader))
        case Self.erasureKind: self = .erasure(try ErasureFrame(&reader))
        case Self.erasuresExpiryKind: self = .expiry(try ExpiryFrame(withErasures: &reader))
        default: return nil
        }
        guard reader.rest == 0 else { throw ByteReader.Malformed() }
    }

    func write(to bytes: inout ByteWriter) {
        switch self {
        case .batch(let frame):
            if !frame.messages.isEmpty { frame.writeMessages(to: &bytes) }
            frame.write(to: &bytes)
        case .ledger(let frame): frame.write(to: &bytes)
        case .fork(let frame): frame.write(to: &bytes)
        case .expiry(let frame):
            if !frame.erasures.isEmpty { frame.writeErasures(to: &bytes) }
            if !frame.messages.isEmpty || !frame.erasures.isEmpty { frame.writeMessages(to: &bytes) }
            frame.write(to: &bytes)
        case .erasure(let frame): frame.write(to: &bytes)
        }
    }
}
