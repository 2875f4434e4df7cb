package import EventModel
package import EventQuery

/// An event on its way from an input, where its line lies: good only while it is shown.
package struct SourceEvent {
    /// The line, with what was looked for: its user and its time.
    package let line: EventLine
    /// The event as a log takes it, if it was parsed.
    package let recorded: RecordedEvent?

    package init(line: EventLine, recorded: RecordedEvent? = nil) {
        self.line = line
        self.recorded = recorded
    }
}

/// The events of one or more inputs, in order. For one thread at a time.
package protocol ReplaySource {
    /// Shows some of the next events.
    ///
    /// - Parameter body: An event whose line cannot be changed as was asked for is left out by throwing
    ///   ``CannotRewrite``, which is for the source to report.
    /// - Returns: false at the end.
    /// - Throws: What ends the replay.
    mutating func next(_ body: (SourceEvent) throws(CannotRewrite) -> Void) throws -> Bool

    /// Goes back to the first event.
    ///
    /// - Throws: What ends the replay.
    mutating func startAgain() throws
}

/// Makes batches of events: gives each its moment, its lane and its changes.
///
/// The same events and the same state give the same batches.
package struct EventFeed {
    /// A batch that is complete, and when it is due.
    package struct Cut: Sendable {
        package let batch: ReplayBatch
        /// Nanoseconds since the first event of all.
        package let due: Int64
    }

    private let plan: ReplayPlan
    private let choice: LaneChoice
    private let ids: NewIDs
    private let state: ReplayState
    private var schedule: ReplaySchedule
    private var cutters: [BatchCutter]
    /// The user that every line is given, if it is.
    private let fixedUser: [UInt8]?
    /// What is added to the times of this pass, in microseconds.
    private var shift: Int64?
    /// The first and the last time of this pass.
    private var times: ClosedRange<EventTime>?
    /// When the first event is due that is to be sent in this run.
    package private(set) var firstDue: Int64?
    /// Batches that are complete and were not taken out yet.
    private var cuts: [Cut] = []
    /// How many events an earlier run had done.
    package private(set) var skipped = 0
    private var failure: ReplayError?
    /// How far the open batch of each lane has come.
    var openSizes: [BatchSize] { cutters.map(\.openSize) }
    /// Whether all that an earlier run has done was left out.
    var isPastEarlierRun: Bool { zip(cutters, state.lanes).allSatisfy { $0.count >= $1.events } }

    /// Makes a feed.
    ///
    /// - Parameter state: What an earlier run has done is left out.
    package init(_ plan: ReplayPlan, state: ReplayState) {
        self.plan = plan
        self.state = state
        choice = LaneChoice(lanes: plan.lanes)
        ids = NewIDs(run: state.run)
        schedule = ReplaySchedule(plan.pace)
        // A time of sending has up to 17 characters, where a line may have had one.
        let growth = plan.rewriting.times == .now ? 16 : 0
        cutters = (0..<plan.lanes).map { BatchCutter(lane: $0, limits: plan.limits, growth: growth) }
        fixedUser = plan.rewriting.settings.last { $0.path == EventPath(members: "user_id") }?.value
    }

    /// Takes an event.
    ///
    /// - Throws: ``CannotRewrite``: it is left out.
    package mutating func add(_ event: SourceEvent) throws(CannotRewrite) {
        guard let time = event.line.time else {
            throw CannotRewrite(reason: "not a tracking container: 'time' is missing or of the wrong type")
        }
        let user = event.line.raw(event.line.userID)
        let lane = fixedUser.map { user in user.withUnsafeBytes { choice.lane(of: $0) } } ?? choice.lane(of: user)
        let ordinal = cutters[lane].count
        if shift == nil, case .shift(let start) = plan.rewriting.times {
            shift = start.time(now: state.started).microseconds &- time.microseconds
        }
        times = min(times?.lowerBound ?? time, time)...max(times?.upperBound ?? time, time)
        let original = event.line.bytes
        // Also of an event that was sent: one that cannot be changed was left out then, too, and has no number.
        let changed = try change(original, time, lane, ordinal)
        let due = schedule.due(time)
        guard ordinal >= state.lanes[lane].events else {
            cutters[lane].skip(original)
            skipped += 1
            checkLane(lane)
            return
        }
        if firstDue == nil { firstDue = due }
        for lane in cutters.indices { cutters[lane].advance(to: due) { cuts.append(Cut(batch: $0, due: $1)) } }
        let recorded = changed == nil ? event.recorded : nil
        func add(_ line: UnsafeRawBufferPointer) {
            cutters[lane].add(line, original: original, recorded: recorded, due: due) {
                cuts.append(Cut(batch: $0, due: $1))
            }
        }
        if let changed { changed.withUnsafeBytes { add($0) } } else { add(original) }
    }

    /// The line as it is sent, as far as that is known now; nil if it is not changed.
    private func change(
        _ line: UnsafeRawBufferPointer, _ time: EventTime, _ lane: Int, _ ordinal: Int
    ) throws(CannotRewrite) -> [UInt8]? {
        let rewriting = plan.rewriting
        guard !rewriting.isIdentity else { return nil }
        let newTime: EventTime? =
            switch rewriting.times {
            case .keep: time
            case .shift: EventTime(microseconds: time.microseconds &+ (shift ?? 0))
            case .now: nil
            }
        return try rewriting.rewrite(line, time: newTime, ids: ids, lane: lane, ordinal: ordinal)
    }

    /// A lane that has come to where the earlier run was must have had the same lines.
    private mutating func checkLane(_ lane: Int) {
        guard cutters[lane].count == state.lanes[lane].events, cutters[lane].checksum != state.lanes[lane].checksum
        else { return }
        failure = Self.otherEvents
    }

    /// Takes out the batches that are complete.
    ///
    /// - Throws: ``ReplayError``, `inputChanged`, if the events are not those of the earlier run.
    package mutating func takeCuts() throws -> [Cut] {
        if let failure { throw failure }
        defer { cuts.removeAll(keepingCapacity: true) }
        return cuts
    }

    /// Says that the events start again from the first. Their times follow on those of the pass before.
    package mutating func startAgain() {
        schedule.startAgain()
        if let times { shift? &+= times.upperBound.microseconds &- times.lowerBound.microseconds }
        times = nil
    }

    /// Completes all batches.
    ///
    /// - Throws: As ``takeCuts()``; if there were fewer events than the earlier run has done.
    package mutating func finish() throws -> [Cut] {
        if zip(cutters, state.lanes).contains(where: { $0.count < $1.events }) { failure = Self.otherEvents }
        for lane in cutters.indices { cutters[lane].close { cuts.append(Cut(batch: $0, due: $1)) } }
        return try takeCuts()
    }

    private static let otherEvents = ReplayError(
        .inputChanged,
        """
        the events are not those of the run that left off: an input has changed. Give the inputs as they were, or \
        start from the first event with another state file
        """)
}
