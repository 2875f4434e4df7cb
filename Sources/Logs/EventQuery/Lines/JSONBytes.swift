internal import Foundation
internal import JSONLines

/// Finds the ends of JSON values in memory. Copies nothing, and checks only what is needed to find the end:
/// well-formed values are skipped correctly, and no byte past `end` is read in malformed ones.
enum JSONBytes {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")

    /// The first offset from `at` that is not white space.
    @inline(__always)
    static func skipSpace(_ bytes: UnsafePointer<UInt8>, from at: Int, to end: Int) -> Int {
        var at = at
        while at < end, bytes[at] <= 0x20, isSpace(bytes[at]) { at += 1 }
        return at
    }

    @inline(__always)
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// The offset of the closing quote of a string whose content begins at `at`; nil if there is none.
    @inline(__always)
    static func closingQuote(_ bytes: UnsafePointer<UInt8>, from at: Int, to end: Int) -> Int? {
        var from = at
        while from < end, let found = memchr(bytes + from, 0x22, end - from) {
            let location = UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
            if location == at || bytes[location - 1] != backslash { return location }
            var first = location - 1
            while first > at, bytes[first - 1] == backslash { first -= 1 }
            if (location - first).isMultiple(of: 2) { return location }
            from = location + 1
        }
        return nil
    }

    /// The offset after a value that begins at `at`; nil if the value does not end.
    @inline(__always)
    static func skipValue(_ bytes: UnsafePointer<UInt8>, from at: Int, to end: Int) -> Int? {
        guard at < end else { return nil }
        switch bytes[at] {
        case quote: return closingQuote(bytes, from: at + 1, to: end).map { $0 + 1 }
        case UInt8(ascii: "{"), UInt8(ascii: "["): return skipNested(bytes, from: at, to: end)
        default: return skipScalar(bytes, from: at, to: end)
        }
    }

    @inline(__always)
    private static func skipScalar(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int? {
        var at = start
        while at < end, bytes[at] > 0x20, bytes[at] != 0x2C, bytes[at] != 0x7D, bytes[at] != 0x5D { at += 1 }
        return at == start ? nil : at
    }

    /// The offset after the bracket that closes the one at `start`.
    @inline(never)
    static func skipNested(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int? {
        var at = start
        var depth = 0
        while at < end {
            switch bytes[at] {
            case quote:
                guard let close = closingQuote(bytes, from: at + 1, to: end) else { return nil }
                at = close
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return at + 1 }
            default: break
            }
            at += 1
        }
        return nil
    }
}

extension JSONBytes {
    /// Skips a value and the comma after it; nil if there is no comma.
    static func nextItem(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int? {
        guard let behind = skipValue(bytes, from: start, to: end) else { return nil }
        let comma = skipSpace(bytes, from: behind, to: end)
        guard comma < end, bytes[comma] == UInt8(ascii: ",") else { return nil }
        return skipSpace(bytes, from: comma + 1, to: end)
    }

    /// Calls `body` with the members of the object at `start`, until it returns false: the name without quotes and
    /// with escapes, and the offset of the value. Other values have no members.
    @inline(__always)
    static func forEachMember(
        _ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int,
        _ body: (_ name: UnsafeRawBufferPointer, _ value: Int) -> Bool
    ) {
        guard start < end, bytes[start] == UInt8(ascii: "{") else { return }
        var at = skipSpace(bytes, from: start + 1, to: end)
        while at < end, bytes[at] == quote {
            guard let close = closingQuote(bytes, from: at + 1, to: end) else { return }
            let name = UnsafeRawBufferPointer(start: bytes + at + 1, count: close - at - 1)
            at = skipSpace(bytes, from: close + 1, to: end)
            guard at < end, bytes[at] == UInt8(ascii: ":") else { return }
            at = skipSpace(bytes, from: at + 1, to: end)
            guard body(name, at), let next = nextItem(bytes, from: at, to: end) else { return }
            at = next
        }
    }
}

/// Texts in JSON, as bytes with escapes.
enum JSONText {
    /// Whether the text contains escapes.
    @inline(__always)
    static func hasEscapes(_ escaped: UnsafeRawBufferPointer) -> Bool {
        guard let start = escaped.baseAddress else { return false }
        return memchr(start, 0x5C, escaped.count) != nil
    }

    /// Whether the text with resolved escapes equals this UTF-8.
    @inline(__always)
    static func isText(_ escaped: UnsafeRawBufferPointer, _ bytes: [UInt8]) -> Bool {
        if areEqual(escaped, bytes), !hasEscapes(escaped) { return true }
        guard hasEscapes(escaped) else { return false }
        return withResolvedBytes(escaped) { areEqual($0, bytes) } ?? false
    }

    /// Whether the bytes are equal.
    @inline(__always)
    static func areEqual(_ text: UnsafeRawBufferPointer, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            guard let left = text.baseAddress, let right = bytes.baseAddress else {
                return text.isEmpty && bytes.isEmpty
            }
            return text.count == bytes.count && memcmp(left, right, bytes.count) == 0
        }
    }

    /// The text with resolved escapes; nil if an escape is invalid or the text is not valid UTF-8.
    static func text(_ escaped: UnsafeRawBufferPointer) -> String? {
        guard hasEscapes(escaped) else { return String(validating: escaped, as: UTF8.self) }
        return JSONValue(validating: [JSONBytes.quote] + escaped + [JSONBytes.quote])?.stringValue
    }

    /// Calls `body` with the bytes of the text with resolved escapes; nil if they cannot be resolved.
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
