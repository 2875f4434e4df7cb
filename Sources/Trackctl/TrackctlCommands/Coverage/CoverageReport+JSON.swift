internal import JSONLines
internal import TrackingPlan

extension CoverageReport {
    /// What was seen, as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | what it is |
    /// |---|---|
    /// | `lines`, `invalid` | lines that were read, and those that were not valid, in which nothing is seen |
    /// | `seen`, `total`, `percent` | of everything that counts; the percent rounded down to hundredths |
    /// | `never_seen` | events that count and are in no line, as lines name them |
    /// | `schemas` | `schema` (`search/1-0-0`), `container` (whether it is one), `counted`, `complete` (false if the \
    /// schema's references multiply, so that not all is looked at), `lines`, `seen`, `total`, `percent`, `missing` |
    ///
    /// `missing` has, in the order of the schema, objects with the `pointer` (RFC 6901, into the line; `*` for every
    /// element or member) of a property that was never seen, or with the `pointer` and a `value` that it never had.
    var json: JSONValue {
        .object(
            total.members.merging([
                "lines": .integer(Int64(lines)), "invalid": .integer(Int64(invalid)),
                "never_seen": .array(neverSeen.map { .string($0) }), "schemas": .array(entries.map(Self.json)),
            ]) { $1 })
    }

    private static func json(_ entry: Entry) -> JSONValue {
        .object(
            entry.ratio.members.merging([
                "schema": .string(entry.reference), "container": .bool(entry.isContainer),
                "counted": .bool(entry.isCounted), "complete": .bool(entry.isComplete),
                "lines": .integer(Int64(entry.lines)),
                "missing": .array(entry.missing.map(json)),
            ]) { $1 })
    }

    /// The value as it is written in the schema, as text: it need not be a value that a line can hold.
    private static func json(_ point: CoveragePoint) -> JSONValue {
        var members: [String: JSONValue] = ["pointer": .string(point.pointer)]
        if let value = point.value { members["value"] = .string(value) }
        return .object(members)
    }
}

extension CoverageRatio {
    /// `seen`, `total` and `percent`.
    fileprivate var members: [String: JSONValue] {
        ["seen": .integer(Int64(seen)), "total": .integer(Int64(total)), "percent": .number(percent)]
    }

    /// The same as an object.
    var json: JSONValue { .object(members) }
}
