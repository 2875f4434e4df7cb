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

    init(_ coverage: PlanCoverage, _ maps: PlanCoverageMaps, allVersions: Bool) {
        let plan = maps.plan
        let newest = Set(plan.newest.map(\.reference) + plan.containers.suffix(1).map(\.reference))
        func entries(
            _ schemas: [PlanSchema], _ maps: [CoverageMap], _ seen: [PlanCoverage.Entry], isContainer: Bool
        ) -> [Entry] {
            schemas.indices.map { place in
                let (points, entry) = (maps[place].points, seen[place])
                let missing = zip(points, entry.marks).filter { !$1 }.map(\.0)
                let marks = points.count - missing.count + (entry.lines > 0 ? 1 : 0)
                return Entry(
                    reference: schemas[place].reference, isContainer: isContainer,
                    isCounted: allVersions || newest.contains(schemas[place].reference), lines: entry.lines,
                    ratio: CoverageRatio(seen: marks, total: points.count + 1), missing: missing,
                    isComplete: maps[place].isComplete)
            }
        }
        let all =
            entries(plan.events, maps.events, coverage.events, isContainer: false)
            + entries(plan.containers, maps.containers, coverage.containers, isContainer: true)
        self.entries = all.filter { $0.isCounted || $0.lines > 0 }
        (lines, invalid) = (coverage.lines, coverage.invalid)
    }

    /// Of everything that counts.
    var total: CoverageRatio { entries.filter(\.isCounted).reduce(CoverageRatio()) { $0 + $1.ratio } }

    /// Events that count and are in no line.
    var neverSeen: [String] { entries.filter { !$0.isContainer && $0.isCounted && $0.lines == 0 }.map(\.reference) }
}
