internal import Foundation

extension UnsafeRawBufferPointer {
    /// Whether JSON has a text with U+0000, which is always escaped: `\\u0000`.
    var hasEscapedNull: Bool {
        var rest = self[...]
        while let start = rest.firstBackslash {
            if rest[start...].dropFirst().starts(with: "u0000".utf8) { return true }
            // The next character belongs to this escape.
            rest = rest[start...].dropFirst(2)
        }
        return false
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var firstBackslash: Int? {
        guard let base = base.baseAddress, !isEmpty,
            let found = memchr(base + startIndex, CInt(UInt8(ascii: "\\")), count)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
