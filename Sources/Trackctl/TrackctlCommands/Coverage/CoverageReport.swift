internal import EventModel
internal import Foundation
internal import JSONLines
internal import TextRendering
internal import TrackingPlan

/// The report of `trackctl coverage` for the logs, or for the lines of the tests.
struct CoverageReport {
    /// The coverage of a schema.
    struct Entry {
        /// `search/1-0-0`, or `container/1-0-0`.
        let reference: String
        let isContainer: Bool
        /// Whether it counts towards the total: only newest versions (unless all are requested), and only the plan's
        /// own schemas.
        let isCounted: Bool
        /// Whether the plan defines it, rather than the SDK.
        let isOwn: Bool
        /// The purpose of an event; nil for a container.
        let purpose: Purpose?
        let lines: Int
        /// Coverage of the schema, its properties and their values.
        let ratio: CoverageRatio
        /// In schema order.
        let missing: [CoveragePoint]
        /// Whether all of the schema was checked: recursive references are cut off.
        let isComplete: Bool
    }

    /// Events by name, then containers. Schemas that don't count are included only if seen.
    let entries: [Entry]
    let lines: Int
    /// Invalid lines, which cover nothing. Includes ``notInPlan``.
    let invalid: Int
    /// Lines of each event that is not in the plan, by reference.
    let notInPlan: [(event: String, lines: Int)]
    /// Further such lines, whose names are not counted separately.
    let unnamed: Int
    /// Coverage of the plan's pages; nil if the plan lists none.
    let pages: CoveredPages?
    /// Lines of the events that the plan allows without a schema; nil if it lists none.
    let unplanned: [(event: UnplannedList.Event, lines: Int)]?

    init(_ coverage: PlanCoverage, _ maps: PlanCoverageMaps, of scanned: ScanPlan, allVersions: Bool) {
        let plan = maps.plan
        let newest = Set(plan.newest.map(\.reference) + plan.containers.suffix(1).map(\.reference))
        func entries(
            _ schemas: [PlanSchema], maps: [CoverageMap], seen: [PlanCoverage.Entry], isContainer: Bool
        ) -> [Entry] {
            schemas.indices.map { location in
                let points = maps[location].points
                let entry = seen[location]
                let missing = zip(points, entry.marks).filter { !$1 }.map(\.0)
                let marks = points.count - missing.count + (entry.lines > 0 ? 1 : 0)
                let isOwn = scanned.isOwn(schemas[location])
                let isWanted = allVersions || newest.contains(schemas[location].reference)
                return Entry(
                    reference: schemas[location].reference, isContainer: isContainer, isCounted: isOwn && isWanted,
                    isOwn: isOwn, purpose: isContainer ? nil : schemas[location].purpose, lines: entry.lines,
                    ratio: CoverageRatio(seen: marks, total: points.count + 1), missing: missing,
                    isComplete: maps[location].isComplete)
            }
        }
        let all =
            entries(plan.events, maps: maps.events, seen: coverage.events, isContainer: false)
            + entries(plan.containers, maps: maps.containers, seen: coverage.containers, isContainer: true)
        self.entries = all.filter { $0.isCounted || $0.lines > 0 }
        lines = coverage.lines
        invalid = coverage.invalid
        notInPlan = coverage.otherEvents.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        unnamed = coverage.linesOfUnnamedEvents
        pages = plan.pages.map { CoveredPages($0, coverage) }
        unplanned = plan.unplanned.map { Array(zip($0.events, coverage.unplanned)).map { ($0, $1) } }
    }

    /// Over everything that counts.
    var total: CoverageRatio { entries.filter(\.isCounted).reduce(CoverageRatio()) { $0 + $1.ratio } }

    /// Events that count and were never seen.
    var neverSeen: [String] { entries.filter { !$0.isContainer && $0.isCounted && $0.lines == 0 }.map(\.reference) }
}

/// A number of points seen, and their total.
struct CoverageRatio: Hashable {
    var seen = 0
    var total = 0

    /// Rounded down to hundredths, so that only full coverage is 100.
    var percent: Double { total == 0 ? 100 : (Double(seen) * 10_000 / Double(total)).rounded(.down) / 100 }

    /// `93.7%`, rounded down.
    var text: String {
        let tenths = total == 0 ? 1000 : seen * 1000 / total
        return "\(tenths / 10).\(tenths % 10)%"
    }

    /// Whether it is at least this percentage, exactly.
    func reaches(_ percent: Double) -> Bool { Double(seen) * 100 >= percent * Double(total) }

    static func + (left: Self, right: Self) -> Self {
        Self(seen: left.seen + right.seen, total: left.total + right.total)
    }
}

extension CoverageReport {
    /// The report as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | meaning |
    /// |---|---|
    /// | `lines`, `invalid` | lines read, and invalid ones among them, which cover nothing |
    /// | `seen`, `total`, `percent` | over everything that counts; the percentage rounded down to hundredths |
    /// | `never_seen` | references of events that count and were never seen |
    /// | `pages` | for the plan's pages: `seen`, `total`, `percent`, `never_seen` (names), and `not_in_plan`, objects \
    /// with `page` (null for further names) and `lines`; null if the plan lists no pages. Not part of `total` |
    /// | `not_in_plan` | for each event that is not in the plan: `event` (`search/2-0-0`; null for further names) and \
    /// `lines`, which are part of `invalid` |
    /// | `unplanned` | for each event that `unplanned.json` allows without a schema: `event`, `lines` and `until` \
    /// (null for no limit); null if the plan has no such list. Not part of `total` |
    /// | `schemas` | `schema` (`search/1-0-0`), `container` (whether it is one), `counted`, `complete` (false if \
    /// recursive references were cut off), `purpose` (absent for analytics and containers), `lines`, `seen`, `total`, \
    /// `percent`, `missing` |
    ///
    /// `missing` lists, in schema order, objects with the `pointer` of a property that was never seen, or with the
    /// `pointer` and a `value` that was never seen. Pointers (RFC 6901) refer to the line; `*` matches every element
    /// or member.
    var json: JSONValue {
        var strangers = notInPlan.map { Self.json(.string($0.event), $0.lines) }
        if unnamed > 0 { strangers.append(Self.json(.null, unnamed)) }
        let own: [String: JSONValue] = [
            "lines": .integer(Int64(lines)), "invalid": .integer(Int64(invalid)),
            "never_seen": .array(neverSeen.map { .string($0) }), "schemas": .array(entries.map(Self.json)),
            "pages": pages?.json ?? .null, "unplanned": unplanned.map { .array($0.map(Self.json)) } ?? .null,
            "not_in_plan": .array(strangers),
        ]
        return .object(total.members.merging(own) { $1 })
    }

    private static func json(_ event: JSONValue, _ lines: Int) -> JSONValue {
        ["event": event, "lines": .integer(Int64(lines))]
    }

    private static func json(_ event: UnplannedList.Event, _ lines: Int) -> JSONValue {
        [
            "event": .string(event.name), "lines": .integer(Int64(lines)),
            "until": event.until.map { .string($0) } ?? .null,
        ]
    }

    private static func json(_ entry: Entry) -> JSONValue {
        var members: [String: JSONValue] = [
            "schema": .string(entry.reference), "container": .bool(entry.isContainer),
            "counted": .bool(entry.isCounted), "complete": .bool(entry.isComplete),
            "lines": .integer(Int64(entry.lines)),
            "missing": .array(entry.missing.map(json)),
        ]
        if let purpose = entry.purpose, purpose != .analytics { members["purpose"] = .string(purpose.name) }
        return .object(entry.ratio.members.merging(members) { $1 })
    }

    /// The value is written as JSON text, exactly as in the schema, because a log line may not support the value
    /// itself.
    private static func json(_ point: CoveragePoint) -> JSONValue {
        var members: [String: JSONValue] = ["pointer": .string(point.pointer)]
        if let value = point.value { members["value"] = .string(value) }
        return .object(members)
    }
}

extension CoverageRatio {
    /// The members `seen`, `total` and `percent`.
    fileprivate var members: [String: JSONValue] {
        ["seen": .integer(Int64(seen)), "total": .integer(Int64(total)), "percent": .number(percent)]
    }

    /// An object with ``members``.
    var json: JSONValue { .object(members) }
}

extension CoverageReport {
    /// The table and the missing points, as text.
    ///
    /// - Parameter title: The source of the lines: `logs` or `tests`.
    func text(_ title: String) -> String {
        let counted = entries.filter(\.isCounted)
        let hasPurposes = counted.contains { $0.purpose != nil && $0.purpose != .analytics }
        func purpose(_ text: String) -> [String] { hasPurposes ? [text] : [] }
        let first = hasPurposes ? 2 : 1
        var table = TextTable(
            ["event"] + purpose("purpose") + ["lines", "seen", "of", "percent"], rightAligned: Set(first...first + 3))
        for entry in counted {
            table.add(
                [entry.reference] + purpose(entry.purpose?.name ?? "") + [entry.lines.grouped] + Self.cells(entry.ratio)
            )
        }
        table.add(["total"] + purpose("") + [lines.grouped] + Self.cells(total))
        let missing = counted.compactMap(Self.missing)
        func uncounted(_ isOwn: Bool) -> [String] {
            entries.filter { !$0.isCounted && !$0.isContainer && $0.isOwn == isOwn }
                .map { "  \($0.reference): \(Self.lines($0.lines))" }
        }
        let old = uncounted(true)
        let standard = uncounted(false)
        let faulty = invalid - notInPlan.reduce(0) { $0 + $1.lines } - unnamed
        let blocks: [[String]] = [
            [title] + table.lines,
            missing.isEmpty ? [] : ["never seen in the \(title):"] + missing.flatMap { $0 },
            pages?.text(title) ?? [],
            unplannedText(title),
            othersText(title),
            standard.isEmpty ? [] : ["SDK events in the \(title) (not counted):"] + standard,
            old.isEmpty ? [] : ["old versions in the \(title) (not counted):"] + old,
            entries.filter { !$0.isComplete }.map {
                "\($0.reference): recursive references; only \($0.ratio.total.grouped) points were checked"
            },
            faulty == 0 ? [] : ["\(Self.lines(faulty, "invalid ")) not counted: run trackctl validate for details"],
        ]
        return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private func othersText(_ title: String) -> [String] {
        guard !notInPlan.isEmpty || unnamed > 0 else { return [] }
        return ["not in the plan, seen in the \(title) (not counted); run trackctl validate for advice:"]
            + notInPlan.map { "  \($0.event): \(Self.lines($0.lines))" }
            + (unnamed > 0 ? ["  other names: \(Self.lines(unnamed))"] : [])
    }

    private func unplannedText(_ title: String) -> [String] {
        guard let unplanned, !unplanned.isEmpty else { return [] }
        return ["allowed without a schema in the \(title) (not counted):"]
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

    /// The missing points of a schema. Omits the properties of a property that was never seen.
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
