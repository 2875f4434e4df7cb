import Primitives
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    // FIPS 180-4 examples of NIST, and its test of a million letters.
    @Test(
        "of NIST's messages equals NIST's results",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
                    + "nopqrstu", 1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
            ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ])
    func vectors(_ text: String, _ count: Int, _ digest: String) {
        #expect(SHA256.hexadecimal(Array(String(repeating: text, count: count).utf8)) == digest)
    }

    @Test("by the processor's instructions equals SHA-256 in Swift, for every length")
    func instructions() {
        var random = SplitMix64(seed: 3)
        let message = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
        for length in 0...300 {
            message[..<length].withUnsafeBufferPointer { part in
                let expected = SHA256.portableDigest(part)
                #expect(SHA256.digest(part) == expected, "\(length) bytes")
                let bytes = (0..<32).map { UInt8(truncatingIfNeeded: expected[$0 / 4] >> UInt32(24 - 8 * ($0 % 4))) }
                #expect(SHA256.bytes(of: part) == bytes, "\(length) bytes")
            }
        }
    }
}
