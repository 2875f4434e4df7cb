internal import JSONLines
internal import LogCare

extension ErasureReport {
    /// The report as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | what it is |
    /// |---|---|
    /// | `dry_run` | whether nothing was done |
    /// | `complete` | whether nothing of the user is left; null with `--dry-run` |
    /// | `removed`, `mentions` | lines that went; lines of others that name the user and stay |
    /// | `places` | `file`, `removed`, `bytes`, `mentions` (event or line numbers, the first twenty), `mention_count`, \
    /// `fault`, `note` (or null) |
    /// | `traces` | where the id still stands: `file`, `offset`, `count`, `fault` (why it was not searched; or null) |
    /// | `bytes_freed` | how much smaller the files have become |
    func json(isPlan: Bool) -> JSONValue {
        [
            "dry_run": .bool(isPlan), "complete": isPlan ? .null : .bool(isComplete), "removed": .integer(removed),
            "mentions": .integer(mentions), "bytes_freed": .integer(bytesFreed),
            "places": .array(places.map(Self.json)), "traces": .array(traces.map(Self.json)),
        ]
    }

    private static func json(_ place: ErasedPlace) -> JSONValue {
        [
            "file": .string(place.path), "removed": .integer(place.removed), "bytes": .integer(place.bytes),
            "mentions": .array(place.mentions.map { .integer($0) }), "mention_count": .integer(place.mentionCount),
            "fault": place.fault.map { .string($0) } ?? .null, "note": place.note.map { .string($0) } ?? .null,
        ]
    }

    private static func json(_ trace: Trace) -> JSONValue {
        [
            "file": .string(trace.path), "offset": .integer(trace.offset), "count": .integer(trace.count),
            "fault": trace.fault.map { .string($0) } ?? .null,
        ]
    }
}
