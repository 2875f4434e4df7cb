internal import CZlib
internal import CZstd

/// Compresses bodies like clients do.
package enum Compression {
    /// Compresses to one gzip member.
    package static func gzip(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else { preconditionFailure("zlib is out of memory") }
        defer { deflateEnd(&stream) }
        var input = bytes
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END, "deflateBound is an upper bound")
            }
            count = bound - Int(stream.avail_out)
        }
    }

    /// Compresses to one Zstandard frame with a checksum.
    ///
    /// - Parameter windowLog: The binary logarithm of the window size; 0 for the level's default.
    package static func zstd(_ bytes: [UInt8], level: Int32 = 3, windowLog: Int32 = 0) -> [UInt8] {
        guard let context = ZSTD_createCCtx() else { preconditionFailure("zstd is out of memory") }
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        // Otherwise the window is only as long as the content, whatever size is requested.
        ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, windowLog == 0 ? 1 : 0)
        ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowLog)
        return [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { output, count in
            // A stream of unknown length keeps its window.
            var source = bytes.withUnsafeBytes { ZSTD_inBuffer(src: $0.baseAddress, size: $0.count, pos: 0) }
            var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
            bytes.withUnsafeBytes { input in
                source.src = input.baseAddress
                while source.pos < source.size { ZSTD_compressStream2(context, &target, &source, ZSTD_e_continue) }
                precondition(ZSTD_compressStream2(context, &target, &source, ZSTD_e_end) == 0, "too little space")
            }
            count = target.pos
        }
    }
}
