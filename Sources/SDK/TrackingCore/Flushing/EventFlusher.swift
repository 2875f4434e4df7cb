public import EventLog
internal import Primitives

/// Says when events are delivered from the log to the sinks, each by its own cursor.
///
/// All flushers of a log in a process share one engine: a sink that several have is delivered to once, one batch at a time.
/// Sinks work side by side: one that hangs, or pauses, holds back no other, nor the pruning. Events and batches are put on
/// the disk before they are delivered: after a power failure no sink has more than the log.
///
/// Each flush runs under the log's ``EventStore/backgroundTime``. When a `background` event starts one, the time is asked for
/// before ``Tracker/send(_:)`` returns. When it expires, deliveries are cancelled; their batches stay as they are, and
/// the next flush delivers them again under the same ids.
public final class EventFlusher: Sendable {
    private let log: any EventStore
    private let engine: DeliveryEngine?
    private let runners: [SinkRunner]
    private let policy: FlushPolicy
    private let clock: any TrackingClock
    private let diagnostics: @Sendable (TrackingDiagnostic) -> Void
    private let isRequested = Atomic(false)
    private let sinceFlush = Atomic(0)
    private let interval: Locked<Task<Void, Never>?> = Locked(nil)

    /// Makes a flusher; its interval, if the policy has one, starts now and ends with it.
    ///
    /// - Parameters:
    ///   - log: Whose events are delivered.
    ///   - sinks: Where they are delivered, each with its own cursor; names must differ.
    ///   - policy: When they are delivered.
    ///   - clock: What the log's retention measures ages against, and pauses.
    ///   - timer: What the interval and pauses are measured with.
    ///   - diagnostics: Told what could not be done. Called on any thread, without a lock held. What concerns a sink is told
    ///     to the flusher that had it first.
    /// - Throws: ``SinkConflict`` if the log delivers to another object of the same name already.
    public convenience init(
        log: any EventStore, sinks: [any Sink], policy: FlushPolicy, clock: any TrackingClock,
        timer: any Clock<Duration>, diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) throws {
        try self.init(
            log: log, sinks: sinks, policy: policy, clock: clock, timer: timer, diagnostics: diagnostics
        ) { longest in longest * Double.random(in: 0...1) }
    }

    /// The same with waits that a test decides about.
    package convenience init(
        log: any EventStore, sinks: [any Sink], policy: FlushPolicy, clock: any TrackingClock,
        timer: any Clock<Duration>, diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void,
        jitter: @escaping @Sendable (Duration) -> Duration
    ) throws {
        let engine = log.deliveries.engine { DeliveryEngine() }
        let parts = sinks.map { sink in
            SinkRunner.Parts(
                log: log, sink: sink, deadline: policy.deadline, clock: clock, timer: timer,
                diagnostics: diagnostics, jitter: jitter)
        }
        self.init(log, engine, try engine.join(parts), policy, clock, timer, diagnostics)
    }

    /// Makes a flusher that shares nothing with others, for tests that start an app anew over the same log. By hand only.
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
        self.init(log, nil, runners, .manual, clock, ContinuousClock(), diagnostics)
    }

    private init(
        _ log: any EventStore, _ engine: DeliveryEngine?, _ runners: [SinkRunner], _ policy: FlushPolicy,
        _ clock: any TrackingClock, _ timer: any Clock<Duration>,
        _ diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) {
        self.log = log
        self.engine = engine
        self.runners = runners
        self.policy = policy
        self.clock = clock
        self.diagnostics = diagnostics
        guard let pause = policy.interval, !runners.isEmpty else { return }
        let task = Task { [weak self, timer] in
            while (try? await timer.sleep(for: pause, tolerance: nil)) != nil {  // ends when cancelled
                guard let self else { return }
                await self.flush(isManual: false)
            }
        }
        interval.withLock { $0 = task }
    }

    deinit {
        interval.withLock { $0?.cancel() }
        engine?.leave(runners)
    }

    /// Applies the policy to an event that was sent.
    ///
    /// - Parameter isBackground: Whether it was ``Background``.
    func eventWasSent(isBackground: Bool) {
        guard !runners.isEmpty else { return }
        if isBackground && policy.onBackground {
            sinceFlush.store(0, ordering: .relaxed)
            flushInBackground()
        } else if let eventCount = policy.eventCount, countReaches(eventCount) {
            request()
        }
    }

    /// Counts an event; true, and from zero again, at exactly `limit`.
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

    /// Starts a flush for an app that may be suspended as soon as its own callback returns: the flush has its time before.
    private func flushInBackground() {
        let assertion = log.backgroundTime.begin(Self.activity) {}
        Task {
            await flush(isManual: false)
            assertion?.end()
        }
    }

    /// What the system calls a flush, and a delivery.
    static let activity = "Delivering tracked events"

    /// Starts a flush, unless one is waiting to start already.
    private func request() {
        guard isRequested.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
        else { return }
        Task {
            isRequested.store(false, ordering: .releasing)
            await flush(isManual: false)
        }
    }

    /// Delivers all that was sent before; returns when every sink has it, or has said why not, or took too long. Overrides a
    /// wait after a failure, never one that a server has asked for.
    public func flush() async { await flush(isManual: true) }

    private func flush(isManual: Bool) async {
        sinceFlush.store(0, ordering: .relaxed)
        // Each sink's delivery has its own, and ends when the time expires.
        let assertion = log.backgroundTime.begin(Self.activity) {}
        defer { assertion?.end() }
        do {
            // What is sent from here on is the next flush's: a flush comes to its end however fast events come. What cannot
            // be stored now keeps nothing else from being delivered.
            let end = try await log.syncStored()
            await withTaskGroup(of: Void.self) { group in
                for runner in runners {
                    group.addTask {
                        await runner.run(through: end, isManual: isManual)
                        // After each: one that hangs keeps nothing else from being pruned.
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
