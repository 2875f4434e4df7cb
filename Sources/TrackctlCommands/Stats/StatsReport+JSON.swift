internal import EventLog
internal import JSONLines
internal import LogStatistics

extension StatsReport {
    /// The report as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | what it is |
    /// |---|---|
    /// | `total`, `bytes` | events read, and the bytes of their lines without line feeds |
    /// | `faulty_lines` | lines that were left out |
    /// | `first_time`, `last_time` | RFC 3339 in UTC with six decimals; null without events |
    /// | `users`, `sessions` | `count`, and `approximate`, true if the count is an estimate |
    /// | `times` | `first_second` since 1970, `seconds` of each of `counts` |
    /// | `events` | `name`, `count`, `bytes`, `longest`, `users`; the most frequent first |
    /// | `installs` | `install_id`, `count`, `first_seq`, `last_seq`; `missing` and `gaps`, `doubled` and `doubles`; \
    /// `approximate` |
    /// | `unchecked` | events of further installs, past the 10,000 whose numbers are checked |
    /// | `drops` | `input`, `reason`, `consumer`, `count`, `first_seq`, `last_seq` of each ledger row |
    /// | `steps` | with `--by`: `time` (when it begins, in UTC), `event`, `count` of each step with events |
    /// | `uncounted` | with `--by`: events that are in no step, as there were 200,000 counts already |
    ///
    /// `missing` and `doubled` count events; `gaps` and `doubles` are the numbers, as `[first, last]` pairs.
    var json: JSONValue {
        var json: [String: JSONValue] = [
            "total": .integer(Int64(statistics.total)),
            "bytes": .integer(Int64(statistics.bytes)),
            "faulty_lines": .integer(Int64(faultyLines)),
            "first_time": statistics.firstTime.map { .string($0.rfc3339) } ?? .null,
            "last_time": statistics.lastTime.map { .string($0.rfc3339) } ?? .null,
            "users": Self.json(statistics.users),
            "sessions": Self.json(statistics.sessions),
            "times": Self.json(statistics.times),
            "events": .array(statistics.events.map { Self.json($0) }),
            "installs": .array(statistics.installs.map { Self.json($0.id, $0.statistics) }),
            "unchecked": .integer(Int64(statistics.uncheckedEvents)),
            "drops": .array(drops.map { Self.json($0) }),
        ]
        if let steps = statistics.steps {
            json["uncounted"] = .integer(Int64(steps.uncounted))
            json["steps"] = .array(
                steps.rows.map { row in
                    [
                        "time": .string(EventTime(clampedSeconds: row.start).rfc3339), "event": .string(row.event),
                        "count": .integer(Int64(row.count)),
                    ]
                })
        }
        return .object(json)
    }

    private static func json(_ counter: UniqueCounter) -> JSONValue {
        ["count": .integer(Int64(counter.count)), "approximate": .bool(counter.isApproximate)]
    }

    private static func json(_ times: TimeHistogram) -> JSONValue {
        [
            "first_second": .integer(times.first * times.width), "seconds": .integer(times.width),
            "counts": .array(times.counts.map { .integer(Int64($0)) }),
        ]
    }

    private static func json(_ event: EventStatistics) -> JSONValue {
        [
            "name": .string(event.name), "count": .integer(Int64(event.count)), "bytes": .integer(Int64(event.bytes)),
            "longest": .integer(Int64(event.longest)), "users": json(event.users),
        ]
    }

    private static func json(_ id: String, _ install: InstallStatistics) -> JSONValue {
        [
            "install_id": .string(id),
            "count": .integer(Int64(install.count)),
            "first_seq": .integer(install.firstSeq),
            "last_seq": .integer(install.lastSeq),
            "missing": .integer(install.missing),
            "gaps": json(install.seen.gaps),
            "doubled": .integer(Int64(install.doubleCount)),
            "doubles": json(install.doubles.ranges),
            "approximate": .bool(install.isApproximate),
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
