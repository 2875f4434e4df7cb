internal import TrackingPlan

/// What was found in lines: of a chunk, an input, or all inputs. Memory grows with the kinds of faults, up to a limit for
/// each input, and not with the lines or the names in them.
struct LineFindings {
    /// How many groups, and how many events that are not in the plan, are told apart at most in an input.
    static let maximumGroups = 2000

    private let maximumGroups: Int
    private(set) var lines = 0
    private(set) var invalid = 0
    /// Lines of events without a schema that the plan allows: neither valid nor invalid.
    private(set) var allowed = 0
    /// In the order of the plan's events.
    private(set) var planned: [EventTally]
    /// Events that are not in the plan, as the lines name them, in the order of their first lines.
    private(set) var unplanned: [(event: String, tally: EventTally)] = []
    /// Lines that name no event, and those of unplanned events past the limit.
    private(set) var nameless = EventTally()
    /// In the order of the first findings.
    private(set) var groups: [FindingGroup] = []
    /// How many findings are in no group, because the limit was reached.
    private(set) var ungrouped = 0
    /// The invalid lines of a chunk as they are, each with a line feed, if they are wanted.
    var rejected: [UInt8] = []
    private var locationByEvent: [String: Int] = [:]
    private var locationByKey: [FindingGroup.Key: Int] = [:]

    /// - Parameters:
    ///   - events: How many events the plan has.
    ///   - maximumGroups: More are only counted. A chunk's are bounded by its size: where it ends must not show.
    init(events: Int, maximumGroups: Int = Self.maximumGroups) {
        planned = Array(repeating: EventTally(), count: events)
        self.maximumGroups = maximumGroups
    }

    /// Counts a valid line.
    @inline(__always)
    mutating func addValid(_ event: Int, at microseconds: Int64?) {
        lines += 1
        planned[event].addValid(at: microseconds)
    }

    /// Counts a line of an event without a schema that the plan allows.
    mutating func addAllowed(_ result: LineResult) {
        lines += 1
        allowed += 1
        var tally = EventTally()
        tally.addUnplanned(at: result.microseconds)
        add(tally, to: result.reference?.shortened)
    }

    /// Counts a line that is not valid.
    ///
    /// - Parameter location: Where an offset in the line is.
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

    /// Adds what was found in the lines that follow.
    ///
    /// - Parameter following: Whether its lines are numbered from 1 and follow the lines so far; else by their input.
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
    /// After so many invalid lines a chunk is left.
    private let maximumInvalid: Int
    private let keepsRejected: Bool

    /// - Parameter keepsRejected: Whether the invalid lines themselves are wanted.
    init(_ plan: CompiledPlan, maximumInvalid: Int, keepsRejected: Bool) {
        checker = LineChecker(plan)
        events = plan.plan.events.count
        self.maximumInvalid = maximumInvalid
        self.keepsRejected = keepsRejected
    }

    func output(of chunk: LineChunk) -> LineFindings { findings(in: chunk, maximumInvalid: maximumInvalid) }

    /// What is found in a chunk, up to so many invalid lines.
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
        finding: LineFinding(.torn, "the last line has no line feed: a write was cut off"))
}

/// Puts together what is found in the chunks of all inputs.
final class FindingReducer: ChunkReducer {
    typealias Worker = LineValidator

    /// By the input's place; an input without lines may have none.
    private(set) var inputs: [Int: LineFindings] = [:]
    /// Whether reading was stopped because of too many invalid lines.
    private(set) var isStopped = false
    private let events: Int
    private let maximumInvalid: Int
    private var invalid = 0
    private let rejects: RejectsFile?
    /// Why the invalid lines could not be written.
    private(set) var failure: (any Error)?

    /// - Parameter rejects: Where invalid lines go, if anywhere.
    init(events: Int, maximumInvalid: Int, rejects: RejectsFile?) {
        self.rejects = rejects
        self.events = events
        self.maximumInvalid = maximumInvalid
    }

    func reduce(_ output: LineFindings, of chunk: LineChunk, by worker: LineValidator) -> Bool {
        var findings = output
        let allowed = maximumInvalid - invalid
        if findings.invalid >= allowed {
            // Up to the last invalid line that is allowed, and not a line more.
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
