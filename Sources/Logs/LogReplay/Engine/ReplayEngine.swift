package import EventModel
internal import Primitives

/// What a replay is to do.
package struct ReplayPlan: Sendable {
    package var pace: ReplayPace
    /// How many batches may be under way at the same time.
    package var lanes: Int
    package var limits: BatchLimits
    package var rewriting = LineRewriting()
    /// How often all events are sent; nil for ever.
    package var passes: Int? = 1
    package var rule = RefusalRule.stop
    /// How long a batch is tried.
    package var patience: Duration = .seconds(60)

    package init(pace: ReplayPace, lanes: Int, limits: BatchLimits) {
        self.pace = pace
        self.lanes = lanes
        self.limits = limits
    }
}

/// Sends the events of a source to a sink, by a plan, in lanes.
///
/// Due moments are set by the plan alone. What a slow sink makes late is sent as soon as it can be, and its lateness is
/// counted.
package struct ReplayEngine<Clock: ReplayClock>: Sendable {
    /// How long batches that are under way may take after the brake was pulled.
    private static var grace: Duration { .seconds(5) }
    /// How many bytes of batches wait for their turn in all.
    private static var queueBytes: Int { 8 << 20 }

    private let plan: ReplayPlan
    private let sink: any ReplaySink
    private let clock: Clock
    private let brake: Brake
    private let timeOfDay: @Sendable () -> EventTime
    /// What it has done so far; may be looked at from any thread.
    package let tally = ReplayTally()

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - brake: Stops it.
    ///   - timeOfDay: The time that events are given if they get that of their sending.
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

    /// Sends everything, or as much as it can.
    ///
    /// - Parameters:
    ///   - state: What an earlier run has done, or the state before the first event.
    ///   - file: Where the state is kept; nil to keep none.
    /// - Throws: ``ReplayError``, `LogFileError`, or what the sink or the source throws; then, too, the state was written. Being stopped
    ///   by the brake is no error.
    package func run(_ source: inout some ReplaySource, state: ReplayState, file: StateFile?) async throws {
        let keeper = ProgressKeeper(state, file: file, sink: sink, clock: clock)
        try await keeper.write()
        let failure = Locked<(any Error)?>(nil)
        let queues = LaneQueues(lanes: plan.lanes, maximumBytes: Self.queueBytes)
        let ids = NewIDs(run: state.run)
        let lanes = (0..<plan.lanes).map { lane in
            Task {
                do { try await send(queues, lane, keeper, ids) } catch {
                    failure.withLock { if $0 == nil { $0 = error } }
                    brake.pull()
                }
            }
        }
        let grace = Locked<Task<Void, Never>?>(nil)
        brake.whenPulled {
            queues.abandon()
            let cancelling = Task {
                guard (try? await Task.sleep(for: Self.grace)) != nil else { return }  // nothing is under way any more
                for lane in lanes { lane.cancel() }
            }
            grace.withLock { $0 = cancelling }
        }
        do {
            try await read(&source, state, queues)
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
        _ source: inout some ReplaySource, _ state: ReplayState, _ queues: LaneQueues
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
                // The plan begins with the first event that is left to send.
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
        _ queues: LaneQueues, _ lane: Int, _ keeper: ProgressKeeper<Clock>, _ ids: NewIDs
    ) async throws {
        let delivery = BatchDelivery(
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
