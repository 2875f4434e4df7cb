internal import Foundation

/// Finds byte strings in a stream, which is fed in pieces of any size.
package struct ByteSearch {
    private let patterns: [[UInt8]]
    private let needsBoundaries: Bool
    private let longest: Int
    /// Bytes that may be part of a match, with one byte before them.
    private var window: [UInt8] = []
    /// The window's offset in the stream.
    private var base: Int64 = 0
    /// The offset in the window at which the search continues.
    private var next = 0

    /// - Parameters:
    /// - patterns: Must not be empty.
    /// - needsBoundaries: Whether to ignore matches next to a letter, a digit, `-` or `_`.
    init(_ patterns: [[UInt8]], needsBoundaries: Bool) {
        self.patterns = patterns.filter { !$0.isEmpty }
        self.needsBoundaries = needsBoundaries
        longest = patterns.map(\.count).max() ?? 0
    }

    /// Adds bytes, and calls `found` with the offsets of matches in the stream.
    mutating func feed(_ bytes: UnsafeRawBufferPointer, found: (Int64) -> Void) {
        window.append(contentsOf: bytes)
        // Checking the boundary needs one byte after the match.
        search(upTo: window.count - longest - 1, found)
        guard next > 1 else { return }
        window.removeFirst(next - 1)
        base += Int64(next - 1)
        next = 1
    }

    /// Ends the stream.
    mutating func finish(found: (Int64) -> Void) {
        search(upTo: window.count - 1, found)
    }

    /// Whether bytes contain a pattern.
    package static func contains(
        _ pattern: [UInt8], in bytes: UnsafeRawBufferPointer, needsBoundaries: Bool = false
    ) -> Bool {
        var isFound = false
        forEach(pattern, in: bytes, from: 0, upTo: bytes.count - 1, needsBoundaries: needsBoundaries) { _ in
            isFound = true
            return false
        }
        return isFound
    }

    /// Calls `body` with the offsets of a pattern within bounds, until it returns false.
    private static func forEach(
        _ pattern: [UInt8], in bytes: UnsafeRawBufferPointer, from first: Int, upTo last: Int, needsBoundaries: Bool,
        _ body: (Int) -> Bool
    ) {
        guard let start = bytes.baseAddress, let head = pattern.first else { return }
        var position = first
        while position <= last, let hit = memchr(start + position, Int32(head), last - position + 1) {
            let offset = start.distance(to: UnsafeRawPointer(hit))
            if isMatch(pattern, in: bytes, at: offset, needsBoundaries: needsBoundaries), !body(offset) { return }
            position = offset + 1
        }
    }

    /// Searches for matches that start from `next` up to an offset.
    private mutating func search(upTo last: Int, _ found: (Int64) -> Void) {
        guard last >= next else { return }
        var matches: Set<Int> = []
        window.withUnsafeBytes { bytes in
            for pattern in patterns {
                Self.forEach(pattern, in: bytes, from: next, upTo: last, needsBoundaries: needsBoundaries) {
                    matches.insert($0)
                    return true
                }
            }
        }
        next = last + 1
        for match in matches.sorted() { found(base + Int64(match)) }
    }

    private static func isMatch(
        _ pattern: [UInt8], in bytes: UnsafeRawBufferPointer, at offset: Int, needsBoundaries: Bool
    ) -> Bool {
        let end = offset + pattern.count
        guard end <= bytes.count, let start = bytes.baseAddress, memcmp(start + offset, pattern, pattern.count) == 0
        else { return false }
        guard needsBoundaries else { return true }
        let touches = (offset > 0 && isWord(bytes[offset - 1])) || (end < bytes.count && isWord(bytes[end]))
        return !touches
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: byte >= 0x80
        }
    }
}
