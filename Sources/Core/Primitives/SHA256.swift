internal import CDigest

/// SHA-256 (FIPS 180-4), with the processor's instructions if it has them. Allocates nothing, however long the message.
package enum SHA256 {
    private static let hasInstructions = cdigest_has_sha256()

    /// The digest of a message as eight words.
    package static func digest(_ message: UnsafeBufferPointer<UInt8>) -> SIMD8<UInt32> {
        guard hasInstructions else { return portableDigest(message) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { memory in
            guard let start = memory.baseAddress else { return SIMD8() }
            cdigest_sha256(message.baseAddress, message.count, start)
            var words = SIMD8<UInt32>()
            for index in 0..<8 {
                words[index] = UInt32(
                    bigEndian: UnsafeRawPointer(start).loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
            }
            return words
        }
    }

    /// Writes the 32 bytes of a message's digest.
    package static func write(_ message: UnsafeRawBufferPointer, to digest: UnsafeMutablePointer<UInt8>) {
        if hasInstructions {
            cdigest_sha256(message.baseAddress, message.count, digest)
        } else {
            let words = message.withMemoryRebound(to: UInt8.self) { portableDigest($0) }
            for index in 0..<8 {
                UnsafeMutableRawPointer(digest).storeBytes(
                    of: words[index].bigEndian, toByteOffset: 4 * index, as: UInt32.self)
            }
        }
    }

    /// The same as ``digest(_:)``, for processors without the instructions, and for its tests.
    package static func portableDigest(_ message: UnsafeBufferPointer<UInt8>) -> SIMD8<UInt32> {
        var state = SIMD8<UInt32>(
            0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19)
        let whole = message.count / 64 * 64
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            for start in stride(from: 0, to: whole, by: 64) {
                process(UnsafeBufferPointer(rebasing: message[start..<start + 64]), into: &state, schedule)
            }
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { last in
                last.initialize(repeating: 0)
                let rest = message.count - whole
                for index in 0..<rest { last[index] = message[whole + index] }
                last[rest] = 0x80
                let length = rest < 56 ? 64 : 128
                let bits = UInt64(message.count) * 8
                for index in 0..<8 { last[length - 1 - index] = UInt8(truncatingIfNeeded: bits >> (8 * UInt64(index))) }
                for start in stride(from: 0, to: length, by: 64) {
                    process(UnsafeBufferPointer(rebasing: last[start..<start + 64]), into: &state, schedule)
                }
            }
        }
        return state
    }

    /// Writes the 64 lowercase hexadecimal digits of a digest.
    package static func writeHex(_ digest: SIMD8<UInt32>, to memory: UnsafeMutableRawBufferPointer) {
        for word in 0..<8 {
            for digit in 0..<8 {
                let value = UInt8(truncatingIfNeeded: digest[word] >> UInt32(28 - 4 * digit)) & 0xF
                memory[8 * word + digit] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
            }
        }
    }

    /// Processes a block of 64 bytes.
    private static func process(
        _ block: UnsafeBufferPointer<UInt8>, into state: inout SIMD8<UInt32>,
        _ schedule: UnsafeMutableBufferPointer<UInt32>
    ) {
        for index in 0..<16 {
            schedule[index] =
                UInt32(block[4 * index]) << 24 | UInt32(block[4 * index + 1]) << 16
                | UInt32(block[4 * index + 2]) << 8 | UInt32(block[4 * index + 3])
        }
        for index in 16..<64 {
            let early = schedule[index - 15]
            let late = schedule[index - 2]
            let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
        var a = state[0]
        var b = state[1]
        var c = state[2]
        var d = state[3]
        var e = state[4]
        var f = state[5]
        var g = state[6]
        var h = state[7]
        for index in 0..<64 {
            let high = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ high &+ choice &+ constants[index] &+ schedule[index]
            let low = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ low &+ majority)
        }
        state &+= SIMD8(a, b, c, d, e, f, g, h)
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension SHA256 {
    /// The 32 bytes of the digest of a message. Complexity: O(bytes).
    package static func bytes(of message: some Collection<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { memory, count in
            if let start = memory.baseAddress { Array(message).withUnsafeBytes { write($0, to: start) } }
            count = 32
        }
    }

    /// The digest of a message as 64 lowercase hexadecimal digits.
    package static func hexadecimal(_ message: some Collection<UInt8>) -> String {
        let digest = Array(message).withUnsafeBufferPointer { Self.digest($0) }
        return String(unsafeUninitializedCapacity: 64) { memory in
            writeHex(digest, to: UnsafeMutableRawBufferPointer(memory))
            return 64
        }
    }
}
