internal import EventLog
internal import EventModel
internal import JSONLines
internal import LogCare

extension PruneReport {
    /// The report as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | what it is |
    /// |---|---|
    /// | `dry_run` | whether nothing was done |
    /// | `logs` | `log`, `events`, `bytes` (of lines), `unsent` (among them), `kept` (past the limits, but unsent), \
    /// `waiting` (in journals, not counted), `compacted` |
    /// | `files` | finished files that went: `file`, `events`, `bytes` |
    /// | `unreadable` | files that stay because not every line can be read |
    /// | `bytes_freed` | how much smaller the files have become |
    func json(isPlan: Bool) -> JSONValue {
        [
            "dry_run": .bool(isPlan), "bytes_freed": .integer(bytesFreed),
            "logs": .array(logs.map(Self.json)),
            "files": .array(
                files.map {
                    ["file": .string($0.path), "events": .integer($0.events), "bytes": .integer($0.bytes)]
                }),
            "unreadable": .array(unreadable.map { .string($0) }),
        ]
    }

    private static func json(_ log: Log) -> JSONValue {
        [
            "log": .string(log.path), "events": .integer(log.trimming.events), "bytes": .integer(log.trimming.bytes),
            "unsent": .integer(log.trimming.unsent), "kept": .integer(log.trimming.kept),
            "waiting": .integer(Int64(log.waiting)), "compacted": .bool(log.isCompacted),
        ]
    }
}
