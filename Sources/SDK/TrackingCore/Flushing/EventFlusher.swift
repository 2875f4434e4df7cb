internal import DeliveryProtocol
public import EventLog
internal import EventModel
internal import Primitives

/// Decides when events are delivered from the log to the sinks. Each sink has its own cursor.
///
/// All flushers of a log in a process share one engine: a sink that several flushers share receives each event once,
/// one batch at a time. Sinks work in parallel: a sink that hangs or pauses delays neither other sinks nor pruning.
/// Events and batches are synced to the disk before they are delivered: after a power failure, no sink has events that
/// the log lacks.
///
/// Each flush runs under the log's ``/EventLog/EventStore/backgroundTime``. If a `background` event starts the flush, the time is
/// requested before ``Tracker/send(_:)`` returns. When the time expires, deliveries are canceled. Their batches stay in
/// the log, and the next flush delivers them again under the same ids.
public final class EventFlusher: Sendable {
    let log: any EventStore
    private let engine: DeliveryEngine?
    let runners: [SinkRunner]
    private let policy: FlushPolicy
    /// The event count of the policy in effect; 0 for none. An event reads only this and ``onBackground``.
    private let eventCount: Atomic<Int>
    private let onBackground: Atomic<Bool>
    private let schedule: Locked<Schedule>
    private let timer: any Clock<Duration>
    private let willFlush: @Sendable () -> Void
    private let clock: any TrackingClock
    let diagnostics: @Sendable (TrackingDiagnostic) -> Void
    private let isRequested = Atomic(false)
    private let sinceFlush = Atomic(0)

    /// The policy in effect.
    private struct Schedule {
        var policy: FlushPolicy
        /// When the app's own policy applies again; nil if it is in effect.
        var end: EventTime?
        /// The timer of the interval.
        var task: Task<Void, Never>?
    }

    /// Makes a flusher. If the policy has an interval, it starts now and ends with the flusher.
    ///
    /// - Parameters:
    ///   - log: The log whose events are delivered.
    ///   - sinks: The destinations, each with its own cursor. Names must differ.
    ///   - policy: When events are delivered.
    ///   - clock: The clock for the log's retention and for pauses.
    ///   - timer: Measures the interval and the pauses.
    ///   - diagnostics: Receives errors and delays. Called on any thread, without a lock held. Diagnostics of a shared
    ///     sink go to the flusher that used it first.
    /// - Throws: ``SinkConflict`` if the log already delivers to another object of the same name.
    public convenience init(
        log: any EventStore, sinks: [any Sink], policy: FlushPolicy, clock: any TrackingClock,
        timer: any Clock<Duration>, diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) throws {
        try self.init(
            log: log, sinks: sinks, policy: policy, clock: clock, timer: timer, diagnostics: diagnostics,
            willFlush: {})
    }

    /// Makes a flusher that calls a closure at the start of each flush, except for flushes of a `background` event.
    convenience init(
        log: any EventStore, sinks: [any Sink], policy: FlushPolicy, clock: any TrackingClock,
        timer: any Clock<Duration>, diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void,
        willFlush: @escaping @Sendable () -> Void
    ) throws {
        try self.init(
            log: log, sinks: sinks, policy: policy, clock: clock, timer: timer, diagnostics: diagnostics,
            willFlush: willFlush
        ) { longest in longest * Double.random(in: 0...1) }
    }

    /// Makes a flusher with waits that a test controls.
    package convenience init(
        log: any EventStore, sinks: [any Sink], policy: FlushPolicy, clock: any TrackingClock,
        timer: any Clock<Duration>, diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void,
        willFlush: @escaping @Sendable () -> Void = {}, jitter: @escaping @Sendable (Duration) -> Duration
    ) throws {
        let engine = log.deliveries.engine { DeliveryEngine() }
        let parts = sinks.map { sink in
            SinkRunner.Parts(
                log: log, sink: sink, deadline: policy.deadline, clock: clock, timer: timer,
                diagnostics: diagnostics, jitter: jitter)
        }
        self.init(
            log: log, engine: engine, runners: try engine.join(parts), policy: policy, clock: clock, timer: timer,
            willFlush: willFlush, diagnostics: diagnostics)
    }

    /// Makes a flusher that shares nothing with others, for tests that restart an app over the same log. Only manual
    /// flushes.
    package convenience init(
        alone log: any EventStore, sinks: [any Sink], clock: any TrackingClock,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) {
        let runners = sinks.map { sink in
            SinkRunner(
                SinkRunner.Parts(
                    log: log, sink: sink, deadline: FlushPolicy.manual.deadline, clock: clock, timer: ContinuousClock(),
                    diagnostics: diagnostics, jitter: { $0 }))
        }
        self.init(
            log: log, engine: nil, runners: runners, policy: .manual, clock: clock, timer: ContinuousClock(),
            willFlush: {}, diagnostics: diagnostics)
    }

    private init(
        log: any EventStore, engine: DeliveryEngine?, runners: [SinkRunner], policy: FlushPolicy,
        clock: any TrackingClock, timer: any Clock<Duration>, willFlush: @escaping @Sendable () -> Void,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) {
        self.log = log
        self.engine = engine
        self.runners = runners
        self.policy = policy
        eventCount = Atomic(policy.eventCount ?? 0)
        onBackground = Atomic(policy.onBackground)
        schedule = Locked(Schedule(policy: policy))
        self.clock = clock
        self.timer = timer
        self.willFlush = willFlush
        self.diagnostics = diagnostics
        schedule.withLock { startTimer(&$0) }
    }

    deinit {
        schedule.withLock { $0.task?.cancel() }
        engine?.leave(runners)
    }

    /// Replaces values of the app's policy, or returns to the app's policy.
    ///
    /// - Parameters:
    ///   - flush: The values; nil values keep those of the app.
    ///   - end: When the app's policy applies again.
    func use(_ flush: SwitchesDocument.Flush?, until end: EventTime?) {
        var changed = policy
        if let count = flush?.eventCount { changed.eventCount = count }
        if let seconds = flush?.interval { changed.interval = .seconds(seconds) }
        if let onBackground = flush?.onBackground { changed.onBackground = onBackground }
        schedule.withLock { schedule in
            eventCount.store(changed.eventCount ?? 0, ordering: .relaxed)
            onBackground.store(changed.onBackground, ordering: .relaxed)
            schedule.end = changed == policy ? nil : end
            guard changed != schedule.policy else { return }
            schedule.policy = changed
            startTimer(&schedule)
        }
    }

    /// Starts the timer of the policy in effect, and ends the previous one.
    private func startTimer(_ schedule: inout Schedule) {
        schedule.task?.cancel()
        schedule.task = nil
        guard schedule.policy.interval != nil, !runners.isEmpty else { return }
        schedule.task = Task { [weak self, timer] in
            while !Task.isCancelled, let wait = self?.nextWait() {
                // Ends when canceled.
                guard await timer.sleepUnlessCancelled(for: wait), !Task.isCancelled, let self,
                    !self.endExpiredPolicy()
                else { return }
                await self.flush(isManual: false)
            }
        }
    }

    /// The time until the next flush of the interval, or until the app's policy applies again.
    private func nextWait() -> Duration? {
        schedule.withLock { schedule in
            guard let interval = schedule.policy.interval else { return nil }
            guard let end = schedule.end else { return interval }
            return min(interval, max(.zero, end.duration(since: clock.now)))
        }
    }

    /// Returns to the app's policy if the replacement has ended.
    ///
    /// - Returns: Whether it has ended.
    private func endExpiredPolicy() -> Bool {
        guard let end = schedule.withLock({ $0.end }), end <= clock.now else { return false }
        use(nil, until: nil)
        return true
    }

    /// Applies the policy to an event that was sent.
    ///
    /// - Parameter isBackground: Whether the event was ``Background``.
    func eventWasSent(isBackground: Bool) {
        guard !runners.isEmpty else { return }
        if isBackground && onBackground.load(ordering: .relaxed) {
            sinceFlush.store(0, ordering: .relaxed)
            flushInBackground()
        } else {
            let limit = eventCount.load(ordering: .relaxed)
            if limit > 0, countReaches(limit) { request() }
        }
    }

    /// Counts an event. Returns true, and restarts at zero, when exactly `limit` events were counted.
    private func countReaches(_ limit: Int) -> Bool {
        var count = sinceFlush.load(ordering: .relaxed)
        while true {
            let next = count + 1 < limit ? count + 1 : 0
            let (isCounted, found) = sinceFlush.weakCompareExchange(
                expected: count, desired: next, ordering: .relaxed)
            if isCounted { return next == 0 }
            count = found
        }
    }

    /// Starts a flush for an app that may be suspended as soon as its callback returns. Requests background time first.
    private func flushInBackground() {
        let assertion = log.backgroundTime.begin(Self.activity) {}
        Task {
            await flush(isManual: false, isInBackground: true)
            assertion?.end()
        }
    }

    /// The name of a flush and of a delivery in the system's logs.
    static let activity = "Delivering tracked events"

    /// Requests a flush, unless one is already waiting to start.
    private func request() {
        guard isRequested.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
        else { return }
        Task {
            isRequested.store(false, ordering: .releasing)
            await flush(isManual: false)
        }
    }

    /// Delivers all events that were sent before the call. Returns when each sink has them, has reported an error, or
    /// has exceeded its deadline. Overrides a back-off after a failure, but never a wait that a server has requested.
    public func flush() async { await flush(isManual: true) }

    private func flush(isManual: Bool, isInBackground: Bool = false) async {
        if !isInBackground { willFlush() }
        sinceFlush.store(0, ordering: .relaxed)
        // Each sink's delivery has its own assertion, and ends when the time expires.
        let assertion = log.backgroundTime.begin(Self.activity) {}
        defer { assertion?.end() }
        do {
            // Events sent from here on belong to the next flush, so each flush ends however fast events arrive. If some
            // events can't be stored now, the others are delivered nevertheless.
            let end = try await log.syncStored()
            await withTaskGroup(of: Void.self) { group in
                for runner in runners {
                    group.addTask {
                        await runner.run(through: end, isManual: isManual)
                        // After each sink: a sink that hangs must not delay pruning.
                        await self.prune()
                    }
                }
            }
            if runners.isEmpty { await prune() }
        } catch {
            diagnostics(.log(error))
        }
    }

    private func prune() async {
        do { try await log.prune(now: clock.now) } catch let error as EventLogError where error.code == .expired {
            return  // the next flush does it
        } catch { diagnostics(.log(error)) }
    }
}
