internal import CZlib
internal import Foundation

/// Packs bytes into one member of gzip data (RFC 1952), at zlib's usual strength.
final class GzipPacker {
    /// On the heap: zlib keeps the address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let name: String
    private static let blockSize = 64 << 10
    /// Fifteen bits of window, the most there are; 16 more ask for gzip's header and checksum.
    private static let windowBits: Int32 = 15 + 16

    init(name: String) throws {
        self.name = name
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(
                stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, Self.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
                == Z_OK
        else { throw LogFileError.writing(name, ENOMEM) }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Packs bytes, and passes on what is ready.
    ///
    /// - Parameter isLast: Whether the data ends with them.
    func pack(_ bytes: UnsafeRawBufferPointer, isLast: Bool, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
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
                guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
                    throw LogFileError.writing(name, EIO)
                }
                let count = output.count - Int(stream.pointee.avail_out)
                if count > 0 { try body(UnsafeRawBufferPointer(rebasing: output[..<count])) }
            } while stream.pointee.avail_out == 0 || (isLast && status != Z_STREAM_END)
        }
    }
}
