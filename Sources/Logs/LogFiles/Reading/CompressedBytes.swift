internal import CZlib
internal import CZstd

/// Decompresses gzip data with any number of members, in constant memory for any compression ratio.
final class GzipBytes {
    private let source: FileBytes
    /// On the heap, since zlib keeps the address.
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var position = 0
    private var isBetweenMembers = false
    /// Whether zlib may hold output that did not fit into the last buffer.
    private var hasMoreOutput = false
    private var failure: LogFileError?

    /// The largest window, 15 bits; 16 more select gzip's header and checksum.
    private static let windowBits: Int32 = 15 + 16

    init(_ source: FileBytes) throws {
        self.source = source
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, size) == Z_OK else {
            throw LogFileError(.cannotRead, "cannot start zlib for \(source.name): free some memory and try again")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decompresses the next bytes into a buffer.
    ///
    /// - Returns: The number of bytes; 0 only at the end.
    /// - Throws: ``LogFileError``: `cannotRead`, `truncated`, `corrupt`, after all bytes before the error.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            if let failure { throw failure }
            if position == input.count && !hasMoreOutput {
                guard let chunk = try source.next() else {
                    if isBetweenMembers { return 0 }
                    throw LogFileError.brokenOff(source.name)
                }
                input = chunk
                position = 0
            }
            if isBetweenMembers && !startMember() { continue }
            let count = inflate(into: buffer)
            if count > 0 { return count }
        }
    }

    /// Skips zero padding, as on tapes and block devices, and prepares for the next member, if there is one.
    private func startMember() -> Bool {
        while position < input.count && input[position] == 0 { position += 1 }
        guard position < input.count else { return false }
        isBetweenMembers = inflateReset(stream) != Z_OK
        return !isBetweenMembers
    }

    private func inflate(into output: UnsafeMutableRawBufferPointer) -> Int {
        let status = input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress.map { $0 + position }
            stream.pointee.avail_in = UInt32(input.count - position)
            stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(clamping: output.count)
            let status = CZlib.inflate(stream, Z_NO_FLUSH)
            position = input.count - Int(stream.pointee.avail_in)
            return status
        }
        let count = min(output.count, Int(UInt32.max)) - Int(stream.pointee.avail_out)
        hasMoreOutput = stream.pointee.avail_out == 0 && status == Z_OK
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isBetweenMembers = true
        default:
            let reason = stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(status)"
            failure = .damaged(source.name, reason)
        }
        return count
    }
}

/// Decompresses zstd data (RFC 8878) with any number of frames.
final class ZstdBytes {
    /// Limits windows to 128 MiB, since they take as much memory.
    private static let largestWindow: Int32 = 27

    private let source: FileBytes
    private let context: OpaquePointer
    private var input: [UInt8] = []
    private var position = 0
    /// Whether a frame has started and not ended.
    private var isInFrame = false
    /// Whether the library may hold output that did not fit into the last buffer.
    private var hasMoreOutput = false
    private var failure: LogFileError?

    init(_ source: FileBytes) throws {
        self.source = source
        guard let context = ZSTD_createDCtx() else {
            throw LogFileError(.cannotRead, "cannot start zstd for \(source.name): free some memory and try again")
        }
        self.context = context
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.largestWindow)
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Decompresses the next bytes into a buffer.
    ///
    /// - Returns: The number of bytes; 0 only at the end.
    /// - Throws: ``LogFileError``: `cannotRead`, `truncated`, `corrupt`, after all bytes before the error.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            if let failure { throw failure }
            if position == input.count && !hasMoreOutput {
                guard let chunk = try source.next() else {
                    if !isInFrame { return 0 }
                    throw LogFileError.brokenOff(source.name)
                }
                input = chunk
                position = 0
            }
            let count = decompress(into: buffer)
            if count > 0 { return count }
        }
    }

    private func decompress(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        input.withUnsafeBytes { bytes in
            var from = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: position)
            var to = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
            let hint = ZSTD_decompressStream(context, &to, &from)
            if ZSTD_isError(hint) != 0 {
                failure = .damaged(source.name, String(cString: ZSTD_getErrorName(hint)))
            }
            position = from.pos
            isInFrame = hint != 0
            hasMoreOutput = to.pos == to.size && hint != 0
            return to.pos
        }
    }
}
