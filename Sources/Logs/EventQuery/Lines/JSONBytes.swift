internal import Foundation
internal import JSONLines

/// Where things end in JSON that lies in memory. Nothing is copied, and nothing is checked but what it takes to find
/// the end: a value that is well-formed is skipped rightly, and of one that isn't, no byte past `end` is read.
enum JSONBytes {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")

    /// The first place from `at` on that is no white space.
    @inline(__always)
    static func skipSpace(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Int {
        var at = at
        while at < end, bytes[at] <= 0x20, isSpace(bytes[at]) { at += 1 }
        return at
    }

    @inline(__always)
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// The place of the quote that ends a string whose content begins at `at`; nil if there is none.
    @inline(__always)
    static func closingQuote(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Int? {
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

    /// The place behind a value that begins at `at`; nil if it does not end.
    @inline(__always)
    static func skipValue(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Int? {
        guard at < end else { return nil }
        switch bytes[at] {
        case quote: return closingQuote(bytes, at + 1, end).map { $0 + 1 }
        case UInt8(ascii: "{"), UInt8(ascii: "["): return skipNested(bytes, at, end)
        default: return skipScalar(bytes, at, end)
        }
    }

    @inline(__always)
    private static func skipScalar(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        var at = start
        while at < end, bytes[at] > 0x20, bytes[at] != 0x2C, bytes[at] != 0x7D, bytes[at] != 0x5D { at += 1 }
        return at == start ? nil : at
    }

    /// The place behind the brackets that end as many as are open at `at`.
    @inline(never)
    static func skipNested(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        var at = start
        var depth = 0
        while at < end {
            switch bytes[at] {
            case quote:
                guard let close = closingQuote(bytes, at + 1, end) else { return nil }
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
    /// Over a value and the comma behind it; nil if there is none.
    static func nextItem(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        guard let behind = skipValue(bytes, start, end) else { return nil }
        let comma = skipSpace(bytes, behind, end)
        guard comma < end, bytes[comma] == UInt8(ascii: ",") else { return nil }
        return skipSpace(bytes, comma + 1, end)
    }

    /// Shows the members of the object that begins at `start`, until `body` answers false: a name without its quotes,
    /// with its escapes, and where its value begins. What is no object has none.
    @inline(__always)
    static func forEachMember(
        _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int,
        _ body: (_ name: UnsafeRawBufferPointer, _ value: Int) -> Bool
    ) {
        guard start < end, bytes[start] == UInt8(ascii: "{") else { return }
        var at = skipSpace(bytes, start + 1, end)
        while at < end, bytes[at] == quote {
            guard let close = closingQuote(bytes, at + 1, end) else { return }
            let name = UnsafeRawBufferPointer(start: bytes + at + 1, count: close - at - 1)
            at = skipSpace(bytes, close + 1, end)
            guard at < end, bytes[at] == UInt8(ascii: ":") else { return }
            at = skipSpace(bytes, at + 1, end)
            guard body(name, at), let next = nextItem(bytes, at, end) else { return }
            at = next
        }
    }
}

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
