internal import Foundation

/// Finds byte strings in a stream, fed in pieces of any size.
struct ByteSearch {
    private let patterns: [[UInt8]]
    private let needsBoundaries: Bool
    private let longest: Int
    /// What may still be a part of a find, with one byte before it.
    private var window: [UInt8] = []
    /// Where the window starts in the stream.
    private var base: Int64 = 0
    /// Where in the window the search goes on.
    private var next = 0

    /// - Parameters:
    ///   - patterns: None may be empty.
    ///   - needsBoundaries: Whether a find with a letter, a digit, `-` or `_` on either side is none.
    init(_ patterns: [[UInt8]], needsBoundaries: Bool) {
        self.patterns = patterns.filter { !$0.isEmpty }
        self.needsBoundaries = needsBoundaries
        longest = patterns.map(\.count).max() ?? 0
    }

    /// Takes the next bytes, and passes on where a find starts in the stream.
    mutating func feed(_ bytes: UnsafeRawBufferPointer, found: (Int64) -> Void) {
        window.append(contentsOf: bytes)
        // One byte behind a find must be there to tell its boundary.
        search(upTo: window.count - longest - 1, found)
        guard next > 1 else { return }
        window.removeFirst(next - 1)
        base += Int64(next - 1)
        next = 1
    }

    /// Says that no more bytes follow.
    mutating func finish(found: (Int64) -> Void) {
        search(upTo: window.count - 1, found)
    }

    /// Whether bytes hold a pattern.
    static func contains(_ pattern: [UInt8], in bytes: UnsafeRawBufferPointer, needsBoundaries: Bool) -> Bool {
        var isFound = false
        forEach(pattern, in: bytes, from: 0, upTo: bytes.count - 1, needsBoundaries: needsBoundaries) { _ in
            isFound = true
            return false
        }
        return isFound
    }

    /// Passes on where a pattern starts, within bounds, until `body` answers false.
    private static func forEach(
        _ pattern: [UInt8], in bytes: UnsafeRawBufferPointer, from first: Int, upTo last: Int, needsBoundaries: Bool,
        _ body: (Int) -> Bool
    ) {
        guard let start = bytes.baseAddress, let head = pattern.first else { return }
        var location = first
        while location <= last, let hit = memchr(start + location, Int32(head), last - location + 1) {
            let offset = start.distance(to: UnsafeRawPointer(hit))
            if isMatch(pattern, bytes, at: offset, needsBoundaries), !body(offset) { return }
            location = offset + 1
        }
    }

    /// Looks for what starts from `next` on, up to a place.
    private mutating func search(upTo last: Int, _ found: (Int64) -> Void) {
        guard last >= next else { return }
        var locations: Set<Int> = []
        window.withUnsafeBytes { bytes in
            for pattern in patterns {
                Self.forEach(pattern, in: bytes, from: next, upTo: last, needsBoundaries: needsBoundaries) {
                    locations.insert($0)
                    return true
                }
            }
        }
        next = last + 1
        for location in locations.sorted() { found(base + Int64(location)) }
    }

    private static func isMatch(
        _ pattern: [UInt8], _ bytes: UnsafeRawBufferPointer, at offset: Int, _ needsBoundaries: Bool
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
