public import EventLog
internal import EventModel
internal import Primitives
internal import Synchronization

/// Moves events from the log to the sinks, in order, each sink by its own cursor.
///
/// Flushes run one after another, so two at once deliver each event once. Within a flush the sinks work side by
/// side. Events are put on the disk before they are delivered: after a power failure no sink has more than the log.
public final class EventFlusher: Sendable {
    private struct State {
        var isRequested = false
        var last: Task<Void, Never>?
        var attempts: [String: Int] = [:]
    }

    private let log: any EventStore
    private let sinks: [any Sink]
    private let policy: FlushPolicy
    private let clock: any TrackingClock
    private let timer: any Clock<Duration>
    private let diagnostics: @Sendable (TrackingDiagnostic) -> Void
    private let state = Locked(State())
    private let sinceFlush = Atomic(0)
    private let interval: Locked<Task<Void, Never>?> = Locked(nil)

    /// Makes a flusher; its interval, if the policy has one, starts now and ends with it.
    ///
    /// - Parameters:
    ///   - log: Whose events are delivered. One flusher a log.
    ///   - sinks: Where they are delivered, each with its own cursor; names must differ.
    ///   - policy: When they are delivered.
    ///   - clock: What the log's retention measures ages against.
    ///   - timer: What the interval and retries are measured with.
    ///   - diagnostics: Told what could not be done. Called on any thread, without a lock held.
    public init(
        log: any EventStore, sinks: [any Sink], policy: FlushPolicy, clock: any TrackingClock,
        timer: any Clock<Duration>, diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) {
        self.log = log
        self.sinks = sinks
        self.policy = policy
        self.clock = clock
        self.timer = timer
        self.diagnostics = diagnostics
        guard let pause = policy.interval, !sinks.isEmpty else { return }
        let task = Task { [weak self, timer] in
            while (try? await timer.sleep(for: pause, tolerance: nil)) != nil {  // ends when cancelled
                guard let self else { return }
                await self.flush()
            }
        }
        interval.withLock { $0 = task }
    }

    deinit { interval.withLock { $0?.cancel() } }

    /// Applies the policy to an event that was sent.
    ///
    /// - Parameter isBackground: Whether it was ``Background``.
    func eventWasSent(isBackground: Bool) {
        guard !sinks.isEmpty else { return }
        if isBackground && policy.onBackground {
            sinceFlush.store(0, ordering: .relaxed)
            request()
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

    /// Starts a flush, unless one is waiting to start already.
    private func request() {
        let isNew = state.withLock { state in
            defer { state.isRequested = true }
            return !state.isRequested
        }
        guard isNew else { return }
        _ = enqueue { flusher in flusher.state.withLock { $0.isRequested = false } }
    }

    /// Delivers all that was sent before, after the flushes before it.
    public func flush() async {
        sinceFlush.store(0, ordering: .relaxed)
        await enqueue { _ in }.value
    }

    private func enqueue(_ starting: @escaping @Sendable (EventFlusher) -> Void) -> Task<Void, Never> {
        state.withLock { state in
            let previous = state.last
            let task = Task {
                await previous?.value
                starting(self)
                await self.deliverAll()
            }
            state.last = task
            return task
        }
    }

    private func deliverAll() async {
        do {
            try await log.flushToDisk()
            // What is sent from here on is the next flush's: a flush comes to its end however fast events come.
            let end = try await log.statistics().lastSeq
            await withTaskGroup(of: Void.self) { group in
                for sink in sinks { group.addTask { await self.deliver(to: sink, through: end) } }
            }
            try await log.prune(now: clock.now)
        } catch {
            diagnostics(.log(error))
        }
    }

    private func deliver(to sink: any Sink, through end: Int64) async {
        do {
            guard let cursor = try await log.beginDelivery(to: sink.name) else {
                diagnostics(.sinkDelayed(sink: sink.name, reason: "another process is delivering to it"))
                retry(sink.name, after: .seconds(1))
                return
            }
            do {
                try await deliver(to: sink, from: cursor, through: end)
            } catch {
                try? await log.endDelivery(to: sink.name)  // the error that counts is the first
                throw error
            }
            try await log.endDelivery(to: sink.name)
        } catch {
            diagnostics(.log(error))
        }
    }

    private func deliver(to sink: any Sink, from start: ConsumerCursor, through end: Int64) async throws {
        var cursor = start
        if let checkpoint = cursor.checkpoint, let loss = await sink.loss(since: checkpoint) {
            diagnostics(.sinkRewound(sink: sink.name, from: loss.firstSeq, reason: loss.reason))
            try await log.rewind(sink.name, to: loss.firstSeq - 1)
            cursor = try await log.cursor(of: sink.name)
        }
        var count = EventBatch.maximumCount
        while cursor.acknowledged < end {
            let records = try await log.read(
                after: cursor.acknowledged, maximumCount: count, maximumBytes: EventBatch.maximumBytes)
            guard let first = records.first, let last = records.last else { return }
            switch await sink.deliver(EventBatch(records: records, checkpoint: cursor.checkpoint)) {
            case .delivered(let through, _) where through < first.seq:
                // Progress without an end is none: the same batch would come again at once, for ever.
                diagnostics(.sinkDelayed(sink: sink.name, reason: "it delivered nothing of a batch"))
                retry(sink.name, after: nil)
                return
            case .delivered(let through, let checkpoint):
                cursor.acknowledged = min(max(through, cursor.acknowledged), last.seq)
                cursor.checkpoint = checkpoint
                try await log.acknowledge(cursor, refused: nil)
                state.withLock { $0.attempts[sink.name] = nil }
                count = EventBatch.maximumCount
            case .rejected(let reason):
                if records.count > 1 {
                    count = records.count / 2
                    continue
                }
                cursor.acknowledged = last.seq
                try await log.acknowledge(cursor, refused: first.seq...last.seq)
                diagnostics(.sinkRefused(sink: sink.name, seqs: first.seq...last.seq, reason: reason))
                count = EventBatch.maximumCount
            case .retry(let pause, let reason):
                diagnostics(.sinkDelayed(sink: sink.name, reason: reason))
                retry(sink.name, after: pause)
                return
            }
        }
    }

    private func retry(_ sink: String, after pause: Duration?) {
        let attempt = state.withLock { state in
            state.attempts[sink, default: 0] += 1
            return state.attempts[sink, default: 1]
        }
        let wait = pause ?? min(.seconds(1 << min(attempt - 1, 9)), .seconds(300))
        Task { [weak self, timer] in
            guard (try? await timer.sleep(for: wait, tolerance: nil)) != nil else { return }  // cancelled
            self?.request()
        }
    }
}
