internal import CZlib

/// Compresses request bodies with gzip (RFC 1952).
enum Gzip {
    /// Fifteen bits of window; adding 16 selects gzip's header and checksum.
    private static let windowBits: Int32 = 15 + 16
    private static let level: Int32 = 6
    private static let memoryLevel: Int32 = 8

    /// A gzip member without name and time: equal bytes give equal members, for the same version of zlib.
    ///
    /// - Returns: nil if zlib runs out of memory.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(
                &stream, level, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        var isWhole = false
        let packed = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            bytes.withUnsafeBufferPointer { input in
                // zlib only reads from this pointer, although its header declares it as mutable.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
            count = bound - Int(stream.avail_out)
        }
        return isWhole ? packed : nil
    }
}
