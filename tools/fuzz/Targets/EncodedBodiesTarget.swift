internal import CZlib
internal import CZstd
internal import CollectorIntake
internal import DeliveryProtocol

/// Compressed bodies: all bytes decompress to a body within the limits or are rejected, independent of the pieces in
/// which they arrive.
///
/// An input is a byte, which determines the length of the pieces, and the compressed bytes.
package class EncodedBodiesTarget {
    private let encoding: BodyEncoding
    private var limits = IntakeLimits()

    init(_ encoding: BodyEncoding) {
        self.encoding = encoding
        limits.maximumBytes = 60_000
        limits.maximumRatio = 50
        limits.ratioFloor = 4096
    }

    func run(_ bytes: UnsafeRawBufferPointer) throws {
        guard let first = bytes.first else { return }
        let wire = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        let whole = try decoded(wire, pieces: wire.count)
        let parts = try decoded(wire, pieces: 1 + Int(first))
        switch (whole, parts) {
        case (.success(let body), .success(let other)):
            try require(body == other, "a body in pieces decompresses differently")
            try require(body.count <= limits.maximumBytes, "a body of \(body.count) bytes is within the limit")
            try require(
                body.count <= limits.ratioFloor || body.count / max(1, wire.count) <= limits.maximumRatio,
                "\(wire.count) bytes become \(body.count)")
        case (.failure(let error), .failure(let other)):
            // Damage after a limit is found only if the limit is checked later.
            try require(
                error.code == other.code || error.code == .tooLarge || other.code == .tooLarge,
                "a body is \(error.code), and in pieces \(other.code)")
        case (.success, .failure(let error)), (.failure(let error), .success):
            // The ratio is checked after each piece. If libzstd has a complete frame, it also rejects a frame that announces
            // more bytes than it has; piece by piece it accepts such a frame if its last block is empty.
            try require(
                error.code == .tooLarge || encoding == .zstd, "pieces change the verdict: \(error.detail)")
        }
    }

    private func decoded(_ wire: UnsafeRawBufferPointer, pieces: Int) throws -> Result<[UInt8], DeliveryProblem> {
        do throws(DeliveryProblem) {
            var decoder = try BodyDecoder(encoding, limits: limits)
            var rest = wire
            while !rest.isEmpty {
                let piece = rest.prefix(max(1, pieces))
                try decoder.write(UnsafeRawBufferPointer(rebasing: piece))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
            }
            return .success(try decoder.finish())
        } catch {
            try require([.malformed, .tooLarge].contains(error.code), "bytes are rejected as \(error.code)")
            return .failure(error)
        }
    }

    func seeds(_ compressed: ([UInt8]) -> [UInt8]) throws -> [[UInt8]] {
        let lines = try LineSeeds.lines()
        let bodies =
            BodySeeds.bodies(of: Array(lines.prefix(40))) + [[], Array(repeating: 0x20, count: 100_000)]
        let one = compressed(Array("{}\n".utf8))
        let damaged: [(first: UInt8, rest: [UInt8])] = [
            (0, one + one), (255, one.dropLast()), (1, one + [0]), (3, Array(one.dropFirst())),
            (9, one + one.prefix(5)),
        ]
        return bodies.map { [7] + compressed($0) } + damaged.map { [$0.first] + $0.rest }
    }
}

/// gzip (RFC 1952).
package final class GzipTarget: EncodedBodiesTarget, FuzzTarget {
    package static let name = "gzip"

    package init() throws { super.init(.gzip) }

    package func seeds() throws -> [[UInt8]] { try seeds(Self.compressed) }

    override package func run(_ bytes: UnsafeRawBufferPointer) throws { try super.run(bytes) }

    private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: bytes.count + 100)
        var input = bytes
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                deflate(&stream, Z_FINISH)
                return output.count - Int(stream.avail_out)
            }
        }
        return Array(output[..<count])
    }
}

/// Zstandard (RFC 8878).
package final class ZstdTarget: EncodedBodiesTarget, FuzzTarget {
    package static let name = "zstd"

    package init() throws { super.init(.zstd) }

    package func seeds() throws -> [[UInt8]] { try seeds(Self.compressed) }

    override package func run(_ bytes: UnsafeRawBufferPointer) throws { try super.run(bytes) }

    private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
        let count = ZSTD_compress(&output, output.count, bytes, bytes.count, 3)
        return Array(output.prefix(count))
    }
}
