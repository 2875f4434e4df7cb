package import Foundation

/// Finds line feeds with `memchr`. In debug builds, splitting a large text by characters takes seconds.
extension ContiguousBytes {
    /// The lines of UTF-8 text, without line feeds and without empty lines. As in a `String`, CR LF is one character that
    /// is not a line feed.
    package var textLines: [String] {
        var lines: [String] = []
        forEachLine { if !$0.isEmpty { lines.append(String(decoding: $0, as: UTF8.self)) } }
        return lines
    }

    /// The number of line feeds.
    package var lineFeedCount: Int {
        withUnsafeBytes { bytes in
            var (count, start) = (0, 0)
            while let end = bytes.lineFeed(from: start) { (count, start) = (count + 1, end + 1) }
            return count
        }
    }

    private func forEachLine(_ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeBytes { bytes in
            var (start, search) = (0, 0)
            while let end = bytes.lineFeed(from: search) {
                search = end + 1
                if end > 0, bytes[end - 1] == UInt8(ascii: "\r") { continue }
                body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = search
            }
            body(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The offset of the first line feed at or after an offset.
    fileprivate func lineFeed(from offset: Int) -> Int? {
        guard offset < count, let base = baseAddress,
            let found = memchr(base + offset, CInt(UInt8(ascii: "\n")), count - offset)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}

extension Data {
    /// The number of equal bytes at the beginning of both.
    package func commonPrefixCount(_ other: Data) -> Int {
        var (equal, end) = (0, Swift.min(count, other.count))
        while equal < end {
            let middle = (equal + end + 1) / 2
            if prefix(middle).suffix(middle - equal) == other.prefix(middle).suffix(middle - equal) {
                equal = middle
            } else {
                end = middle - 1
            }
        }
        return equal
    }
}
