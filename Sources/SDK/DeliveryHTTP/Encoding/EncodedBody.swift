internal import Foundation
internal import Primitives

/// A request's body as sent on the wire.
package struct EncodedBody: Sendable {
    /// The minimum length for compression.
    static let leastCompressedBytes = 1 << 10

    package let bytes: [UInt8]
    /// Whether ``bytes`` are compressed with gzip.
    package let isCompressed: Bool

    /// Encodes a body.
    ///
    /// - Parameter allowsCompression: Whether gzip may be used. It is used from 1 KiB if it makes the body shorter.
    package init(_ content: [UInt8], allowsCompression: Bool) {
        if allowsCompression, content.count >= Self.leastCompressedBytes, let packed = Gzip.compress(content),
            packed.count < content.count
        {
            bytes = packed
            isCompressed = true
        } else {
            bytes = content
            isCompressed = false
        }
    }

    /// The value of `Content-Digest` (RFC 9530), computed from the bytes on the wire, after compression.
    package var digest: String { "sha-256=:\(Data(SHA256.bytes(of: bytes)).base64EncodedString()):" }
}
