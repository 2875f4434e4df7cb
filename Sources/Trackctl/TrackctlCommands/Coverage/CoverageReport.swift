internal import Foundation
internal import JSONLines
internal import TextRendering
internal import TrackingPlan

/// What `trackctl coverage` found in the logs, or in the lines of the tests.
struct CoverageReport {
    /// What was seen of a schema.
    struct Entry {
        /// `search/1-0-0`, or `container/1-0-0`.
        let reference: String
        let isContainer: Bool
        /// Whether it counts: old versions do not, unless asked for.
        let isCounted: Bool
        let lines: Int
        /// The schema itself, its properties, and their values.
        let ratio: CoverageRatio
        /// In the order of the schema.
        let missing: [CoveragePoint]
        /// Whether everything in the schema was looked at: references can multiply without an end.
        let isComplete: Bool
    }

    /// The events by name, then the containers; of what does not count, only what was seen.
    let entries: [Entry]
    let lines: Int
    let invalid: Int
    /// What was seen of the plan's pages; nil if it lists none.
    let pages: CoveredPages?
    /// The events that the plan allows without a schema, with their lines; nil if it lists none.
    let unplanned: [(event: UnplannedList.Event, lines: Int)]?

    init(_ coverage: PlanCoverage, _ maps: PlanCoverageMaps, allVersions: Bool) {
        let plan = maps.plan
        let newest = Set(plan.newest.map(\.reference) + plan.containers.suffix(1).map(\.reference))
        func entries(
            _ schemas: [PlanSchema], _ maps: [CoverageMap], _ seen: [PlanCoverage.Entry], isContainer: Bool
        ) -> [Entry] {
            schemas.indices.map { location in
                let (points, entry) = (maps[location].points, seen[location])
                let missing = zip(points, entry.marks).filter { !$1 }.map(\.0)
                let marks = points.count - missing.count + (entry.lines > 0 ? 1 : 0)
                return Entry(
                    reference: schemas[location].reference, isContainer: isContainer,
                    isCounted: allVersions || newest.contains(schemas[location].reference), lines: entry.lines,
                    ratio: CoverageRatio(seen: marks, total: points.count + 1), missing: missing,
                    isComplete: maps[location].isComplete)
            }
        }
        let all =
            entries(plan.events, maps.events, coverage.events, isContainer: false)
            + entries(plan.containers, maps.containers, coverage.containers, isContainer: true)
        self.entries = all.filter { $0.isCounted || $0.lines > 0 }
        (lines, invalid) = (coverage.lines, coverage.invalid)
        pages = plan.pages.map { CoveredPages($0, coverage) }
        unplanned = plan.unplanned.map { Array(zip($0.events, coverage.unplanned)).map { ($0, $1) } }
    }

    /// Of everything that counts.
    var total: CoverageRatio { entries.filter(\.isCounted).reduce(CoverageRatio()) { $0 + $1.ratio } }

    /// Events that count and are in no line.
    var neverSeen: [String] { entries.filter { !$0.isContainer && $0.isCounted && $0.lines == 0 }.map(\.reference) }
}

/// How much of something was seen.
struct CoverageRatio: Hashable {
    var seen = 0
    var total = 0

    /// Rounded down to hundredths, so that only what is complete is 100.
    var percent: Double { total == 0 ? 100 : (Double(seen) * 10_000 / Double(total)).rounded(.down) / 100 }

    /// `93.7%`, rounded down.
    var text: String {
        let tenths = total == 0 ? 1000 : seen * 1000 / total
        return "\(tenths / 10).\(tenths % 10)%"
    }

    /// Whether it is at least so many percent, exactly.
    func reaches(_ percent: Double) -> Bool { Double(seen) * 100 >= percent * Double(total) }

    static func + (left: Self, right: Self) -> Self {
        Self(seen: left.seen + right.seen, total: left.total + right.total)
    }
}

extension CoverageReport {
    /// What was seen, as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | what it is |
    /// |---|---|
    /// | `lines`, `invalid` | lines that were read, and those that were not valid, in which nothing is seen |
    /// | `seen`, `total`, `percent` | of everything that counts; the percent rounded down to hundredths |
    /// | `never_seen` | events that count and are in no line, as lines name them |
    /// | `pages` | of the plan's pages `seen`, `total`, `percent`, `never_seen` (their names), and `not_in_plan`, objects with \
    /// `page` (null for names that are not told apart) and `lines`; null if the plan lists no pages. They are not in `total` |
    /// | `unplanned` | of each event that `unplanned.json` allows without a schema `event`, `lines` and `until` (null for no \
    /// limit); null if the plan has no such list. They are not in `total` |
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
                "pages": pages?.json ?? .null, "unplanned": unplanned.map { .array($0.map(Self.json)) } ?? .null,
            ]) { $1 })
    }

    private static func json(_ event: UnplannedList.Event, _ lines: Int) -> JSONValue {
        [
            "event": .string(event.name), "lines": .integer(Int64(lines)),
            "until": event.until.map { .string($0) } ?? .null,
        ]
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

extension CoverageReport {
    /// The table and what is missing, for people.
    ///
    /// - Parameter title: Whose lines they are.
    func text(_ title: String) -> String {
        var table = TextTable(["event", "lines", "seen", "of", "percent"], rightAligned: [1, 2, 3, 4])
        for entry in entries where entry.isCounted {
            table.add([entry.reference, entry.lines.grouped] + Self.cells(entry.ratio))
        }
        table.add(["total", lines.grouped] + Self.cells(total))
        let missing = entries.filter(\.isCounted).compactMap(Self.missing)
        let old = entries.filter { !$0.isCounted }.map { "  \($0.reference): \(Self.lines($0.lines))" }
        let blocks = [
            [title] + table.lines,
            missing.isEmpty ? [] : ["never seen in the \(title):"] + missing.flatMap { $0 },
            pages?.text(title) ?? [],
            unplannedText(title),
            old.isEmpty ? [] : ["old versions in the \(title), which do not count:"] + old,
            entries.filter { !$0.isComplete }.map {
                "\($0.reference): its references multiply, so only \($0.ratio.total.grouped) things in it are looked for"
            },
            invalid == 0
                ? []
                : [
                    "\(Self.lines(invalid, "invalid ")) \(invalid == 1 ? "does" : "do") not count: trackctl validate "
                        + "says what is wrong"
                ],
        ]
        return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private func unplannedText(_ title: String) -> [String] {
        guard let unplanned, !unplanned.isEmpty else { return [] }
        return ["allowed without a schema in the \(title), which does not count:"]
            + unplanned.map { event, lines in
                "  \(event.name): \(Self.lines(lines))" + (event.until.map { ", until \($0)" } ?? "")
            }
    }

    private static func lines(_ count: Int, _ kind: String = "") -> String {
        "\(count.grouped) \(kind)line\(count == 1 ? "" : "s")"
    }

    private static func cells(_ ratio: CoverageRatio) -> [String] {
        [ratio.seen.grouped, ratio.total.grouped, ratio.text]
    }

    /// What is missing of a schema: of a property that was never seen not its own properties, too.
    private static func missing(_ entry: Entry) -> [String]? {
        guard entry.lines > 0 else { return ["  \(entry.reference)"] }
        let unseen = Set(entry.missing.filter { $0.value == nil }.map(\.pointer))
        let roots = entry.missing.filter { point in
            if point.value != nil, unseen.contains(point.pointer) { return false }
            var steps = point.pointer.split(separator: "/")
            while steps.popLast() != nil, !steps.isEmpty {
                if unseen.contains("/" + steps.joined(separator: "/")) { return false }
            }
            return true
        }
        return roots.isEmpty ? nil : ["  \(entry.reference)"] + roots.map { "    \($0.description)".printable }
    }
}
