internal import Foundation

/// Inputs for the line reader that no example contains.
enum LineSeeds {
    static var all: [[UInt8]] {
        texts.map { [3] + Array($0.utf8) } + [compressed, [1] + compressed.dropFirst().dropLast(9)].map { Array($0) }
    }

    /// The lines of all examples, and similar invalid lines, without line feeds.
    static func lines() throws -> [[UInt8]] {
        try FuzzFiles.files(in: FuzzFiles.schemas.appendingPathComponent("examples"), ending: ".jsonl")
            .flatMap { try FuzzFiles.bytes(of: $0).split(separator: UInt8(ascii: "\n")).map { Array($0) } }
            + texts.filter { !$0.utf8.contains(UInt8(ascii: "\n")) }.map { Array($0.utf8) }
    }

    private static let texts = [
        "", "\n", "\r\n\r\n", "a\nb\rc\n\nd", "SQLite format 3\0",
        String(repeating: "x", count: 300) + "\ny", "\u{FEFF}{}\n",
        #"{"a":[1,-2.5e-3,true,false,null,"\"\\\/\b\f\n\r\t\u0041\uD83D\uDE00é😀"]}"#,
        "[0,-0,0.1,1e308,1e309,9007199254740993,9223372036854775808,1E+2,1e-400]",
        String(repeating: "[", count: 600), #"{"a":1,"a":2}"#, #"{"\u0061":1,"a":2}"#, #""\uD83D""#, "\u{0}",
    ]

    /// Two members of gzip data, each with the line `{}`: RFC 1952, written by hand, stored without compression.
    private static var compressed: [UInt8] {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        let block: [UInt8] = [1, 3, 0, 0xFC, 0xFF] + Array("{}\n".utf8)
        let check = Checksum.crc32(Array("{}\n".utf8))
        let trailer = (0..<4).map { UInt8(truncatingIfNeeded: check >> (8 * UInt32($0))) } + [3, 0, 0, 0]
        let member = header + block + trailer
        return [5] + member + member
    }
}

/// The checksum of gzip (RFC 1952, section 8).
private enum Checksum {
    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
