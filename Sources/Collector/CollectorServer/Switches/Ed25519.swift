#if canImport(CryptoKit)
    internal import CryptoKit
    internal import Foundation
#elseif SwiftCrypto
    internal import Crypto
    internal import Foundation
#endif

/// Ed25519 keys and signatures (RFC 8032): by CryptoKit on Apple systems, elsewhere by swift-crypto, with the package
/// trait `SwiftCrypto`.
package enum Ed25519 {
    /// Whether this program was built with signatures.
    package static var isAvailable: Bool {
        #if canImport(CryptoKit) || SwiftCrypto
            true
        #else
            false
        #endif
    }

    /// The error of a program without signatures.
    package static let isMissing =
        "this collector was built without signatures; build it with --traits SwiftCrypto"

    /// Generates a random key; nil without signatures.
    static func draw() -> (privateKey: [UInt8], publicKey: [UInt8])? {
        #if canImport(CryptoKit) || SwiftCrypto
            let key = Curve25519.Signing.PrivateKey()
            return (Array(key.rawRepresentation), Array(key.publicKey.rawRepresentation))
        #else
            return nil
        #endif
    }

    /// Signs bytes; nil if the key is not an Ed25519 key, or without signatures.
    static func signature(of message: [UInt8], privateKey: [UInt8]) -> [UInt8]? {
        #if canImport(CryptoKit) || SwiftCrypto
            // The caller reports each lost error as a key that is not an Ed25519 key.
            guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: privateKey),
                let signature = try? key.signature(for: message)
            else { return nil }
            return Array(signature)
        #else
            return nil
        #endif
    }
}
