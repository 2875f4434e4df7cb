internal import Foundation

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
