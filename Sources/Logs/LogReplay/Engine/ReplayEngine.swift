package import EventModel
internal import Primitives

package struct ReplayPlan: Sendable {
    package var pace: ReplayPace
    /// The number of batches in flight.
    package var lanes: Int
    package var limits: BatchLimits
    package var rewriting = LineRewriting()
    /// The number of passes; nil for unlimited.
    package var passes: Int? = 1
    package var rule = RefusalRule.stop
    /// How long to retry a batch.
    package var patience: Duration = .seconds(60)

    package init(pace: ReplayPace, lanes: Int, limits: BatchLimits) {
        self.pace = pace
        self.lanes = lanes
        self.limits = limits
    }
}

/// Sends the events of a source to a sink in lanes.
///
/// The plan alone determines the due times. Late batches are sent as soon as possible, and their lateness is counted.
package struct ReplayEngine<Clock: ReplayClock>: Sendable {
    /// How long batches in flight may take after the brake was pulled.
    private static var grace: Duration { .seconds(5) }
    /// The most bytes of queued batches.
    private static var queueBytes: Int { 8 << 20 }

    private let plan: ReplayPlan
    private let sink: any ReplaySink
    private let clock: Clock
    private let brake: Brake
    private let timeOfDay: @Sendable () -> EventTime
    /// The figures so far. Thread-safe.
    package let tally = ReplayTally()

    /// Creates an engine.
    ///
    /// - Parameters:
    /// - brake: Stops the engine.
    /// - timeOfDay: The time for events that get the time of sending.
    package init(
        _ plan: ReplayPlan, sink: any ReplaySink, clock: Clock, brake: Brake,
        timeOfDay: @escaping @Sendable () -> EventTime
    ) {
        self.plan = plan
        self.sink = sink
        self.clock = clock
        self.brake = brake
        self.timeOfDay = timeOfDay
    }

    /// Sends all events, or as many as possible.
    ///
    /// - Parameters:
    /// - state: The state of an earlier run, or the state before the first event.
    /// - file: The file that keeps the state; nil for none.
    /// - Throws: ``ReplayError``, `LogFileError`, or errors of the sink or the source, after writing the state.
    ///   Stopping by the brake is not an error.
    package func run(_ source: inout some ReplaySource, state: ReplayState, file: StateFile?) async throws {
        let keeper = ProgressKeeper(state, file: file, sink: sink, clock: clock)
        try await keeper.write()
        let failure = Locked<(any Error)?>(nil)
        let queues = LaneQueues(lanes: plan.lanes, maximumBytes: Self.queueBytes)
        let ids = NewIDs(run: state.run)
        let lanes = (0..<plan.lanes).map { lane in
            Task {
                do { try await send(queues, lane: lane, keeper: keeper, ids: ids) } catch {
                    failure.withLock { if $0 == nil { $0 = error } }
                    brake.pull()
                }
            }
        }
        let grace = Locked<Task<Void, Never>?>(nil)
        brake.whenPulled {
            queues.abandon()
            let cancelling = Task {
                guard await ContinuousClock().sleepUnlessCancelled(for: Self.grace) else {
                    return  // all batches are done
                }
                for lane in lanes { lane.cancel() }
            }
            grace.withLock { $0 = cancelling }
        }
        do {
            try await read(&source, state: state, into: queues)
            queues.close()
        } catch {
            failure.withLock { if $0 == nil { $0 = error } }
            brake.pull()
        }
        for lane in lanes { await lane.value }
        grace.withLock { $0?.cancel() }
        do { try await keeper.write() } catch {
            failure.withLock { if $0 == nil { $0 = error } }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private func read(
        _ source: inout some ReplaySource, state: ReplayState, into queues: LaneQueues
    ) async throws {
        var feed = EventFeed(plan, state: state)
        defer { tally.skipped(feed.skipped) }
        var origin: Duration?
        func begin() -> Duration {
            if let origin { return origin }
            let now = clock.now
            origin = now
            tally.started(at: now)
            return now
        }
        func put(_ cuts: [EventFeed.Cut]) async -> Bool {
            for cut in cuts {
                // The plan starts with the first event to send.
                var batch = cut.batch
                batch.deadline = begin() + .nanoseconds(cut.due - (feed.firstDue ?? 0))
                guard await queues.put(batch) else { return false }
            }
            return true
        }
        var pass = 1
        while !brake.isPulled {
            var hasEvents = false
            while !brake.isPulled,
                try source.next({ event throws(CannotRewrite) in
                    try feed.add(event)
                    hasEvents = true
                })
            {
                if feed.firstDue != nil { _ = begin() }
                guard await put(try feed.takeCuts()) else { return }
            }
            guard hasEvents, plan.passes.map({ pass < $0 }) ?? true else { break }
            pass += 1
            try source.startAgain()
            feed.startAgain()
        }
        guard !brake.isPulled else { return }
        _ = await put(try feed.finish())
    }

    private func send(
        _ queues: LaneQueues, lane: Int, keeper: ProgressKeeper<Clock>, ids: NewIDs
    ) async throws {
        let delivery = BatchSender(
            sink: sink, rule: plan.rule, patience: plan.patience, clock: clock, brake: brake, keeper: keeper,
            tally: tally, timeOfDay: timeOfDay)
        while let next = await queues.next(lane: lane) {
            guard await brake.sleep(until: next.deadline, on: clock) else { return }
            var batch = next
            if let rewriting = plan.rewriting.restWhenSent {
                let time = try await keeper.stamp(lane: lane, now: timeOfDay())
                batch = try next.rewritten { line, ordinal throws(CannotRewrite) in
                    try rewriting.rewrite(line, time: time, ids: ids, lane: lane, ordinal: ordinal)
                }
            }
            tally.began(batch, at: clock.now)
            guard try await delivery.deliver(batch) else { return }
            try await keeper.done(batch)
        }
    }
}
