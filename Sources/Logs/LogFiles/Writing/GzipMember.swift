internal import CZlib

/// Compresses with gzip.
package enum GzipMember {
    /// Compresses bytes to one member, without name and time: the same bytes give the same member. A file may have
    /// several members.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`, if zlib cannot allocate memory.
    package static func compress(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8] {
        var member: [UInt8] = []
        try GzipPacker().pack(bytes, isLast: true) { member.append(contentsOf: $0) }
        return member
    }
}

/// Compresses bytes to one gzip member (RFC 1952), without name and time: the same bytes give the same member.
final class GzipPacker {
    /// On the heap, since zlib keeps the address.
    private let stream: UnsafeMutablePointer<z_stream>
    private static let blockSize = 64 << 10
    /// The largest window, 15 bits; 16 more select gzip's header and checksum.
    private static let windowBits: Int32 = 15 + 16
    /// zlib's defaults for compression and memory.
    private static let level: Int32 = 6
    private static let memoryLevel: Int32 = 8

    /// - Throws: ``LogFileError``, `cannotWrite`, if zlib cannot allocate memory.
    init() throws {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(
                stream, Self.level, Z_DEFLATED, Self.windowBits, Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                size) == Z_OK
        else { throw Self.noMemory }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses bytes, and calls `body` with the output that is ready.
    ///
    /// - Parameter isLast: Whether these are the last bytes.
    /// - Throws: ``LogFileError``, `cannotWrite`, and everything that `body` throws.
    func pack(_ bytes: UnsafeRawBufferPointer, isLast: Bool, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        var rest = bytes
        repeat {
            let block = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(Int32.max)))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(block.count))
            try packBlock(block, isLast: isLast && rest.isEmpty, body)
        } while !rest.isEmpty
    }

    private func packBlock(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        // zlib does not modify the input, although its header lacks const.
        let input = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.next_in = input
        stream.pointee.avail_in = UInt32(bytes.count)
        try withUnsafeTemporaryAllocation(byteCount: Self.blockSize, alignment: 16) { output in
            var status = Z_OK
            repeat {
                stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = UInt32(output.count)
                status = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw Self.noMemory }
                let count = output.count - Int(stream.pointee.avail_out)
                if count > 0 { try body(UnsafeRawBufferPointer(rebasing: output[..<count])) }
            } while stream.pointee.avail_out == 0 || (isLast && status != Z_STREAM_END)
        }
    }

    private static var noMemory: LogFileError {
        LogFileError(.cannotWrite, "cannot compress: zlib is out of memory; free some and try again")
    }
}
