package import EventModel
package import EventQuery

/// An event of an input, in the input's memory. Valid only while it is passed to a closure.
package struct SourceEvent {
    /// The line, scanned for user and time.
    package let line: EventLine
    /// The event as a log stores it, if it was parsed.
    package let recorded: RecordedEvent?
    /// Why the event was collected.
    package let purpose: Purpose

    package init(line: EventLine, recorded: RecordedEvent? = nil, purpose: Purpose = .analytics) {
        self.purpose = purpose
        self.line = line
        self.recorded = recorded
    }
}

/// The events of inputs, in order. Not thread-safe.
package protocol ReplaySource {
    /// Calls `body` with some of the next events.
    ///
    /// - Parameter body: Throws ``CannotRewrite`` if the line cannot be changed as requested. The source then reports
    ///   and skips the event.
    /// - Returns: false at the end.
    /// - Throws: Errors that end the replay.
    mutating func next(_ body: (SourceEvent) throws(CannotRewrite) -> Void) throws -> Bool

    /// Restarts from the first event.
    ///
    /// - Throws: Errors that end the replay.
    mutating func startAgain() throws
}

/// Cuts events into batches, with their due times, lanes and changes.
///
/// The same events and the same state give the same batches.
package struct EventFeed {
    /// A complete batch with its due time.
    package struct Cut: Sendable {
        package let batch: ReplayBatch
        /// In nanoseconds since the first event.
        package let due: Int64
    }

    private let plan: ReplayPlan
    private let choice: LaneChoice
    private let ids: NewIDs
    private let state: ReplayState
    private var schedule: ReplaySchedule
    private var cutters: [BatchCutter]
    /// The user that all lines get, if set.
    private let fixedUser: [UInt8]?
    /// The offset added to the times of this pass, in microseconds.
    private var shift: Int64?
    /// The range of times of this pass.
    private var times: ClosedRange<EventTime>?
    /// The due time of the first event to send in this run.
    package private(set) var firstDue: Int64?
    /// Complete batches, not sent yet.
    private var cuts: [Cut] = []
    /// The number of events done by an earlier run.
    package private(set) var skipped = 0
    private var failure: ReplayError?
    /// The size of each lane's open batch.
    var openSizes: [BatchSize] { cutters.map(\.openSize) }
    /// Whether all events of an earlier run were skipped.
    var isPastEarlierRun: Bool { zip(cutters, state.lanes).allSatisfy { $0.count >= $1.events } }

    /// Creates a feed.
    ///
    /// - Parameter state: The state of an earlier run, whose events are skipped.
    package init(_ plan: ReplayPlan, state: ReplayState) {
        self.plan = plan
        self.state = state
        choice = LaneChoice(lanes: plan.lanes)
        ids = NewIDs(run: state.run)
        schedule = ReplaySchedule(plan.pace)
        // A time of sending has up to 17 characters, the original at least one.
        let growth = plan.rewriting.times == .now ? 16 : 0
        cutters = (0..<plan.lanes).map { BatchCutter(lane: $0, limits: plan.limits, growth: growth) }
        fixedUser = plan.rewriting.settings.last { $0.path == EventPath(members: "user_id") }?.value
    }

    /// Adds an event.
    ///
    /// - Throws: ``CannotRewrite`` if the event is to be skipped.
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
        // Change sent events, too: those that cannot be changed were skipped and have no index.
        let changed = try change(original, time: time, lane: lane, ordinal: ordinal)
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
            cutters[lane].add(line, original: original, recorded: recorded, purpose: event.purpose, due: due) {
                cuts.append(Cut(batch: $0, due: $1))
            }
        }
        if let changed { changed.withUnsafeBytes { add($0) } } else { add(original) }
    }

    /// The changed line, except for changes made when it is sent; nil if it is unchanged.
    private func change(
        _ line: UnsafeRawBufferPointer, time: EventTime, lane: Int, ordinal: Int
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

    /// Checks that a lane that reaches the state of the earlier run had the same lines.
    private mutating func checkLane(_ lane: Int) {
        guard cutters[lane].count == state.lanes[lane].events, cutters[lane].checksum != state.lanes[lane].checksum
        else { return }
        failure = Self.otherEvents
    }

    /// Takes the complete batches.
    ///
    /// - Throws: ``ReplayError``, `inputChanged`, if the events differ from those of the earlier run.
    package mutating func takeCuts() throws -> [Cut] {
        if let failure { throw failure }
        defer { cuts.removeAll(keepingCapacity: true) }
        return cuts
    }

    /// Starts another pass. Its times continue from those of the previous pass.
    package mutating func startAgain() {
        schedule.startAgain()
        if let times { shift? &+= times.upperBound.microseconds &- times.lowerBound.microseconds }
        times = nil
    }

    /// Completes all batches.
    ///
    /// - Throws: See ``takeCuts()``; also if there were fewer events than in the earlier run.
    package mutating func finish() throws -> [Cut] {
        if zip(cutters, state.lanes).contains(where: { $0.count < $1.events }) { failure = Self.otherEvents }
        for lane in cutters.indices { cutters[lane].close { cuts.append(Cut(batch: $0, due: $1)) } }
        return try takeCuts()
    }

    private static let otherEvents = ReplayError(
        .inputChanged,
        """
        the inputs have changed since the interrupted run: pass the original inputs, or start from the first event \
        with another state file
        """)
}
