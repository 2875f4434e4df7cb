internal import TrackingPlan

/// What was found in lines: of a chunk, an input, or all inputs. Memory grows with the kinds of faults, up to a limit for
/// each input, and not with the lines or the names in them.
struct LineFindings {
    /// How many groups, and how many events that are not in the plan, are told apart at most in an input.
    static let maximumGroups = 2000

    private let maximumGroups: Int
    private(set) var lines = 0
    private(set) var invalid = 0
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
    private var placeByEvent: [String: Int] = [:]
    private var placeByKey: [FindingGroup.Key: Int] = [:]

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

    /// Counts a line that is not valid.
    ///
    /// - Parameter place: Where an offset in the line is.
    mutating func addInvalid(_ result: LineResult, place: (_ offset: Int) -> LinePlace) {
        lines += 1
        invalid += 1
        var tally = EventTally()
        tally.addInvalid(result, at: place(result.findings.first?.offset ?? 0))
        let reference = result.reference?.shortened
        if let event = result.event { planned[event].add(tally) } else { add(tally, to: reference) }
        for finding in result.findings {
            var group = FindingGroup(FindingGroup.Key(finding, event: reference), at: place(finding.offset))
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
        for event in planned.indices where other.planned[event].lines > 0 {
            planned[event].add(other.planned[event], after: before)
        }
        for (event, tally) in other.unplanned { add(tally, to: event, after: before) }
        nameless.add(other.nameless, after: before)
        for group in other.groups { add(group.moved(by: before)) }
        ungrouped += other.ungrouped
    }

    private mutating func add(_ tally: EventTally, to event: String?, after lines: Int = 0) {
        guard let event, placeByEvent[event] != nil || unplanned.count < maximumGroups else {
            return nameless.add(tally, after: lines)
        }
        if let place = placeByEvent[event] {
            unplanned[place].tally.add(tally, after: lines)
        } else {
            placeByEvent[event] = unplanned.count
            var moved = EventTally()
            moved.add(tally, after: lines)
            unplanned.append((event, moved))
        }
    }

    private mutating func add(_ group: FindingGroup) {
        if let place = placeByKey[group.key] {
            groups[place].add(group)
        } else if groups.count < maximumGroups {
            placeByKey[group.key] = groups.count
            groups.append(group)
        } else {
            ungrouped += group.count
        }
    }
}
