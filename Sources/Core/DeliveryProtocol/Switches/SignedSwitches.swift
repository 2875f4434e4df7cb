internal import Foundation
internal import JSONLines
internal import Primitives

/// A document with remote switches and its signature, as the collector serves it and an app stores it:
/// `{"payload": BASE64, "key": ID, "signature": BASE64}`.
///
/// The payload is the document's exact bytes. The signature covers ``message``.
package struct SignedSwitches: Equatable, Sendable {
    /// The maximum length of the JSON in bytes: enough for the longest document in Base64.
    package static let maximumBytes = 96 << 10
    /// The first bytes of each signed message, so that a signature for another purpose is not a signature of switches.
    static let prefix = Array("swift-tracking switches 1\n".utf8)
    /// The length of an Ed25519 signature.
    static let signatureBytes = 64

    /// The document's bytes.
    package let payload: [UInt8]
    /// The id of the key that signed the document, see ``SwitchesPublicKey/id``.
    package let key: String
    /// The Ed25519 signature of ``message``.
    package let signature: [UInt8]
    /// The `ETag` of the response with the document; nil if unknown. Only stored documents have it.
    package var tag: String?

    /// Makes a signed document.
    package init(payload: [UInt8], key: String, signature: [UInt8], tag: String? = nil) {
        self.payload = payload
        self.key = key
        self.signature = signature
        self.tag = tag
    }

    /// Reads a signed document. Does not verify the signature.
    ///
    /// - Throws: ``SwitchesDocument/Invalid`` if the text does not have the form of a signed document.
    package init(_ bytes: [UInt8]) throws(SwitchesDocument.Invalid) {
        guard bytes.count <= Self.maximumBytes else {
            throw SwitchesDocument.Invalid(
                description: "it has \(bytes.count) bytes, over the limit of \(Self.maximumBytes)")
        }
        let json = JSONValue(validating: bytes)  // nil: not JSON, with the same message
        guard let payload = json?["payload"]?.stringValue.flatMap({ Data(base64Encoded: $0) }),
            let key = json?["key"]?.stringValue,
            let signature = json?["signature"]?.stringValue.flatMap({ Data(base64Encoded: $0) }),
            signature.count == Self.signatureBytes
        else {
            throw SwitchesDocument.Invalid(
                description: "it is not signed: it does not have the form {\"payload\", \"key\", \"signature\"}")
        }
        self.init(
            payload: Array(payload), key: key, signature: Array(signature),
            tag: json?["etag"]?.stringValue.flatMap { Self.isTag($0) ? $0 : nil })
    }

    /// The signed bytes of a document.
    package static func message(_ payload: [UInt8]) -> [UInt8] { prefix + payload }

    /// The bytes that the signature covers.
    package var message: [UInt8] { Self.message(payload) }

    package var json: [UInt8] {
        var json = JSONWriter(capacity: payload.count * 4 / 3 + 256)
        json.beginObject()
        json.key("payload")
        json.string(Data(payload).base64EncodedString())
        json.key("key")
        json.string(key)
        json.key("signature")
        json.string(Data(signature).base64EncodedString())
        if let tag {
            json.key("etag")
            json.string(tag)
        }
        json.endObject()
        return json.bytes
    }

    /// Whether a text is an entity tag (RFC 9110, section 8.8.3) of a sensible length, safe in a request's field.
    package static func isTag(_ text: String) -> Bool {
        let bytes = text.utf8
        return (2...256).contains(bytes.count) && bytes.allSatisfy { 0x21...0x7E ~= $0 } && bytes.last == 0x22
    }
}

/// The public part of a signing key, as text: `pk_` and 64 hexadecimal digits.
package struct SwitchesPublicKey: Hashable, Sendable {
    static let prefix = "pk_"

    /// The key's 32 bytes.
    package let bytes: [UInt8]

    /// Makes a key from its bytes; nil unless there are 32.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Reads the text of a key; nil for any other text.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix),
            let bytes = [UInt8](hexadecimal: String(text.dropFirst(Self.prefix.count)))
        else { return nil }
        self.init(bytes: bytes)
    }

    /// The text that apps contain.
    package var text: String { Self.prefix + bytes.hexadecimal }

    /// The first characters of the text. Documents name their key by this id.
    package var id: String { String(text.prefix(Self.prefix.count + 8)) }
}
