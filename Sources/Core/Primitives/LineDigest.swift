/// The digests of lines: SHA-256 without the line feed.
package enum LineDigest {
    /// The length of a digest in the index, in bytes: enough to tell a retry from a fork.
    package static let keptBytes = 16

    /// A line's summand in the hash of a range: the first eight bytes of its digest, little-endian.
    ///
    /// - Parameter line: The exact bytes without the line feed.
    package static func summand(of line: UnsafeRawBufferPointer) -> UInt64 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digest in
            guard let start = digest.baseAddress else { return 0 }
            SHA256.write(line, to: start)
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
        let digest = SHA256.bytes(of: Array(user.utf8))
        return digest.withUnsafeBytes { Int64(littleEndian: $0.loadUnaligned(as: Int64.self)) }
    }
}
