internal import JSONLines
internal import TrackingPlan

extension ValidationReport {
    /// The findings as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | meaning |
    /// |---|---|
    /// | `schemas` | the folder of the plan |
    /// | `lines`, `valid`, `invalid` | lines read; lines without findings; lines with findings |
    /// | `unplanned` | lines of events that `unplanned.json` allows without a schema: neither valid nor invalid |
    /// | `invalid_by_kind` | lines with at least one finding of this kind |
    /// | `first_time`, `last_time` | RFC 3339 in UTC with six decimals; null without times |
    /// | `stopped` | whether reading ended early, because of `--max-errors` |
    /// | `events` | `event` (schema reference; null: lines without one), `in_plan`, `lines`, `valid`, `invalid`, \
    /// `unplanned`, `invalid_by_kind`, `first_time`, `last_time`, `sample` |
    /// | `findings` | the most frequent first: `kind`, `level` (`error` or `warning`), `event`, `count`, \
    /// `instance_path`, `schema_location`, `keyword`, `message`, `first_time`, `last_time`, `sample` |
    /// | `ungrouped` | findings past the 2,000th group, which are only counted |
    /// | `unused` | newest versions of events of the plan that were never seen, without the SDK's own events in an \
    /// app's plan; empty if `stopped`, or if an input was not read to its end |
    /// | `inputs` | `input`, `lines`, `valid`, `invalid`, `unplanned`, `error` (why reading stopped; or null) |
    ///
    /// A `sample` is the location of the first finding: `input`, and `line` and `column` from 1 (the column in bytes)
    /// or, for a database, `seq`; null without findings.
    var json: JSONValue {
        let rows = rows(of: total)
        return .object(
            json(sum(of: rows)).merging([
                "schemas": .string(folder), "stopped": .bool(stoppedAfter != nil),
                "events": .array(rows.map(json)), "findings": .array(groups.map(json)),
                "ungrouped": .integer(Int64(total.ungrouped)),
                "unused": .array(unused.map { .string($0.reference) }), "inputs": .array(inputs.map(Self.json)),
            ]) { $1 })
    }

    private func json(_ tally: EventTally) -> [String: JSONValue] {
        let kinds = Dictionary(
            uniqueKeysWithValues: tally.linesByKind.map { ($0.key.rawValue, JSONValue.integer(Int64($0.value))) })
        return [
            "lines": .integer(Int64(tally.lines)), "valid": .integer(Int64(tally.valid)),
            "invalid": .integer(Int64(tally.invalid)),
            "unplanned": .integer(Int64(tally.unplanned)), "invalid_by_kind": .object(kinds),
            "first_time": Self.json(tally.span.first), "last_time": Self.json(tally.span.last),
        ]
    }

    private func json(_ row: Row) -> JSONValue {
        .object(
            json(row.tally).merging([
                "event": Self.json(row.event), "in_plan": .bool(row.isPlanned),
                "sample": row.tally.sample.map(json) ?? .null,
            ]) { $1 })
    }

    private func json(_ group: FindingGroup) -> JSONValue {
        let key = group.key
        return [
            "kind": .string(key.kind.rawValue), "level": .string(failOn.level(key.kind)),
            "event": Self.json(key.event), "count": .integer(Int64(group.count)),
            "instance_path": .string(key.instancePath), "schema_location": .string(key.schemaLocation),
            "keyword": .string(key.keyword), "message": .string(key.message),
            "first_time": Self.json(group.span.first), "last_time": Self.json(group.span.last),
            "sample": json(group.sample),
        ]
    }

    private func json(_ location: LineLocation) -> JSONValue {
        let name = JSONValue.string(inputs[location.input].name)
        guard !location.isRow else { return ["input": name, "seq": .integer(location.line)] }
        return ["input": name, "line": .integer(location.line), "column": .integer(Int64(location.column))]
    }

    private static func json(_ input: Input) -> JSONValue {
        let findings = input.findings
        return [
            "input": .string(input.name), "lines": .integer(Int64(findings.lines)),
            "valid": .integer(Int64(findings.lines - findings.invalid - findings.allowed)),
            "invalid": .integer(Int64(findings.invalid)), "unplanned": .integer(Int64(findings.allowed)),
            "error": json(input.failure),
        ]
    }

    private static func json(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

extension ValidationReport {
    /// The findings as SARIF 2.1.0.
    var sarif: JSONValue {
        SARIFLog.log(
            rules: FindingRule.all.map { SARIFLog.Rule(id: $0.id, summary: $0.summary, help: $0.help) },
            results: groups.map(result) + (failsUnused ? unused.map(result) : []), invocation: invocation)
    }

    private var invocation: JSONValue {
        let failures = inputs.compactMap { input in
            input.failure.map { failure -> JSONValue in
                [
                    "level": "error", "message": ["text": .string(failure)],
                    "locations": [["physicalLocation": ["artifactLocation": SARIFLog.artifact(input.name)]]],
                ]
            }
        }
        let rest = ungrouped.map { [["level": "warning", "message": ["text": .string($0)]] as JSONValue] } ?? []
        return [
            "executionSuccessful": .bool(failures.isEmpty), "toolExecutionNotifications": .array(failures + rest),
        ]
    }

    private func result(_ group: FindingGroup) -> JSONValue {
        let key = group.key
        return [
            "ruleId": .string(key.kind.rawValue), "ruleIndex": Self.index(key.kind.rawValue),
            "level": .string(failOn.level(key.kind)),
            "message": ["text": .string(key.sentence)],
            "locations": [location(group.sample)], "occurrenceCount": .integer(Int64(group.count)),
            "properties": [
                "instancePath": .string(key.instancePath), "schemaLocation": .string(key.schemaLocation),
                "firstTime": group.span.first.map { .string($0) } ?? .null,
                "lastTime": group.span.last.map { .string($0) } ?? .null,
            ],
        ]
    }

    private func result(_ schema: PlanSchema) -> JSONValue {
        let locations = location(of: schema).map {
            [["physicalLocation": ["artifactLocation": SARIFLog.artifact($0)]] as JSONValue]
        }
        return [
            "ruleId": .string(FindingRule.unused.id), "ruleIndex": Self.index(FindingRule.unused.id), "level": "error",
            "message": ["text": .string(FindingRule.unusedMessage(schema))],
            "locations": .array(locations ?? []),
        ]
    }

    private static func index(_ id: String) -> JSONValue {
        .integer(Int64(FindingRule.all.firstIndex { $0.id == id } ?? -1))
    }

    /// A database row has no line number, so its event number is a logical location.
    private func location(_ location: LineLocation) -> JSONValue {
        let artifact = SARIFLog.artifact(inputs[location.input].name)
        guard !location.isRow else {
            return [
                "physicalLocation": ["artifactLocation": artifact],
                "logicalLocations": [["fullyQualifiedName": .string("seq \(location.line)")]],
            ]
        }
        let region: JSONValue = [
            "startLine": .integer(location.line), "startColumn": .integer(Int64(location.character)),
        ]
        return ["physicalLocation": ["artifactLocation": artifact, "region": region]]
    }
}
