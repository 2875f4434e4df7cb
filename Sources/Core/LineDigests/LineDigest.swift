internal import CDigest
internal import Primitives

/// The digests of lines: SHA-256 without the line feed, with the processor's SHA instructions if available.
package enum LineDigest {
    /// The length of a digest in the index, in bytes: enough to tell a retry from a fork.
    package static let keptBytes = 16

    private static let hasInstructions = cdigest_has_sha256()

    /// Writes the SHA-256 of a message, 32 bytes.
    package static func write(_ message: UnsafeRawBufferPointer, to digest: UnsafeMutablePointer<UInt8>) {
        if hasInstructions {
            cdigest_sha256(message.baseAddress, message.count, digest)
        } else {
            let words = message.withMemoryRebound(to: UInt8.self) { SHA256.digest($0) }
            for index in 0..<32 {
                digest[index] = UInt8(truncatingIfNeeded: words[index / 4] >> UInt32(24 - 8 * (index % 4)))
            }
        }
    }

    /// The SHA-256 of a message, 32 bytes.
    package static func bytes(of message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { memory, count in
            if let start = memory.baseAddress { message.withUnsafeBytes { write($0, to: start) } }
            count = 32
        }
    }

    /// A line's summand in the hash of a range: the first eight bytes of its digest, little-endian.
    ///
    /// - Parameter line: The exact bytes without the line feed.
    package static func summand(of line: UnsafeRawBufferPointer) -> UInt64 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digest in
            guard let start = digest.baseAddress else { return 0 }
            write(line, to: start)
            return summand(UnsafeRawBufferPointer(digest), at: 0)
        }
    }

    /// A line's summand, from the digests of lines as the index has them.
    package static func summand(_ hashes: UnsafeRawBufferPointer, at index: Int) -> UInt64 {
        UInt64(littleEndian: hashes.loadUnaligned(fromByteOffset: keptBytes * index, as: UInt64.self))
    }

    /// The hash of the lines in a range of indices: the sum of their summands modulo 2^64.
    package static func sum(_ hashes: [UInt8], _ indices: Range<Int>) -> UInt64 {
        hashes.withUnsafeBytes { hashes in indices.reduce(0) { $0 &+ summand(hashes, at: $1) } }
    }

    /// Whether two digests are equal, compared in constant time.
    package static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }

    /// The key by which the index finds a user's batches. Only the segments contain the user's id itself.
    package static func userKey(_ user: String) -> Int64 {
        let digest = bytes(of: Array(user.utf8))
        return digest.withUnsafeBytes { Int64(littleEndian: $0.loadUnaligned(as: Int64.self)) }
    }
}
