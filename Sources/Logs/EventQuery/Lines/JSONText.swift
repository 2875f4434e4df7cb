internal import Foundation
internal import JSONLines

/// Texts of JSON, whose bytes lie in a line with their escapes.
enum JSONText {
    /// Whether there are escapes in it.
    @inline(__always)
    static func hasEscapes(_ escaped: UnsafeRawBufferPointer) -> Bool {
        guard let start = escaped.baseAddress else { return false }
        return memchr(start, 0x5C, escaped.count) != nil
    }

    /// Whether it stands for these bytes of UTF-8.
    @inline(__always)
    static func isText(_ escaped: UnsafeRawBufferPointer, _ bytes: [UInt8]) -> Bool {
        if areEqual(escaped, bytes), !hasEscapes(escaped) { return true }
        guard hasEscapes(escaped) else { return false }
        return withResolvedBytes(escaped) { areEqual($0, bytes) } ?? false
    }

    /// Whether these are the same bytes.
    @inline(__always)
    static func areEqual(_ text: UnsafeRawBufferPointer, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            guard let left = text.baseAddress, let right = bytes.baseAddress else {
                return text.isEmpty && bytes.isEmpty
            }
            return text.count == bytes.count && memcmp(left, right, bytes.count) == 0
        }
    }

    /// The text, its escapes resolved; nil if an escape is wrong or it isn't UTF-8.
    static func text(_ escaped: UnsafeRawBufferPointer) -> String? {
        guard hasEscapes(escaped) else { return String(validating: escaped, as: UTF8.self) }
        return (try? JSONParser.parse([JSONBytes.quote] + escaped + [JSONBytes.quote]))?.stringValue
    }

    /// The bytes of the text, its escapes resolved, as long as `body` runs; nothing of what cannot be resolved matches.
    @inline(__always)
    static func withBytes<Result>(
        _ escaped: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        hasEscapes(escaped) ? withResolvedBytes(escaped, body) : body(escaped)
    }

    @inline(never)
    private static func withResolvedBytes<Result>(
        _ escaped: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        guard var text = text(escaped) else { return nil }
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
