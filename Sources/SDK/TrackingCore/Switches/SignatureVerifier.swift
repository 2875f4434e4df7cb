#if canImport(CryptoKit)
    internal import CryptoKit
    internal import Foundation
#endif

/// Verifies the signatures of remote switches.
///
/// Apple systems have one: `CryptoKitVerifier`. On other systems, use `SwiftCryptoVerifier` of the product
/// `TrackingCrypto`, or your own.
public protocol SignatureVerifier: Sendable {
    /// Returns whether a signature is valid. Called on a background thread.
    ///
    /// - Parameters:
    ///   - signature: The 64 bytes of an Ed25519 signature (RFC 8032).
    ///   - message: The signed bytes.
    ///   - publicKey: The 32 bytes of the public key.
    func isValid(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool
}

#if canImport(CryptoKit)
    /// Verifies signatures with CryptoKit.
    public struct CryptoKitVerifier: SignatureVerifier {
        /// Makes a verifier.
        public init() {}

        public func isValid(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
            // The reason is lost: with a malformed key, no signature is valid.
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else { return false }
            return key.isValidSignature(Data(signature), for: Data(message))
        }
    }
#endif
