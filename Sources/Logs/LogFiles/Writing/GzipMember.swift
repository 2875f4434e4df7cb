internal import CZlib

/// Compresses with gzip.
package enum GzipMember {
    /// All of some bytes as one member, without a name and a time: the same bytes give the same member. Members may stand
    /// one after the other in a file.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`, if zlib finds no memory.
    package static func compress(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8] {
        var member: [UInt8] = []
        try GzipPacker().pack(bytes, isLast: true) { member.append(contentsOf: $0) }
        return member
    }
}

/// Packs bytes into one member of gzip data (RFC 1952), without a name and a time: the same bytes give the same member.
final class GzipPacker {
    /// On the heap: zlib keeps the address.
    private let stream: UnsafeMutablePointer<z_stream>
    private static let blockSize = 64 << 10
    /// Fifteen bits of window, the most there are; 16 more ask for gzip's header and checksum.
    private static let windowBits: Int32 = 15 + 16
    /// zlib's own choice between speed and size, and of memory.
    private static let level: Int32 = 6
    private static let memoryLevel: Int32 = 8

    /// - Throws: ``LogFileError``, `cannotWrite`, if zlib finds no memory.
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

    /// Packs bytes, and passes on what is ready.
    ///
    /// - Parameter isLast: Whether the data ends with them.
    /// - Throws: ``LogFileError``, `cannotWrite`, and what `body` throws.
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
        // zlib only reads there, but its header says otherwise.
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
        LogFileError(.cannotWrite, "zlib cannot pack: free some memory and try again")
    }
}
