internal import EventLog
internal import EventQuery
internal import JSONLines

extension LogFindings {
    /// The findings as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | what it is |
    /// |---|---|
    /// | `total` | events read |
    /// | `faulty_lines` | lines that were left out |
    /// | `first_time`, `last_time` | RFC 3339 in UTC with six decimals; null without events |
    /// | `events` | `name` and `count`, the most frequent first |
    /// | `installs` | `install_id`, `count`, `first_seq`, `last_seq`; `missing` and `gaps`, `doubled` and `doubles` |
    /// | `drops` | `input`, `reason`, `consumer`, `count`, `first_seq`, `last_seq` of each ledger row |
    ///
    /// `missing` and `doubled` count events; `gaps` and `doubles` are the numbers, as `[first, last]` pairs.
    func json(faultyLines: Int) -> JSONValue {
        [
            "total": .integer(Int64(total)),
            "faulty_lines": .integer(Int64(faultyLines)),
            "first_time": firstTime.map { .string($0.rfc3339) } ?? .null,
            "last_time": lastTime.map { .string($0.rfc3339) } ?? .null,
            "events": .array(events.map { ["name": .string($0.name), "count": .integer(Int64($0.count))] }),
            "installs": .array(installs.map { Self.json($0.id, $0.findings) }),
            "drops": .array(drops.map { Self.json($0) }),
        ]
    }

    private static func json(_ id: String, _ findings: InstallFindings) -> JSONValue {
        [
            "install_id": .string(id),
            "count": .integer(Int64(findings.count)),
            "first_seq": .integer(findings.firstSeq),
            "last_seq": .integer(findings.lastSeq),
            "missing": .integer(findings.missing),
            "gaps": json(findings.seen.gaps),
            "doubled": .integer(Int64(findings.doubleCount)),
            "doubles": json(findings.doubles.ranges),
        ]
    }

    private static func json(_ drops: Drops) -> JSONValue {
        let entry = drops.entry
        return [
            "input": .string(drops.input),
            "reason": .string(entry.reason.rawValue),
            "consumer": entry.consumer.map { .string($0) } ?? .null,
            "count": .integer(entry.count),
            "first_seq": entry.seqs.map { .integer($0.lowerBound) } ?? .null,
            "last_seq": entry.seqs.map { .integer($0.upperBound) } ?? .null,
        ]
    }

    private static func json(_ ranges: [ClosedRange<Int64>]) -> JSONValue {
        .array(ranges.map { [.integer($0.lowerBound), .integer($0.upperBound)] })
    }
}
