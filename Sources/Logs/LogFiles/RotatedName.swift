/// The parsed name of a file of JSON lines. The files of a log sort by age, oldest first.
///
/// | name | file |
/// |---|---|
/// | `events-0000000000000001.jsonl` | finished by the SDK; the number is that of its first event |
/// | `events.jsonl.2` | rotated by number, as by logrotate; higher numbers are older |
/// | `events.jsonl-20181112`, `events.jsonl.2018-11-12` | rotated by date |
/// | `events.jsonl` | being written |
///
/// Each may end in `.gz` or `.zst`. `.ndjson` is equivalent to `.jsonl`.
package struct RotatedName: Comparable {
    /// The path up to the extension, with its dot: sorts `events-…` before `events`.
    private let stem: String
    /// The date of the rotation, digits and hyphens; empty if not rotated by date.
    package let date: String
    /// The number of the rotation; nil if not rotated by number.
    package let number: Int?
    /// Whether the name has a compression's extension.
    package let isCompressed: Bool
    /// The path without the compression's extension.
    package let uncompressed: String

    /// The path up to the extension.
    package var base: String { String(stem.dropLast()) }

    /// Parses a path; nil if it is not the name of a file of JSON lines.
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

    /// Whether this is a rotated file of a log: the log's name with a number or a date, or, as in the SDK, with the
    /// number of the first event.
    func isRotation(of log: RotatedName) -> Bool {
        guard stem != log.stem else { return true }
        let pattern = /(?<log>.*)-\d{16}\./
        return stem.wholeMatch(of: pattern.asciiOnlyDigits()).map { $0.log + "." == log.stem } ?? false
    }

    /// Orders the files of a log by age, oldest first.
    package static func < (left: Self, right: Self) -> Bool {
        if left.stem != right.stem { return left.stem.utf8.lexicographicallyPrecedes(right.stem.utf8) }
        if left.date != right.date {
            return right.date.isEmpty
                || (!left.date.isEmpty && left.date.utf8.lexicographicallyPrecedes(right.date.utf8))
        }
        return (left.number ?? 0) > (right.number ?? 0)
    }
}
