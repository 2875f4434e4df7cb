package import DeliveryProtocol

/// A document that was read, and verified if it must be signed.
struct TrustedSwitches: Sendable {
    let document: SwitchesDocument
    /// The document's exact bytes.
    let payload: [UInt8]
    /// The signed form, to store it; nil for a document of the app.
    var signed: SignedSwitches?
}

/// The rules for accepting a document with remote switches.
package enum SwitchesTrust: Sendable {
    /// The document is the app's own, and not signed.
    case unsigned
    /// The document must be signed with one of these keys.
    case signed(by: [SwitchesPublicKey], verifier: any SignatureVerifier)

    /// Reads a document, and verifies its signature. Checks neither its version nor its expiry.
    ///
    /// - Parameter name: The document in errors, in the plural: "the switches of SERVER".
    /// - Throws: ``SwitchesError``: `tooLarge`, `invalid`, `unknownKey`, `wrongSignature`.
    func read(_ bytes: [UInt8], named name: String) throws(SwitchesError) -> TrustedSwitches {
        switch self {
        case .unsigned:
            return TrustedSwitches(document: try Self.document(bytes, name), payload: bytes, signed: nil)
        case .signed(let keys, let verifier):
            try Self.check(bytes, maximum: SignedSwitches.maximumBytes, name: name)
            let signed: SignedSwitches
            do throws(SwitchesDocument.Invalid) { signed = try SignedSwitches(bytes) } catch {
                throw SwitchesError(.invalid, "\(name) are invalid: \(error)")
            }
            guard let key = keys.first(where: { $0.id == signed.key }) else {
                throw SwitchesError(
                    .unknownKey,
                    "\(name) are signed with a key that the app does not list; add its public key to the app")
            }
            guard verifier.isValid(signed.signature, of: signed.message, publicKey: key.bytes) else {
                throw SwitchesError(
                    .wrongSignature, "\(name) have a wrong signature of the key \(key.id); sign them with this key")
            }
            return TrustedSwitches(
                document: try Self.document(signed.payload, name), payload: signed.payload, signed: signed)
        }
    }

    private static func document(_ bytes: [UInt8], _ name: String) throws(SwitchesError) -> SwitchesDocument {
        try check(bytes, maximum: SwitchesDocument.maximumBytes, name: name)
        do throws(SwitchesDocument.Invalid) { return try SwitchesDocument(bytes) } catch {
            throw SwitchesError(.invalid, "\(name) are invalid: \(error)")
        }
    }

    private static func check(_ bytes: [UInt8], maximum: Int, name: String) throws(SwitchesError) {
        guard bytes.count > maximum else { return }
        throw SwitchesError(.tooLarge, "\(name) have over \(maximum) bytes; make the document shorter")
    }
}
