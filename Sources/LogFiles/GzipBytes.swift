internal import CZlib

/// The bytes inside gzip data of any number of members, in blocks of at most ``FileBytes/chunkSize``, however
/// strongly they were compressed.
final class GzipBytes {
    private let source: FileBytes
    /// On the heap: zlib keeps the address.
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var position = 0
    private var isBetweenMembers = false
    /// zlib may hold more output than the last block had room for.
    private var hasMoreOutput = false
    private var failure: LogFileError?

    /// Fifteen bits of window, the most there are; 16 more ask for gzip's header and checksum.
    private static let windowBits: Int32 = 15 + 16

    init(_ source: FileBytes) throws {
        self.source = source
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, size) == Z_OK else {
            throw LogFileError(.cannotRead, "zlib does not start for \(source.name): free some memory and try again")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// The next block, never empty; nil at the end.
    ///
    /// - Throws: ``LogFileError``: `cannotRead`, `truncatedGzip`, `corruptGzip`, after all blocks before the fault.
    func next() throws -> [UInt8]? {
        while true {
            if let failure { throw failure }
            if position == input.count && !hasMoreOutput {
                guard let chunk = try source.next() else {
                    if isBetweenMembers { return nil }
                    throw LogFileError(
                        .truncatedGzip,
                        """
                        the compressed data of \(source.name) breaks off before its end: get the file again from \
                        where it came from; the lines before the break were read
                        """)
                }
                input = chunk
                position = 0
            }
            if isBetweenMembers && !startMember() { continue }
            let block = inflateBlock()
            if !block.isEmpty { return block }
        }
    }

    /// Skips zeros, which tapes and block devices leave behind, and gets ready for what follows them, if anything.
    private func startMember() -> Bool {
        while position < input.count && input[position] == 0 { position += 1 }
        guard position < input.count else { return false }
        isBetweenMembers = inflateReset(stream) != Z_OK
        return !isBetweenMembers
    }

    private func inflateBlock() -> [UInt8] {
        var status = Z_OK
        let block = [UInt8](unsafeUninitializedCapacity: FileBytes.chunkSize) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.pointee.next_in = input.baseAddress.map { $0 + position }
                stream.pointee.avail_in = UInt32(input.count - position)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                status = inflate(stream, Z_NO_FLUSH)
                position = input.count - Int(stream.pointee.avail_in)
                count = output.count - Int(stream.pointee.avail_out)
            }
        }
        hasMoreOutput = stream.pointee.avail_out == 0 && status == Z_OK
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isBetweenMembers = true
        default:
            let reason = stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(status)"
            failure = LogFileError(
                .corruptGzip,
                """
                the compressed data of \(source.name) is damaged (\(reason)): get the file again from where it \
                came from; the lines before the damage were read
                """)
        }
        return block
    }
}
