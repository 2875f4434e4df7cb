/// The name of a file of JSON lines, taken apart so that the files of one log sort from the oldest on.
///
/// | name | is |
/// |---|---|
/// | `events-0000000000000001.jsonl` | finished by the SDK; the number is its first event's |
/// | `events.jsonl.2` | rotated by number: the higher, the older (logrotate's default) |
/// | `events.jsonl-20181112`, `events.jsonl.2018-11-12` | rotated by date |
/// | `events.jsonl` | the one that is written |
///
/// Each may end in `.gz` or `.zst`; `.ndjson` is as good as `.jsonl`.
package struct RotatedName: Comparable {
    /// The path up to the extension, which a dot ends: so `events-…` stands before `events`.
    private let stem: String
    /// The date of its rotation, digits and hyphens; empty for one that was not rotated by date.
    package let date: String
    /// The number of its rotation; nil for one that was not rotated by number.
    package let number: Int?
    /// Whether its name says that it is compressed.
    package let isCompressed: Bool
    /// The path without the compression's extension.
    package let uncompressed: String

    /// The path up to the extension.
    package var base: String { String(stem.dropLast()) }

    /// Takes a path apart; nil if that is no name of a file of JSON lines.
    package init?(_ path: String) {
        let pattern =
            /(?<stem>.*[^\/])\.(?:jsonl|ndjson)(?:\.(?<number>\d{1,4})|[.\-](?<date>\d{5}[\d\-]*|\d{4}-[\d\-]*))?(?<packed>\.gz|\.zst)?/
        guard let match = path.wholeMatch(of: pattern.asciiOnlyDigits()) else { return nil }
        stem = match.stem + "."
        date = String(match.date ?? "")
        number = match.number.flatMap { Int($0) }
        isCompressed = match.packed != nil
        uncompressed = match.packed.map { String(path.dropLast($0.count)) } ?? path
    }

    /// Whether this is what a log is rotated into: the log's own name with a number or a date, or as the SDK does it, with
    /// the number of the first event.
    func isRotation(of log: RotatedName) -> Bool {
        guard stem != log.stem else { return true }
        let pattern = /(?<log>.*)-\d{16}\./
        return stem.wholeMatch(of: pattern.asciiOnlyDigits()).map { $0.log + "." == log.stem } ?? false
    }

    /// Orders by age, the oldest first, within a log.
    package static func < (left: Self, right: Self) -> Bool {
        if left.stem != right.stem { return left.stem.utf8.lexicographicallyPrecedes(right.stem.utf8) }
        if left.date != right.date {
            return right.date.isEmpty
                || (!left.date.isEmpty && left.date.utf8.lexicographicallyPrecedes(right.date.utf8))
        }
        return (left.number ?? 0) > (right.number ?? 0)
    }
}
