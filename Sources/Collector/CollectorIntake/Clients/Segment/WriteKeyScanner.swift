/// Finds the key in the start of a Segment body, while the body arrives.
///
/// It only decides whether to read on: the key that counts is the member of the parsed body.
package struct WriteKeyScanner {
    /// The first bytes of a body, in which the key must be.
    package static let maximumBytes = 64 << 10
    private static let name = Array("\"writeKey\"".utf8)
    /// The longest member with its name, spaces and value.
    private static let longestMember = 512
    /// The offset of the first byte that was not searched.
    private var next = 0

    package init() {}

    /// Whether the bytes so far have a member `writeKey` with a known key. Each byte is searched once.
    ///
    /// - Parameter isKey: Whether a text is a known key.
    package mutating func finds(in decoder: borrowing BodyDecoder, isKey: (String) -> Bool) -> Bool {
        decoder.withBytes { bytes in
            finds(in: UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.maximumBytes)), isKey: isKey)
        }
    }

    private mutating func finds(in bytes: UnsafeRawBufferPointer, isKey: (String) -> Bool) -> Bool {
        while next + Self.name.count <= bytes.count {
            guard bytes[next] == Self.name[0], bytes[next..<next + Self.name.count].elementsEqual(Self.name) else {
                next += 1
                continue
            }
            let member = bytes[(next + Self.name.count)..<min(bytes.count, next + Self.longestMember)]
            if let value = Self.value(in: member) {
                if isKey(value) { return true }
            } else if bytes.count < next + Self.longestMember {
                // The rest may still arrive.
                return false
            }
            next += Self.name.count
        }
        return false
    }

    /// The string after a member's name; nil if there is no whole string.
    private static func value(in member: Slice<UnsafeRawBufferPointer>) -> String? {
        func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        let rest = member.drop(while: isSpace)
        guard rest.first == UInt8(ascii: ":") else { return nil }
        let text = rest.dropFirst().drop(while: isSpace)
        guard text.first == UInt8(ascii: "\""), let end = text.dropFirst().firstIndex(of: UInt8(ascii: "\"")) else {
            return nil
        }
        return String(decoding: text[text.startIndex + 1..<end], as: UTF8.self)
    }
}
