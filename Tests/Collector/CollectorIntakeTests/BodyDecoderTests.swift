import CollectorFixtures
import CollectorIntake
import DeliveryProtocol
import Foundation
import Testing

@Suite("Decompressing a body")
struct BodyDecoderTests {
    /// The decompressed bytes of a body that is fed in pieces.
    private static func decode(
        _ body: [UInt8], _ encoding: BodyEncoding, by piece: Int = .max, limits: IntakeLimits = .init()
    ) throws(DeliveryProblem) -> [UInt8] {
        var decoder = try BodyDecoder(encoding, limits: limits)
        var offset = 0
        while offset < body.count {
            let end = piece < body.count - offset ? offset + piece : body.count
            let written = body.withUnsafeBytes { bytes in
                Result { () throws(DeliveryProblem) in
                    try decoder.write(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
                }
            }
            try written.get()
            offset = end
        }
        return try decoder.finish()
    }

    private static func failure(
        _ body: [UInt8], _ encoding: BodyEncoding, by piece: Int = .max, limits: IntakeLimits = .init()
    ) -> DeliveryProblem? {
        do throws(DeliveryProblem) {
            _ = try decode(body, encoding, by: piece, limits: limits)
            return nil
        } catch { return error }
    }

    private static func encode(_ bytes: [UInt8], _ encoding: BodyEncoding) -> [UInt8] {
        switch encoding {
        case .identity: bytes
        case .gzip: Compression.gzip(bytes)
        case .zstd: Compression.zstd(bytes)
        }
    }

    private static let body = SendingInstall("install-a").body(1, 1...40)
    /// Bytes that hardly compress.
    private static let noise: [UInt8] = {
        var random = SystemRandomNumberGenerator()
        return (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    }()

    @Test(
        "Bodies in single bytes, pieces or as a whole decompress equally", arguments: BodyEncoding.allCases,
        [1, 7, 4096, Int.max])
    func pieces(encoding: BodyEncoding, piece: Int) throws {
        for content in [Self.body, Self.noise, [], [0x0A]] {
            #expect(try Self.decode(Self.encode(content, encoding), encoding, by: piece) == content)
        }
    }

    @Test(
        "Consecutive members and frames form one body", arguments: [BodyEncoding.gzip, .zstd], [1, Int.max])
    func members(encoding: BodyEncoding, piece: Int) throws {
        let parts = [Array(Self.body[..<100]), [], Array(Self.body[100..<3000]), Array(Self.body[3000...])]
        let body = parts.flatMap { Self.encode($0, encoding) }
        #expect(try Self.decode(body, encoding, by: piece) == Self.body)
    }

    @Test("A body truncated at any byte is rejected", arguments: [BodyEncoding.gzip, .zstd])
    func cutOff(encoding: BodyEncoding) {
        let whole = Self.encode(Array(Self.body[..<2000]), encoding)
        for length in 0..<whole.count {
            #expect(Self.failure(Array(whole[..<length]), encoding)?.code == .malformed, "cut at \(length)")
        }
        let second = whole + whole
        for length in whole.count + 1..<second.count {
            #expect(Self.failure(Array(second[..<length]), encoding)?.code == .malformed, "cut at \(length)")
        }
    }

    @Test(
        "A body with a damaged byte is rejected, unless the damage has no effect",
        arguments: [BodyEncoding.gzip, .zstd])
    func damaged(encoding: BodyEncoding) {
        let content = Array(Self.body[..<2000])
        let whole = Self.encode(content, encoding)
        var harmless = 0
        for index in whole.indices {
            var body = whole
            body[index] ^= 0x10
            do throws(DeliveryProblem) {
                #expect(try Self.decode(body, encoding) == content, "byte \(index)")
                harmless += 1
            } catch {
                #expect(error.code == .malformed, "byte \(index)")
            }
        }
        // Such as the time in gzip's header, and unused bits in zstd.
        #expect(harmless < 20)
        #expect(Self.failure(content, encoding)?.code == .malformed)
    }

    @Test(
        "Bytes after the end are rejected", arguments: [BodyEncoding.gzip, .zstd],
        [Array("x".utf8), [0], Array("no member and no frame".utf8)])
    func trailing(encoding: BodyEncoding, garbage: [UInt8]) {
        let whole = Self.encode(Self.body, encoding)
        for piece in [1, Int.max] {
            #expect(Self.failure(whole + garbage, encoding, by: piece)?.code == .malformed)
        }
    }

    @Test(
        "A body of the maximum length is accepted; a byte more is rejected", arguments: BodyEncoding.allCases,
        [1, 1000, Int.max])
    func limit(encoding: BodyEncoding, piece: Int) throws {
        var limits = IntakeLimits()
        limits.maximumBytes = Self.noise.count
        #expect(
            try Self.decode(Self.encode(Self.noise, encoding), encoding, by: piece, limits: limits) == Self.noise)
        let longer = Self.encode(Self.noise + [0], encoding)
        #expect(Self.failure(longer, encoding, by: piece, limits: limits)?.code == .tooLarge)
        // Also in another member.
        let parts = Self.encode(Self.noise, encoding) + Self.encode([0], encoding)
        #expect(Self.failure(parts, encoding, by: piece, limits: limits)?.code == .tooLarge)
    }

    @Test("A ratio above the maximum is rejected, above the minimum length", arguments: [BodyEncoding.gzip, .zstd])
    func ratio(encoding: BodyEncoding) throws {
        var limits = IntakeLimits()
        (limits.maximumBytes, limits.maximumRatio, limits.ratioFloor) = (1 << 20, 20, 10_000)
        let zeros = { (count: Int) in Self.encode([UInt8](repeating: 0, count: count), encoding) }
        #expect(try Self.decode(zeros(10_000), encoding, limits: limits).count == 10_000)
        let problem = Self.failure(zeros(200_000), encoding, limits: limits)
        #expect(problem?.code == .tooLarge)
        #expect(problem?.detail.contains("exceeds 20;") == true)
        limits.maximumRatio = 100_000
        #expect(try Self.decode(zeros(200_000), encoding, limits: limits).count == 200_000)
    }

    @Test("The default limits accept any batch of events within 900,000 bytes")
    func realLimits() throws {
        let lines = (1...4000 as ClosedRange<Int64>).map { SendingInstall("install-a").line($0) }
        let body = Array(SendingInstall.body(lines)[..<900_000])
        for encoding in BodyEncoding.allCases {
            #expect(try Self.decode(Self.encode(body, encoding), encoding) == body)
        }
    }

    #if os(Linux)
        /// The most memory that this process has had, in bytes.
        private static func peak() throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
            return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 1024
        }

        @Test(
            "A bomb of two gigabytes is rejected with flat memory", arguments: [BodyEncoding.gzip, .zstd])
        func bomb(encoding: BodyEncoding) throws {
            let part = Self.encode([UInt8](repeating: 0, count: 32 << 20), encoding)
            let bomb = [UInt8]((0..<64).map { _ in part }.joined())
            var limits = IntakeLimits()
            limits.maximumRatio = .max
            let before = try Self.peak()
            for piece in [100, Int.max] {
                #expect(Self.failure(bomb, encoding, by: piece, limits: limits)?.code == .tooLarge)
            }
            // Other tests run at the same time.
            #expect(try Self.peak() - before < 512 << 20)
        }
    #endif

    @Test("A zstd window of 8 MiB is accepted, a larger one is rejected")
    func window() throws {
        let body = Self.noise
        #expect(try Self.decode(Compression.zstd(body, windowLog: 23), .zstd) == body)
        #expect(Self.failure(Compression.zstd(body, windowLog: 24), .zstd)?.code == .malformed)
    }

    @Test("Content-Encoding is case-insensitive; unknown encodings are rejected")
    func names() {
        let fields: [(String?, BodyEncoding?)] = [
            (nil, .identity), ("", .identity), ("identity", .identity), ("GZip", .gzip), ("zstd", .zstd),
            ("br", nil), ("gzip, gzip", nil), ("x-gzip", nil),
        ]
        for (field, encoding) in fields { #expect(BodyEncoding(field: field) == encoding) }
        #expect(BodyEncoding.accepted == "gzip, zstd")
    }
}
