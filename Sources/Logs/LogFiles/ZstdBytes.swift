internal import CZstd

/// The bytes inside zstd data of any number of frames (RFC 8878), as many at a time as there is room for.
final class ZstdBytes {
    /// Windows of more than 128 MiB, which nobody needs for logs, are refused: they would take as much memory.
    private static let largestWindow: Int32 = 27

    private let source: FileBytes
    private let context: OpaquePointer
    private var input: [UInt8] = []
    private var position = 0
    /// Whether a frame has begun and not ended.
    private var isInFrame = false
    /// The library may hold more output than the last block had room for.
    private var hasMoreOutput = false
    private var failure: LogFileError?

    init(_ source: FileBytes) throws {
        self.source = source
        guard let context = ZSTD_createDCtx() else {
            throw LogFileError(.cannotRead, "zstd does not start for \(source.name): free some memory and try again")
        }
        self.context = context
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.largestWindow)
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Unpacks the next bytes to where they are wanted.
    ///
    /// - Returns: How many; 0 only at the end.
    /// - Throws: ``LogFileError``: `cannotRead`, `truncated`, `corrupt`, after all bytes before the fault.
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
