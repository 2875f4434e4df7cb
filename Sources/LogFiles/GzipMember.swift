internal import CZlib

/// Compresses with gzip.
package enum GzipMember {
    /// Fifteen bits of window, the most there are; 16 more ask for gzip's header and checksum.
    private static let windowBits: Int32 = 15 + 16
    /// zlib's own choice between speed and size, and of memory.
    private static let level: Int32 = 6
    private static let memoryLevel: Int32 = 8

    /// All of some bytes as one member, without a name and a time: the same bytes give the same member. Members may stand
    /// one after the other in a file.
    ///
    /// - Throws: ``LogFileError``, `cannotRead`, if zlib finds no memory.
    package static func compress(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(
                &stream, level, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else { throw noMemory }
        defer { deflateEnd(&stream) }
        var input = bytes
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        var isDone = false
        let compressed = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            stream.next_out = buffer.baseAddress
            stream.avail_out = UInt32(buffer.count)
            repeat {
                let block = UnsafeRawBufferPointer(rebasing: input.prefix(Int(Int32.max)))
                input = UnsafeRawBufferPointer(rebasing: input.dropFirst(block.count))
                stream.next_in = UnsafeMutablePointer(mutating: block.bindMemory(to: UInt8.self).baseAddress)
                stream.avail_in = UInt32(block.count)
                isDone = deflate(&stream, input.isEmpty ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_END
            } while !input.isEmpty
            count = buffer.count - Int(stream.avail_out)
        }
        guard isDone else { throw noMemory }
        return compressed
    }

    private static var noMemory: LogFileError {
        LogFileError(.cannotRead, "zlib does not start: free some memory and try again")
    }
}
