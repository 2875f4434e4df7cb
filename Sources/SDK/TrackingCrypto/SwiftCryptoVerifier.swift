#if SwiftCrypto
    internal import Crypto
    public import TrackingCore

    /// Verifies the signatures of remote switches with swift-crypto, on systems without CryptoKit. Requires the package
    /// trait `SwiftCrypto`.
    public struct SwiftCryptoVerifier: SignatureVerifier {
        /// Makes a verifier.
        public init() {}

        public func isValid(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
            // The reason is lost: with a malformed key, no signature is valid.
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else { return false }
            return key.isValidSignature(signature, for: message)
        }
    }
#endif
