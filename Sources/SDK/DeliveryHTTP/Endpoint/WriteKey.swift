/// The key that authorizes a sender to write. Never part of a description, mirror or error.
package struct WriteKey: Sendable {
    private let text: String

    /// The maximum length in bytes.
    static let maximumBytes = 512

    /// Validates a key.
    ///
    /// - Parameter text: 1 to 512 characters that a bearer token may have (RFC 6750, section 2.1): letters, digits,
    ///   `-._~+/`, and `=` at the end.
    /// - Throws: ``DeliverySetupError`` with the code `invalidKey`. The error does not contain the key.
    package init(_ text: String) throws(DeliverySetupError) {
        let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        guard !digits.isEmpty, text.utf8.count <= Self.maximumBytes, digits.allSatisfy(Self.isAllowed) else {
            throw DeliverySetupError(
                .invalidKey,
                """
                the key is empty, longer than \(Self.maximumBytes) bytes, or has a character not allowed in bearer tokens: \
                pass the key without quotes, spaces and line ends
                """)
        }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }

    /// The value of `Authorization`. For requests only.
    var authorization: String { "Bearer \(text)" }

    /// A text without the key: a server may repeat the key in its response.
    package func removed(from text: String) -> String { text.replacing(self.text, with: "…") }
}

extension WriteKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "a key" }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
