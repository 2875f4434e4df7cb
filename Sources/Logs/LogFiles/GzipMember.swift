/// Compresses with gzip.
package enum GzipMember {
    /// All of some bytes as one member, without a name and a time: the same bytes give the same member. Members may stand
    /// one after the other in a file.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`, if zlib finds no memory.
    package static func compress(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8] {
        var member: [UInt8] = []
        try GzipPacker().pack(bytes, isLast: true) { member.append(contentsOf: $0) }
        return member
    }
}
