internal import TrackingPlan

/// The findings in a chunk, an input, or all inputs. Memory grows with the kinds of findings, up to a limit per
/// input, not with the number of lines or their names.
struct LineFindings {
    /// The most groups, and the most unplanned events, that are counted separately per input.
    static let maximumGroups = 2000

    private let maximumGroups: Int
    private(set) var lines = 0
    private(set) var invalid = 0
    /// Lines of events that the plan allows without a schema. They are neither valid nor invalid.
    private(set) var allowed = 0
    /// In the order of the plan's events.
    private(set) var planned: [EventTally]
    /// Events that are not in the plan, by reference, in order of first occurrence.
    private(set) var unplanned: [(event: String, tally: EventTally)] = []
    /// Lines without a schema reference, and lines of unplanned events beyond the limit.
    private(set) var nameless = EventTally()
    /// In order of first occurrence.
    private(set) var groups: [FindingGroup] = []
    /// Findings that belong to no group because of the limit.
    private(set) var ungrouped = 0
    /// The invalid lines of a chunk, each with a line feed, if requested.
    var rejected: [UInt8] = []
    private var locationByEvent: [String: Int] = [:]
    private var locationByKey: [FindingGroup.Key: Int] = [:]

    /// - Parameters:
    /// - events: The number of events in the plan.
    /// - maximumGroups: The limit on groups. Chunks have no limit (their size bounds them), so that the result does
    ///   not depend on where chunks end.
    init(events: Int, maximumGroups: Int = Self.maximumGroups) {
        planned = Array(repeating: EventTally(), count: events)
        self.maximumGroups = maximumGroups
    }

    @inline(__always)
    mutating func addValid(_ event: Int, at microseconds: Int64?) {
        lines += 1
        planned[event].addValid(at: microseconds)
    }

    /// Counts a line of an event that the plan allows without a schema.
    mutating func addAllowed(_ result: LineResult) {
        lines += 1
        allowed += 1
        var tally = EventTally()
        tally.addUnplanned(at: result.microseconds)
        add(tally, to: result.reference?.shortened)
    }

    /// Counts an invalid line.
    ///
    /// - Parameter location: Converts an offset in the line.
    mutating func addInvalid(_ result: LineResult, location: (_ offset: Int) -> LineLocation) {
        lines += 1
        invalid += 1
        var tally = EventTally()
        tally.addInvalid(result, at: location(result.findings.first?.offset ?? 0))
        let reference = result.reference?.shortened
        if let event = result.event { planned[event].add(tally) } else { add(tally, to: reference) }
        for finding in result.findings {
            var group = FindingGroup(FindingGroup.Key(finding, event: reference), at: location(finding.offset))
            group.add(at: result.microseconds)
            add(group)
        }
    }

    /// Adds the findings of further lines.
    ///
    /// - Parameter following: Whether the other lines directly follow these and are numbered from 1. Otherwise they
    ///   have their final numbers.
    mutating func add(_ other: LineFindings, following: Bool) {
        let before = following ? lines : 0
        lines += other.lines
        invalid += other.invalid
        allowed += other.allowed
        for event in planned.indices where other.planned[event].lines > 0 {
            planned[event].add(other.planned[event], after: before)
        }
        for (event, tally) in other.unplanned { add(tally, to: event, after: before) }
        nameless.add(other.nameless, after: before)
        for group in other.groups { add(group.moved(by: before)) }
        ungrouped += other.ungrouped
    }

    private mutating func add(_ tally: EventTally, to event: String?, after lines: Int = 0) {
        guard let event, locationByEvent[event] != nil || unplanned.count < maximumGroups else {
            return nameless.add(tally, after: lines)
        }
        if let location = locationByEvent[event] {
            unplanned[location].tally.add(tally, after: lines)
        } else {
            locationByEvent[event] = unplanned.count
            var moved = EventTally()
            moved.add(tally, after: lines)
            unplanned.append((event, moved))
        }
    }

    private mutating func add(_ group: FindingGroup) {
        if let location = locationByKey[group.key] {
            groups[location].add(group)
        } else if groups.count < maximumGroups {
            locationByKey[group.key] = groups.count
            groups.append(group)
        } else {
            ungrouped += group.count
        }
    }
}

/// Checks the lines of chunks against a plan.
final class LineValidator: ChunkWorker {
    private var checker: LineChecker
    private let events: Int
    /// The limit on invalid lines, after which the chunk is abandoned.
    private let maximumInvalid: Int
    private let keepsRejected: Bool

    /// - Parameter keepsRejected: Whether to keep the invalid lines.
    init(_ plan: CompiledPlan, maximumInvalid: Int, keepsRejected: Bool) {
        checker = LineChecker(plan)
        events = plan.plan.events.count
        self.maximumInvalid = maximumInvalid
        self.keepsRejected = keepsRejected
    }

    func output(of chunk: LineChunk) -> LineFindings { findings(in: chunk, maximumInvalid: maximumInvalid) }

    /// The findings in a chunk, up to a number of invalid lines.
    func findings(in chunk: LineChunk, maximumInvalid: Int) -> LineFindings {
        var findings = LineFindings(events: events, maximumGroups: .max)
        chunk.forEachLine { line in
            if !line.isTorn, let event = checker.validEvent(line.bytes) {
                findings.addValid(event, at: checker.microseconds)
                return true
            }
            let result = line.isTorn ? Self.torn : checker.check(line.bytes)
            if result.isValid, let event = result.event {
                findings.addValid(event, at: result.microseconds)
                return true
            }
            if result.isUnplanned {
                findings.addAllowed(result)
                return true
            }
            findings.addInvalid(result) {
                LineLocation(input: chunk.input, line: line, isRow: chunk.isDatabase, offset: $0)
            }
            if keepsRejected { findings.rejected += line.bytes + [UInt8(ascii: "\n")] }
            return findings.invalid < maximumInvalid
        }
        return findings
    }

    private static let torn = LineResult(
        finding: LineFinding(.torn, "the last line has no line feed: a write was interrupted"))
}

/// Merges the findings of all inputs.
final class FindingReducer: ChunkReducer {
    typealias Worker = LineValidator

    /// By input index; inputs without lines may be absent.
    private(set) var inputs: [Int: LineFindings] = [:]
    /// Whether reading stopped because of too many invalid lines.
    private(set) var isStopped = false
    private let events: Int
    private let maximumInvalid: Int
    private var invalid = 0
    private let rejects: RejectsFile?
    /// Why the invalid lines could not be written.
    private(set) var failure: (any Error)?

    /// - Parameter rejects: The file for invalid lines; nil to discard them.
    init(events: Int, maximumInvalid: Int, rejects: RejectsFile?) {
        self.rejects = rejects
        self.events = events
        self.maximumInvalid = maximumInvalid
    }

    func reduce(_ output: LineFindings, of chunk: LineChunk, by worker: LineValidator) -> Bool {
        var findings = output
        let allowed = maximumInvalid - invalid
        if findings.invalid >= allowed {
            // Include exactly the invalid lines that the limit allows.
            findings = worker.findings(in: chunk, maximumInvalid: allowed)
            isStopped = true
        }
        do { try rejects?.write(findings.rejected) } catch {
            failure = error
            return false
        }
        findings.rejected = []
        invalid += findings.invalid
        inputs[chunk.input, default: LineFindings(events: events)].add(findings, following: chunk.rows == nil)
        return !isStopped
    }
}
