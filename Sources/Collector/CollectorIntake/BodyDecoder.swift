internal import CZlib
internal import CZstd
package import DeliveryProtocol

/// The compression of a request body.
package enum BodyEncoding: String, CaseIterable, Sendable {
    case identity, gzip, zstd

    /// Reads a `Content-Encoding`; nil for an unsupported encoding.
    package init?(field: String?) {
        guard let field, !field.isEmpty else {
            self = .identity
            return
        }
        self.init(rawValue: field.lowercased())
    }

    /// The value of `Accept-Encoding` in a response 415.
    package static let accepted = allCases.dropFirst().map(\.rawValue).joined(separator: ", ")
}

/// Decompresses a body as it arrives. It stops at the limits, so memory use is bounded.
///
/// Not thread-safe.
package struct BodyDecoder: ~Copyable {
    private let limits: IntakeLimits
    private let inflater: Inflater
    private var output: GrowingBytes
    private var received = 0

    private enum Inflater {
        case identity
        case gzip(GzipInflater)
        case zstd(ZstdInflater)
    }

    /// - Throws: ``DeliveryProblem``, `unavailable`, if memory is exhausted.
    package init(_ encoding: BodyEncoding, limits: IntakeLimits = .init()) throws(DeliveryProblem) {
        self.limits = limits
        output = GrowingBytes(maximum: limits.maximumBytes + 1)
        switch encoding {
        case .identity: inflater = .identity
        case .gzip: inflater = .gzip(try GzipInflater())
        case .zstd: inflater = .zstd(try ZstdInflater())
        }
    }

    /// Decompresses the next bytes of the body.
    ///
    /// - Throws: ``DeliveryProblem``: `malformed` for damaged bytes, `tooLarge` at a limit.
    package mutating func write(_ chunk: UnsafeRawBufferPointer) throws(DeliveryProblem) {
        guard !chunk.isEmpty else { return }
        received += chunk.count
        switch inflater {
        case .identity: output.append(chunk)
        case .gzip(let gzip): try gzip.write(chunk, to: &output)
        case .zstd(let zstd): try zstd.write(chunk, to: &output)
        }
        guard output.count <= limits.maximumBytes else {
            throw DeliveryProblem(
                .tooLarge,
                "the decompressed body exceeds \(limits.maximumBytes) bytes; split the batch")
        }
        guard output.count <= limits.ratioFloor || output.count / received <= limits.maximumRatio else {
            throw DeliveryProblem(
                .tooLarge,
                "the compression ratio exceeds \(limits.maximumRatio); compress the body less"
            )
        }
    }

    /// The number of decompressed bytes so far.
    package var count: Int { output.count }

    /// Calls `body` with the decompressed bytes so far.
    borrowing func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        output.withBytes(body)
    }

    /// Ends the body.
    ///
    /// - Throws: ``DeliveryProblem``, `malformed`, if compressed bytes are missing.
    package consuming func finish() throws(DeliveryProblem) -> [UInt8] {
        let isWhole =
            switch inflater {
            case .identity: true
            case .gzip(let gzip): gzip.isAtEnd
            case .zstd(let zstd): zstd.isAtEnd
            }
        guard isWhole else {
            throw DeliveryProblem(.malformed, "the compressed body is truncated; resend it")
        }
        return output.bytes
    }
}

/// A byte buffer that grows in place, up to a limit.
private struct GrowingBytes: ~Copyable {
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0
    private let maximum: Int

    init(maximum: Int) {
        self.maximum = maximum
        capacity = min(maximum, 64 << 10)
        memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// The free bytes at the end: at least one unless the limit is reached.
    mutating func room() -> UnsafeMutableRawBufferPointer {
        if count == capacity, capacity < maximum {
            let grown = min(maximum, capacity * 4)
            let new = UnsafeMutableRawPointer.allocate(byteCount: grown, alignment: 16)
            new.copyMemory(from: memory, byteCount: count)
            memory.deallocate()
            memory = new
            capacity = grown
        }
        return UnsafeMutableRawBufferPointer(start: memory + count, count: capacity - count)
    }

    mutating func added(_ count: Int) { self.count += count }

    /// Appends bytes, at most as many as the limit allows.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty {
            let room = room()
            guard !room.isEmpty else { return }
            let part = min(room.count, rest.count)
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<part]))
            added(part)
            rest = UnsafeRawBufferPointer(rebasing: rest[part...])
        }
    }

    borrowing func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    var bytes: [UInt8] {
        // An empty array from that initializer writes to storage that all threads share, which ThreadSanitizer
        // reports.
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
            UnsafeMutableRawBufferPointer(target).copyMemory(
                from: UnsafeRawBufferPointer(start: memory, count: count))
            initialized = count
        }
    }
}

/// Decompresses gzip (RFC 1952), with any number of members.
private final class GzipInflater {
    /// On the heap because zlib keeps a pointer to it.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether the input so far ends with a complete member.
    private(set) var isAtEnd = false

    init() throws(DeliveryProblem) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window; adding 16 enables gzip's header and checksum.
        guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            throw DeliveryProblem(.unavailable, "cannot decompress the body: out of memory; retry later")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func write(_ chunk: UnsafeRawBufferPointer, to output: inout GrowingBytes) throws(DeliveryProblem) {
        guard let start = chunk.bindMemory(to: UInt8.self).baseAddress else { return }
        // zlib only reads these bytes, but the header declares the pointer mutable.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
        stream.pointee.avail_in = UInt32(clamping: chunk.count)
        repeat {
            if isAtEnd {
                guard stream.pointee.avail_in > 0 else { return }
                guard inflateReset(stream) == Z_OK else { throw Self.damaged }
                isAtEnd = false
            }
            let room = output.room()
            guard !room.isEmpty else { return }
            stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(clamping: room.count)
            let status = inflate(stream, Z_NO_FLUSH)
            output.added(room.count - Int(stream.pointee.avail_out))
            switch status {
            case Z_OK: break
            case Z_STREAM_END: isAtEnd = true
            case Z_BUF_ERROR: return
            default: throw Self.damaged
            }
        } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
    }

    private static let damaged = DeliveryProblem(
        .malformed, "the gzip body is damaged; resend it, or send it uncompressed")
}

/// Decompresses Zstandard (RFC 8878), with any number of frames and windows of up to 8 MiB.
private final class ZstdInflater {
    private let context: OpaquePointer
    private(set) var isAtEnd = false

    init() throws(DeliveryProblem) {
        guard let context = ZSTD_createDCtx() else {
            throw DeliveryProblem(.unavailable, "cannot decompress the body: out of memory; retry later")
        }
        self.context = context
        // The RFC requires every decoder to support this window.
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 23)
    }

    deinit { ZSTD_freeDCtx(context) }

    func write(_ chunk: UnsafeRawBufferPointer, to output: inout GrowingBytes) throws(DeliveryProblem) {
        var input = ZSTD_inBuffer(src: chunk.baseAddress, size: chunk.count, pos: 0)
        while true {
            let room = output.room()
            guard !room.isEmpty else { return }
            var target = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
            let left = ZSTD_decompressStream(context, &target, &input)
            output.added(target.pos)
            guard ZSTD_isError(left) == 0 else {
                throw DeliveryProblem(
                    .malformed,
                    "the zstd body is damaged or its window exceeds 8 MiB; resend it, or send it uncompressed")
            }
            isAtEnd = left == 0
            if input.pos == input.size, isAtEnd || target.pos < target.size { return }
        }
    }
}
