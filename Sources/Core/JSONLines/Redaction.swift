internal import Primitives

/// Redacts personal text as a schema's `x-pii` requires, before it is written. ``JSONWriter`` writes the same output
/// without an intermediate string: ``JSONWriter/hash(_:)``, ``JSONWriter/string(_:truncatedTo:)``.
public enum Redaction {
    /// `"x-pii": "hash"`: SHA-256 of the UTF-8, as 64 lowercase hexadecimal digits.
    ///
    /// A pseudonym, not a secret: the same text gives the same digits on every install. Anyone who can guess the text
    /// (an email address, a telephone number) can compute them. Drop text that must stay secret.
    public static func hash(_ text: String) -> String {
        var text = text
        let digest = text.withUTF8 { SHA256.digest($0) }
        return String(unsafeUninitializedCapacity: 64) { memory in
            SHA256.writeHex(digest, to: UnsafeMutableRawBufferPointer(memory))
            return 64
        }
    }

    /// `"x-pii": "truncate:N"`: the first `count` Unicode scalars.
    public static func truncate(_ text: String, to count: Int) -> String {
        String(decoding: text.utf8.prefix(prefixLength(text, count)), as: UTF8.self)
    }

    /// The number of bytes of the first `count` Unicode scalars.
    static func prefixLength(_ text: String, _ count: Int) -> Int {
        guard text.utf8.count > count else { return text.utf8.count }
        var scalars = 0
        var bytes = 0
        for byte in text.utf8 {
            if byte & 0xC0 != 0x80 { scalars += 1 }
            if scalars > count { return bytes }
            bytes += 1
        }
        return bytes
    }
}

extension JSONWriter {
    /// Writes the output of ``Redaction/hash(_:)`` without an intermediate string.
    public mutating func hash(_ text: String) {
        withUTF8(text) { json, bytes in
            let digest = SHA256.digest(bytes)
            json.plainString(count: 64) { SHA256.writeHex(digest, to: $0) }
        }
    }

    /// Writes the output of ``Redaction/truncate(_:to:)`` without an intermediate string.
    public mutating func string(_ text: String, truncatedTo count: Int) {
        let length = Redaction.prefixLength(text, count)
        withUTF8(text) { json, bytes in
            json.quoted(UnsafeBufferPointer(rebasing: bytes[..<min(length, bytes.count)]), colon: false)
        }
    }
}
