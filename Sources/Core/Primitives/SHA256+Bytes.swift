extension SHA256 {
    /// The 32 bytes of the digest of a message. Complexity: O(bytes).
    package static func bytes(of message: some Collection<UInt8>) -> [UInt8] {
        let digest = Array(message).withUnsafeBufferPointer { Self.digest($0) }
        return (0..<32).map { UInt8(truncatingIfNeeded: digest[$0 / 4] >> UInt32(24 - 8 * ($0 % 4))) }
    }

    /// The digest of a message as 64 hexadecimal digits in lower case.
    package static func hexadecimal(_ message: some Collection<UInt8>) -> String {
        let digest = Array(message).withUnsafeBufferPointer { Self.digest($0) }
        return String(unsafeUninitializedCapacity: 64) { memory in
            writeHex(digest, to: UnsafeMutableRawBufferPointer(memory))
            return 64
        }
    }
}
