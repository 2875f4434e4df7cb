internal import CommandSupport
internal import EventModel
internal import TextRendering
internal import TrackingPlan

/// The report of `trackctl validate`.
struct ValidationReport {
    struct Input {
        let name: String
        let findings: LineFindings
        /// Why the input was not read, or not to its end.
        let failure: String?
    }

    private let scanned: ScanPlan
    /// The inputs read, in order.
    let inputs: [Input]
    let failOn: FailOn
    /// The number of invalid lines after which reading stopped; nil if it did not stop.
    let stoppedAfter: Int?
    let total: LineFindings
    /// The most frequent first; equally frequent ones in the order of their samples.
    let groups: [FindingGroup]
    /// The newest versions of events that no line has in any version. Empty unless all lines were read. In an app's
    /// plan, excludes the SDK's own events.
    let unused: [PlanSchema]

    init(plan scanned: ScanPlan, inputs: [Input], failOn: FailOn, stoppedAfter: Int? = nil) {
        self.scanned = scanned
        self.inputs = inputs
        self.failOn = failOn
        self.stoppedAfter = stoppedAfter
        let plan = scanned.plan
        var total = LineFindings(events: plan.events.count)
        for input in inputs { total.add(input.findings, following: false) }
        self.total = total
        groups = Self.sorted(total.groups)
        let used = Set(
            zip(plan.events, total.planned).filter { $1.lines > 0 }.map(\.0.name)
                + total.unplanned.map { String($0.event.prefix { $0 != "/" }) })
        let isWhole = stoppedAfter == nil && inputs.allSatisfy { $0.failure == nil }
        unused = isWhole ? plan.newest.filter { !used.contains($0.name) && scanned.expects($0) } : []
    }

    /// - Parameters:
    /// - inputs: The inputs read, in order.
    /// - findings: By input index; inputs without lines may be absent.
    init(
        plan: ScanPlan, inputs: [EventStream.Input], findings: [Int: LineFindings], failOn: FailOn,
        stoppedAfter: Int? = nil
    ) {
        self.init(
            plan: plan,
            inputs: inputs.enumerated().map { location, input in
                Input(
                    name: input.name, findings: findings[location] ?? LineFindings(events: plan.plan.events.count),
                    failure: input.failure?.message)
            },
            failOn: failOn, stoppedAfter: stoppedAfter)
    }

    /// Sorts groups, the most frequent first.
    static func sorted(_ groups: [FindingGroup]) -> [FindingGroup] {
        groups.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }.map(\.element)
    }

    /// The lines of an event.
    struct Row {
        /// The schema reference, `search/1-0-0`; nil for lines without one.
        let event: String?
        let isPlanned: Bool
        let tally: EventTally
    }

    /// The rows for findings: planned events, then others in order of occurrence, then lines without a reference.
    func rows(of findings: LineFindings) -> [Row] {
        let planned = zip(scanned.plan.events, findings.planned).map {
            Row(event: $0.reference, isPlanned: true, tally: $1)
        }
        let others = findings.unplanned.map { Row(event: $0.event, isPlanned: false, tally: $0.tally) }
        let nameless = Row(event: nil, isPlanned: false, tally: findings.nameless)
        return (planned + others + [nameless]).filter { $0.tally.lines > 0 }
    }

    func sum(of rows: [Row]) -> EventTally {
        var sum = EventTally()
        for row in rows { sum.add(row.tally) }
        return sum
    }

    /// Whether there are findings that `--fail-on` includes, grouped or not.
    var isFailure: Bool {
        failOn.firstFailure(in: sum(of: rows(of: total))) != nil || failsUnused && !unused.isEmpty
    }

    /// The message on findings that are in no group; nil if there are none.
    var ungrouped: String? {
        guard total.ungrouped > 0 else { return nil }
        return "and \(total.ungrouped.grouped) more: only the first \(groups.count.grouped) kinds are listed"
    }

    /// Whether events that were never seen are failures.
    var failsUnused: Bool { failOn.classes.contains(.unused) }

    /// The folder of the plan, as shown in messages.
    var folder: String { scanned.name }

    /// The file of a schema; nil for the SDK's own.
    func location(of schema: PlanSchema) -> String? { scanned.location(of: schema) }

    /// `input:line:column`, which editors can jump to, or `input: seq N`.
    func text(_ location: LineLocation) -> String {
        let name = inputs[location.input].name
        return location.isRow ? "\(name): seq \(location.line)" : "\(name):\(location.line):\(location.column)"
    }
}

/// Counts the lines of an event, and its findings.
struct EventTally {
    private(set) var lines = 0
    /// Lines with at least one finding.
    private(set) var invalid = 0
    /// Lines of an event that the plan allows without a schema: neither valid nor invalid.
    private(set) var unplanned = 0
    /// Lines with at least one finding of the kind.
    private(set) var linesByKind: [LineFinding.Kind: Int] = [:]
    private(set) var span = TimeSpan()
    /// The location of the first finding.
    private(set) var sample: LineLocation?

    var valid: Int { lines - invalid - unplanned }

    @inline(__always)
    mutating func addValid(at microseconds: Int64?) {
        lines += 1
        if let microseconds { span.add(microseconds) }
    }

    mutating func addUnplanned(at microseconds: Int64?) {
        addValid(at: microseconds)
        unplanned += 1
    }

    mutating func addInvalid(_ result: LineResult, at location: LineLocation) {
        lines += 1
        invalid += 1
        for kind in Set(result.findings.map(\.kind)) { linesByKind[kind, default: 0] += 1 }
        if let microseconds = result.microseconds { span.add(microseconds) }
        sample = sample ?? location
    }

    mutating func add(_ other: EventTally, after lines: Int = 0) {
        self.lines += other.lines
        invalid += other.invalid
        unplanned += other.unplanned
        linesByKind.merge(other.linesByKind) { $0 + $1 }
        span.add(other.span)
        sample = sample ?? other.sample?.moved(by: lines)
    }
}

/// The earliest and the latest of some times.
struct TimeSpan: Hashable {
    private var earliest = Int64.max
    private var latest = Int64.min

    /// Includes a time, in microseconds since 1970.
    @inline(__always)
    mutating func add(_ microseconds: Int64) {
        if microseconds < earliest { earliest = microseconds }
        if microseconds > latest { latest = microseconds }
    }

    mutating func add(_ other: TimeSpan) {
        earliest = min(earliest, other.earliest)
        latest = max(latest, other.latest)
    }

    /// RFC 3339 in UTC; nil without times.
    var first: String? { earliest > latest ? nil : EventTime(microseconds: earliest).rfc3339 }
    /// RFC 3339 in UTC; nil without times.
    var last: String? { earliest > latest ? nil : EventTime(microseconds: latest).rfc3339 }
}
