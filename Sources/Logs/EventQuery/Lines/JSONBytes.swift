internal import Foundation

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
            let place = UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
            if place == at || bytes[place - 1] != backslash { return place }
            var first = place - 1
            while first > at, bytes[first - 1] == backslash { first -= 1 }
            if (place - first).isMultiple(of: 2) { return place }
            from = place + 1
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
