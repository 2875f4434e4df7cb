#if Collector
    internal import CZlib
    internal import CZstd
    package import DeliveryProtocol

    /// How a body is compressed on the wire.
    package enum BodyEncoding: String, CaseIterable, Sendable {
        case identity, gzip, zstd

        /// Reads a `Content-Encoding`; nil if it is not accepted.
        package init?(field: String?) {
            guard let field, !field.isEmpty else {
                self = .identity
                return
            }
            self.init(rawValue: field.lowercased())
        }

        /// The value of `Accept-Encoding` in a 415.
        package static let accepted = allCases.dropFirst().map(\.rawValue).joined(separator: ", ")
    }

    /// Decompresses a body while it arrives, and stops at the limits: what is over them is never in memory.
    ///
    /// Not safe to share between threads.
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

        /// - Throws: ``DeliveryProblem``, `unavailable`, if there is no memory.
        package init(_ encoding: BodyEncoding, limits: IntakeLimits = .init()) throws(DeliveryProblem) {
            self.limits = limits
            output = GrowingBytes(maximum: limits.maximumBytes + 1)
            switch encoding {
            case .identity: inflater = .identity
            case .gzip: inflater = .gzip(try GzipInflater())
            case .zstd: inflater = .zstd(try ZstdInflater())
            }
        }

        /// Takes the next bytes of the body.
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
                    "the decompressed body has more than \(limits.maximumBytes) bytes: split the batch")
            }
            guard output.count <= limits.ratioFloor || output.count / received <= limits.maximumRatio else {
                throw DeliveryProblem(
                    .tooLarge,
                    "the body decompresses to more than \(limits.maximumRatio) times its length: send it with less compression"
                )
            }
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
                throw DeliveryProblem(.malformed, "the compressed body is cut off: send the whole body again")
            }
            return output.bytes
        }
    }

    /// Bytes that grow in place, up to a limit.
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

        /// The free bytes at the end, at least one unless the limit is reached.
        mutating func room() -> UnsafeMutableRawBufferPointer {
            if count == capacity, capacity < maximum {
                let grown = min(maximum, capacity * 4)
                let new = UnsafeMutableRawPointer.allocate(byteCount: grown, alignment: 16)
                new.copyMemory(from: memory, byteCount: count)
                memory.deallocate()
                (memory, capacity) = (new, grown)
            }
            return UnsafeMutableRawBufferPointer(start: memory + count, count: capacity - count)
        }

        mutating func added(_ count: Int) { self.count += count }

        /// Appends as much as the limit lets in.
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

        var bytes: [UInt8] {
            // An empty array of that initializer writes to the one that all threads share: ThreadSanitizer says so.
            guard count > 0 else { return [] }
            return [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
                UnsafeMutableRawBufferPointer(target).copyMemory(
                    from: UnsafeRawBufferPointer(start: memory, count: count))
                initialized = count
            }
        }
    }

    /// gzip (RFC 1952), members one after the other.
    private final class GzipInflater {
        /// On the heap: zlib keeps a pointer to it.
        private let stream: UnsafeMutablePointer<z_stream>
        /// Whether the bytes so far end with a whole member.
        private(set) var isAtEnd = false

        init() throws(DeliveryProblem) {
            stream = .allocate(capacity: 1)
            stream.initialize(to: z_stream())
            // Fifteen bits of window; 16 more ask for gzip's header and checksum.
            guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
                stream.deallocate()
                throw DeliveryProblem(.unavailable, "no memory is left to decompress the body: try again later")
            }
        }

        deinit {
            inflateEnd(stream)
            stream.deallocate()
        }

        func write(_ chunk: UnsafeRawBufferPointer, to output: inout GrowingBytes) throws(DeliveryProblem) {
            guard let start = chunk.bindMemory(to: UInt8.self).baseAddress else { return }
            // zlib only reads there, but its header says otherwise.
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
            .malformed, "the gzip body is damaged: send it again, or without compression")
    }

    /// Zstandard (RFC 8878), frames one after the other, with windows of up to 8 MiB.
    private final class ZstdInflater {
        private let context: OpaquePointer
        private(set) var isAtEnd = false

        init() throws(DeliveryProblem) {
            guard let context = ZSTD_createDCtx() else {
                throw DeliveryProblem(.unavailable, "no memory is left to decompress the body: try again later")
            }
            self.context = context
            // What the RFC asks every decoder to support.
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
                        "the zstd body is damaged, or its window is over 8 MiB: send it again, or without compression")
                }
                isAtEnd = left == 0
                if input.pos == input.size, isAtEnd || target.pos < target.size { return }
            }
        }
    }
#endif
