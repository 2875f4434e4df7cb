internal import EventFormats
internal import EventLog
internal import EventModel
internal import JSONLines
internal import LogStatistics

/// The report of `trackctl stats`.
struct StatsReport {
    /// A row of an input's ledger.
    struct Drops {
        let input: String
        let entry: LedgerEntry
    }

    /// The selected events of an input that are held for a reason.
    struct Held {
        let input: String
        let events: HeldEvents
        let count: Int
    }

    let statistics: LogStatistics
    let faultyLines: Int
    let drops: [Drops]
    let held: [Held]

    /// Seconds from the first event to the last; nil without events.
    var span: Double? {
        guard let first = statistics.firstTime, let last = statistics.lastTime else { return nil }
        // As 64-bit integers, the difference could overflow.
        return (Double(last.microseconds) - Double(first.microseconds)) / 1e6
    }
}

extension StatsReport {
    /// Writes the report as one object on one line. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | meaning |
    /// |---|---|
    /// | `total`, `bytes` | events read, and the bytes of their lines without line feeds |
    /// | `faulty_lines` | malformed lines, which were skipped |
    /// | `first_time`, `last_time` | RFC 3339 in UTC with six decimals; null without events |
    /// | `users`, `sessions` | `count`, and `approximate`, true if the count is an estimate |
    /// | `times` | `first_second` since 1970, `seconds` of each of `counts` |
    /// | `events` | `name`, `count`, `bytes`, `longest`, `users`; the most frequent first |
    /// | `installs` | `install_id`, `count`, `first_seq`, `last_seq`; `missing` and `gaps`, `doubled` and `doubles`; \
    /// `approximate` |
    /// | `unchecked` | events of further installs, past the 10,000 whose numbers are checked |
    /// | `drops` | `input`, `reason`, `consumer`, `count`, `first_seq`, `last_seq` of each ledger row |
    /// | `held` | `input`, `reason`, `purpose`, `count` of the selected events that are held because of consent |
    /// | `steps` | with `--by`: `time` (start of the step, in UTC), `event`, `count` for each step with events |
    /// | `uncounted` | with `--by`: events beyond the limit of 98,304 counts, which are in no step |
    ///
    /// `missing` and `doubled` (duplicate events) are counts; `gaps` and `doubles` list the numbers as `[first,
    /// last]` pairs. Members are sorted by name.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func writeJSON(to output: BufferedOutput) throws {
        var stream = JSONOutput(output)
        stream.json.beginObject()
        let figures = figures
        let lists = statistics.steps == nil ? ["installs"] : ["installs", "steps", "uncounted"]
        for name in (figures.keys + lists).sorted() {
            stream.json.key(name)
            switch name {
            case "installs": try writeInstalls(to: &stream)
            case "steps": try writeSteps(to: &stream)
            case "uncounted": stream.json.integer(Int64(statistics.steps?.uncounted ?? 0))
            default: try figures[name]?.write(to: &stream.json)
            }
            try stream.pass()
        }
        stream.json.endObject()
        try stream.finish()
    }

    /// The members of bounded size.
    private var figures: [String: JSONValue] {
        [
            "total": .integer(Int64(statistics.total)),
            "bytes": .integer(Int64(statistics.bytes)),
            "faulty_lines": .integer(Int64(faultyLines)),
            "first_time": statistics.firstTime.map { .string($0.rfc3339) } ?? .null,
            "last_time": statistics.lastTime.map { .string($0.rfc3339) } ?? .null,
            "users": Self.json(statistics.users),
            "sessions": Self.json(statistics.sessions),
            "times": Self.json(statistics.times),
            "events": .array(statistics.events.map { Self.json($0) }),
            "unchecked": .integer(Int64(statistics.uncheckedEvents)),
            "drops": .array(drops.map { Self.json($0) }),
            "held": .array(held.map { Self.json($0) }),
        ]
    }

    private func writeSteps(to stream: inout JSONOutput) throws {
        stream.json.beginArray()
        for row in statistics.steps.map({ AnyCollection($0.rows) }) ?? AnyCollection([]) {
            let value: JSONValue = [
                "time": .string(EventTime(clampedSeconds: row.start).rfc3339), "event": .string(row.event),
                "count": .integer(Int64(row.count)),
            ]
            try value.write(to: &stream.json)
            try stream.pass()
        }
        stream.json.endArray()
    }

    private func writeInstalls(to stream: inout JSONOutput) throws {
        stream.json.beginArray()
        for (id, install) in statistics.installs {
            let figures = Self.figures(id, install)
            stream.json.beginObject()
            for name in (figures.keys + ["gaps", "doubles"]).sorted() {
                stream.json.key(name)
                switch name {
                case "gaps": try Self.write(install.seen.gaps, to: &stream)
                case "doubles": try Self.write(install.doubles.ranges, to: &stream)
                default: try figures[name]?.write(to: &stream.json)
                }
            }
            stream.json.endObject()
            try stream.pass()
        }
        stream.json.endArray()
    }

    private static func write(_ ranges: some Sequence<ClosedRange<Int64>>, to stream: inout JSONOutput) throws {
        stream.json.beginArray()
        for range in ranges {
            stream.json.beginArray()
            stream.json.integer(range.lowerBound)
            stream.json.integer(range.upperBound)
            stream.json.endArray()
            try stream.pass()
        }
        stream.json.endArray()
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

    private static func figures(_ id: String, _ install: InstallStatistics) -> [String: JSONValue] {
        [
            EnvelopeMember.installID.rawValue: .string(id),
            "count": .integer(Int64(install.count)),
            "first_seq": .integer(install.firstSeq),
            "last_seq": .integer(install.lastSeq),
            "missing": .integer(install.missing),
            "doubled": .integer(Int64(install.doubleCount)),
            "approximate": .bool(install.isApproximate),
        ]
    }

    private static func json(_ held: Held) -> JSONValue {
        [
            "input": .string(held.input),
            "reason": .string(held.events.reason.rawValue),
            "purpose": .string(held.events.purpose.name),
            "count": .integer(Int64(held.count)),
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
}

extension StatsReport {
    /// Writes a header, and a record for each event, or with `--by` for each step and event.
    ///
    /// - Parameter isSpreadsheetSafe: Whether to prefix names that a spreadsheet would read as formulas with `'`.
    /// - Throws: `LogFileError`, `cannotWrite`.
    func writeCSV(isSpreadsheetSafe: Bool, to output: BufferedOutput) throws {
        func write(_ fields: [String]) throws {
            try output.write(CSVText.record(fields, isSpreadsheetSafe: isSpreadsheetSafe))
        }
        guard let steps = statistics.steps else {
            try write(["event", "count", "bytes", "users"])
            for event in statistics.events {
                try write([event.name, "\(event.count)", "\(event.bytes)", "\(event.users.count)"])
            }
            return
        }
        try write([steps.step.rawValue, "event", "count"])
        for row in steps.rows {
            try write([row.name(of: steps.step), row.event, "\(row.count)"])
        }
    }
}
