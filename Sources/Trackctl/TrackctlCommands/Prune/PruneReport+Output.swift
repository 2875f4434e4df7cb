internal import JSONLines
internal import LogMaintenance
internal import TextRendering

extension PruneReport {
    /// The report as text.
    ///
    /// - Parameter isPlan: Whether this is a dry run.
    func lines(isPlan: Bool) -> [String] {
        let verb = isPlan ? "would remove" : "removed"
        var lines: [String] = []
        for log in logs {
            let trimming = log.trimming
            let unsent = trimming.unsent > 0 ? ", \(trimming.unsent.grouped) of them unsent" : ""
            lines.append(
                "\(log.path): \(verb) \(trimming.events.counted("event")) (\(trimming.bytes.counted("byte")))\(unsent)")
            if trimming.kept > 0 {
                lines.append(
                    """
                    \(log.path): kept \(trimming.kept.grouped) more that a consumer has not received (see \
                    --even-unsent)
                    """
                )
            }
            if log.waiting > 0 {
                lines.append("\(log.path): \(log.waiting.counted("event")) in its journals, not counted")
            }
            if !isPlan && !log.isCompacted {
                lines.append(
                    "\(log.path): the file keeps its size while open in another program; prune again later"
                )
            }
        }
        for file in files {
            lines.append(
                "\(file.path): \(verb) the file (\(file.events.counted("event")), \(file.bytes.counted("byte")))")
        }
        lines += unreadable.map { "\($0): kept: some lines are unreadable (run trackctl doctor)" }
        if !isPlan { lines.append("freed \(bytesFreed.counted("byte"))") }
        return lines.map(\.printable)
    }
}

extension PruneReport {
    /// The report as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | meaning |
    /// |---|---|
    /// | `dry_run` | whether this is a dry run |
    /// | `logs` | `log`, `events`, `bytes` (of lines), `unsent` (among them), `kept` (past the limits, but unsent), \
    /// `waiting` (in journals, not counted), `compacted` |
    /// | `files` | finished files removed: `file`, `events`, `bytes` |
    /// | `unreadable` | files kept because some lines are unreadable |
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

extension ErasureReport {
    /// The report as text. Shows nothing of the user except the location of the id.
    ///
    /// - Parameter isPlan: Whether this is a dry run.
    func lines(isPlan: Bool) -> [String] {
        var lines = locations.flatMap { $0.lines(isPlan: isPlan) }
        lines += traces.map { trace in
            if let issue = trace.issue { return "\(trace.path): not searched to the end: \(issue)" }
            return "\(trace.path): the id remains at byte \(trace.offset)"
                + (trace.count > 1 ? " and \((trace.count - 1).grouped) more times" : "")
        }
        if mentions > 0 {
            lines.append("\(mentions.counted("line")) of other users with the user's id: --mentions removes them, too")
        }
        let verb = isPlan ? "would remove" : "removed"
        lines.append("\(verb) \(removed.counted("line"))" + (isPlan ? "" : ", freed \(bytesFreed.counted("byte"))"))
        if !isPlan { lines.append(isComplete ? "no trace of the user is left" : "the erasure is incomplete") }
        return lines.map(\.printable)
    }
}

extension ErasedLocation {
    fileprivate func lines(isPlan: Bool) -> [String] {
        var lines: [String] = []
        if removed > 0 { lines.append("\(path): \(isPlan ? "would remove" : "removed") \(removed.counted("line"))") }
        if let note { lines.append("\(path): \(note)") }
        if let issue { lines.append("\(path): unchanged: \(issue)") }
        if mentionCount > 0 {
            let what = isDatabase ? "events" : "lines"
            let shown = mentions.map { "\($0)" }.joined(separator: ", ")
            lines.append(
                "\(path): \(what) of other users with the id: \(shown)\(mentionCount > mentions.count ? " …" : "")")
        }
        return lines
    }
}

extension ErasureReport {
    /// The report as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | meaning |
    /// |---|---|
    /// | `dry_run` | whether this is a dry run |
    /// | `complete` | whether no trace of the user is left; null with `--dry-run` |
    /// | `removed`, `mentions` | lines removed; remaining lines of other users that contain the id |
    /// | `places` | `file`, `removed`, `bytes`, `mentions` (event or line numbers, the first twenty), \
    /// `mention_count`, `fault`, `note` (or null) |
    /// | `traces` | where the id remains: `file`, `offset`, `count`, `fault` (why it was not searched; or null) |
    /// | `bytes_freed` | how much smaller the files have become |
    func json(isPlan: Bool) -> JSONValue {
        [
            "dry_run": .bool(isPlan), "complete": isPlan ? .null : .bool(isComplete), "removed": .integer(removed),
            "mentions": .integer(mentions), "bytes_freed": .integer(bytesFreed),
            "places": .array(locations.map(Self.json)), "traces": .array(traces.map(Self.json)),
        ]
    }

    private static func json(_ location: ErasedLocation) -> JSONValue {
        [
            "file": .string(location.path), "removed": .integer(location.removed), "bytes": .integer(location.bytes),
            "mentions": .array(location.mentions.map { .integer($0) }),
            "mention_count": .integer(location.mentionCount),
            "fault": location.issue.map { .string($0) } ?? .null, "note": location.note.map { .string($0) } ?? .null,
        ]
    }

    private static func json(_ trace: Trace) -> JSONValue {
        [
            "file": .string(trace.path), "offset": .integer(trace.offset), "count": .integer(trace.count),
            "fault": trace.issue.map { .string($0) } ?? .null,
        ]
    }
}
