import EventLog
internal import EventModel
internal import Primitives

/// Delivers to one sink, one batch after another, for all callers. Independent of all other sinks.
final class SinkRunner: Sendable {
    struct Parts: Sendable {
        let log: any EventStore
        let sink: any Sink
        let deadline: Duration
        let clock: any TrackingClock
        let timer: any Clock<Duration>
        let diagnostics: @Sendable (TrackingDiagnostic) -> Void
        /// Returns a random wait of at most the given duration.
        let jitter: @Sendable (Duration) -> Duration
    }

    struct State {
        var isRunning = false
        var job: Job?
        /// Whether the sink has not returned from a delivery that was abandoned.
        var isAbandoned = false
        var pause: DeliveryPause?
        var halt: String?
        /// Whether a delivery has begun in this process.
        var hasStarted = false
        /// Whether the app knows of ``halt``.
        var hasReportedHalt = false
        var wake: Task<Void, Never>?
        /// Whether ``wake`` also delivers events.
        var wakeDelivers = false
        /// Abandons the current delivery.
        var giveUp: (@Sendable () -> Void)?
        /// Whether the background time of this job has expired.
        var isExpired = false
        /// The outcomes of erasures, by id, until they are read.
        var erasures: [String: ErasureResult.Outcome] = [:]
        /// Why the last delivery was delayed.
        var delay: String?
    }

    /// The job that is requested while another delivery runs. One more run covers all requests.
    struct Job {
        var end: Int64
        var isManual: Bool
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// A lease lasts longer than a delivery by this margin.
    private static let leaseMargin = Duration.seconds(30)
    /// How often a pause is stored again while it lasts.
    private static let storedPauseAge = Duration.seconds(30)
    /// The wait before the next attempt if another process holds the consumer's lease.
    private static let waitForOthers = Duration.seconds(10)

    let parts: Parts
    let state = Locked(State())

    var sink: any Sink { parts.sink }

    init(_ parts: Parts) { self.parts = parts }

    deinit { state.withLock { $0.wake?.cancel() } }

    /// Delivers the stored events up to a number, unless a pause forbids it. Returns when the delivery has ended.
    func run(through end: Int64, isManual: Bool) async {
        await withCheckedContinuation { continuation in ask(through: end, isManual: isManual, continuation) }
    }

    /// Requests a delivery like ``run(through:isManual:)``, without waiting for its end.
    ///
    /// - Parameter end: 0 to perform only the pending erasures.
    func ask(through end: Int64, isManual: Bool = false, _ waiting: CheckedContinuation<Void, Never>? = nil) {
        let starts = state.withLock { state in
            var job = state.job ?? Job(end: end, isManual: false)
            job.end = max(job.end, end)
            job.isManual = job.isManual || isManual
            if let waiting { job.waiting.append(waiting) }
            state.job = job
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { Task { await self.work() } }
    }

    private func work() async {
        while true {
            let next: Job? = state.withLock { state in
                defer { state.job = nil }
                state.isRunning = state.job != nil
                return state.job
            }
            guard let job = next else { return }
            state.withLock { $0.isExpired = false }
            let assertion = parts.log.backgroundTime.begin(EventFlusher.activity) { [weak self] in self?.expire() }
            do {
                try await deliver(through: job.end, isManual: job.isManual)
            } catch {
                parts.diagnostics(.log(error))
            }
            assertion?.end()
            for waiting in job.waiting { waiting.resume() }
        }
    }

    /// Cancels the current delivery because the process is about to be suspended. A later answer of the sink is
    /// ignored. The batch stays in the log and is redelivered under its id.
    private func expire() {
        let giveUp = state.withLock { state in
            state.isExpired = true
            return state.giveUp
        }
        giveUp?()
    }

    /// Whether a pause or a halt forbids a delivery now. A manual flush overrides this SDK's own pauses, never those of
    /// the server. A start and a manual flush end a halt early, after ``BackOff/leastHalt``.
    private func isForbidden(
        _ pause: DeliveryPause?, _ halt: String?, isManual: Bool, isStart: Bool, through end: Int64
    ) -> Bool {
        let now = parts.clock.reading
        guard let pause, pause.target == parts.sink.target, pause.rest(at: now) > .zero else { return false }
        if halt == nil {
            if isManual && !pause.isServers { return false }
        } else if isManual || isStart {
            // A person asks for an erasure.
            if end == 0 || pause.elapsed(at: now) >= BackOff.leastHalt { return false }
        }
        wake(after: pause.rest(at: now), delivers: end > 0)
        return true
    }

    /// Schedules the next attempt. The only timer of this sink.
    ///
    /// - Parameter delivers: Whether the attempt also delivers events, as it does if the attempt that it replaces does.
    func wake(after wait: Duration, delivers: Bool) {
        state.withLock { state in
            state.wake?.cancel()
            state.wakeDelivers = state.wakeDelivers || delivers
            state.wake = Task { [weak self, timer = parts.timer] in
                guard await timer.sleepUnlessCancelled(for: wait) else { return }
                await self?.wakeUp()
            }
        }
    }

    private func wakeUp() async {
        let delivers: Bool? = state.withLock { state in
            // Another attempt may have been scheduled meanwhile.
            guard !Task.isCancelled else { return nil }
            defer { state.wakeDelivers = false }
            return state.wakeDelivers
        }
        guard let delivers else { return }
        guard delivers else { return ask(through: 0) }
        do { ask(through: try await parts.log.syncStored()) } catch { parts.diagnostics(.log(error)) }
    }

    private func deliver(through end: Int64, isManual: Bool) async throws {
        let (isAbandoned, pause, halt, hasStarted) = state.withLock {
            ($0.isAbandoned, $0.pause, $0.halt, $0.hasStarted)
        }
        let name = parts.sink.name
        if end == 0, try await parts.log.erasures(for: name).isEmpty { return }
        if isAbandoned { return delay("its previous delivery is still running") }
        let isStart = !hasStarted
        let isStored = pause?.renewed(at: parts.clock.reading, ifOlderThan: Self.storedPauseAge) == nil
        if isStored, isForbidden(pause, halt, isManual: isManual, isStart: isStart, through: end) { return }
        let length = parts.deadline + Self.leaseMargin
        guard let lease = try await parts.log.beginDelivery(to: name, lasting: length, at: parts.clock.now) else {
            delay("another process is delivering to it")
            return wake(after: Self.waitForOthers, delivers: end > 0)
        }
        do {
            if try await mayBegin(under: lease, isManual: isManual, isStart: isStart, through: end) {
                try await deliver(under: lease, through: end, lasting: length)
            }
        } catch {
            try? await parts.log.endDelivery(lease)  // loses only the error of ending: the first counts
            throw error
        }
        try await parts.log.endDelivery(lease)
    }

    /// Whether a lease's pause and halt allow a delivery now. Stores the pause again from time to time.
    private func mayBegin(
        under lease: DeliveryLease, isManual: Bool, isStart: Bool, through end: Int64
    ) async throws -> Bool {
        let renewed = lease.pause?.renewed(at: parts.clock.reading, ifOlderThan: Self.storedPauseAge)
        if let renewed { try await parts.log.setPause(renewed, under: lease) }
        let pause = renewed ?? lease.pause
        state.withLock { state in
            state.hasStarted = true
            state.pause = pause
            state.halt = lease.halt
        }
        if isForbidden(pause, lease.halt, isManual: isManual, isStart: isStart, through: end) {
            if let halt = lease.halt { reportHalt(halt) }
            return false
        }
        return true
    }

    private func reportHalt(_ reason: String) {
        let isNew = state.withLock { state in
            state.halt = reason
            defer { state.hasReportedHalt = true }
            return !state.hasReportedHalt
        }
        if isNew { parts.diagnostics(.sinkHalted(sink: parts.sink.name, reason: reason)) }
    }

    private func deliver(under lease: DeliveryLease, through end: Int64, lasting length: Duration) async throws {
        let log = parts.log
        let sink = parts.sink
        var end = end
        var failures = lease.failures
        var halts = lease.halts
        let (checkpoint, hasReturned) = try await erase(under: lease)
        guard end > 0, hasReturned else { return }
        if let checkpoint {
            switch try await withDeadline({ await sink.loss(since: checkpoint) }) {
            case nil: return delay("no response")
            case .some(nil): break
            case .some(let loss?):
                parts.diagnostics(.sinkRewound(sink: sink.name, from: loss.firstSeq, reason: loss.reason))
                try await log.rewind(sink.name, to: loss.firstSeq - 1)
            }
        }
        while true {
            let generation = log.consentGeneration
            guard var batch = try await log.nextBatch(lease, through: end, lasting: length) else { return }
            let watch = Self.watch(batch, in: log, since: generation)
            // Someone may have denied consent since the batch was made: the log decides again.
            guard watch.mayContinue else { continue }
            batch.watch = watch
            var result =
                try await withDeadline { [batch] in await sink.deliver(batch) }
                ?? Self.late(watch.upload, reason: "no response within \(parts.deadline)")
            if case .delivered(let through, _) = result, through < batch.records[0].seq {
                // A delivery without progress must end: the same batch would be retried immediately, forever.
                result = .retry(after: nil, reason: "it delivered no event of a batch")
            }
            let pause = self.pause(after: result, failures: failures, halts: halts)
            guard let settled = try await log.settle(lease, batch: batch.id, result, pause: pause) else {
                return delay("another process took over its deliveries")
            }
            halts = 0
            failures = settled.failures
            report(result, settled)
            guard goesOn(after: result, failures: failures, pause) else { return }
            // Redelivered events have new numbers, greater than the requested ones.
            if case .newGeneration = result { end = max(end, try await log.syncStored()) }
        }
    }

    /// The meaning of an expired deadline: without a connection, the size of the batch does not matter.
    private static func late(_ upload: DeliveryWatch.UploadProgress, reason: String) -> DeliveryResult {
        switch upload {
        case .unknown: .timedOut(share: nil, reason: reason)
        case .waiting: .retry(after: nil, reason: reason)
        case .arrived(let share): .timedOut(share: share, reason: reason)
        }
    }

    /// Asks the log again when a person's consent has changed.
    private static func watch(_ batch: EventBatch, in log: any EventStore, since generation: UInt64) -> DeliveryWatch {
        let checked = Locked(generation)
        return DeliveryWatch {
            let generation = log.consentGeneration
            return checked.withLock { checked in
                if checked == generation { return true }
                guard log.mayDeliver(batch) else { return false }
                checked = generation
                return true
            }
        }
    }

    /// The pause that an answer requires, if it requires one.
    private func pause(after result: DeliveryResult, failures: Int, halts: Int) -> DeliveryPause {
        var length = BackOff.wait(failures: failures, jitter: parts.jitter)
        var isServers = false
        switch result {
        case .retry(let asked?, _):
            length = asked
            isServers = true
        case .halt: length = BackOff.haltWait(halts: halts, jitter: parts.jitter)
        default: break
        }
        return DeliveryPause(
            setAt: parts.clock.reading, length: length, isServers: isServers, target: parts.sink.target)
    }

    /// Records what an answer means for the next delivery.
    private func goesOn(after result: DeliveryResult, failures: Int, _ pause: DeliveryPause) -> Bool {
        if case .halt(let reason) = result {
            state.withLock { $0.pause = pause }
            reportHalt(reason)
            wake(after: pause.rest(at: parts.clock.reading), delivers: true)
            return false
        }
        // The first time, the events are sealed again immediately; if that doesn't help, after a pause.
        let isFirstVoid =
            switch result {
            case .void, .newGeneration: failures == 1
            default: false
            }
        state.withLock { state in
            state.halt = nil
            state.hasReportedHalt = false
            state.pause = failures > (isFirstVoid ? 1 : 0) ? pause : nil
            if failures == 0 {
                state.wake?.cancel()
                state.wake = nil
                state.wakeDelivers = false
            }
        }
        if case .rejected = result { return true }
        if isFirstVoid { return true }
        if failures > 0 { wake(after: pause.rest(at: parts.clock.reading), delivers: true) }
        return failures == 0
    }

    private func report(_ result: DeliveryResult, _ settled: SettledBatch) {
        let name = parts.sink.name
        switch result {
        case .newGeneration(_, let reason):
            delay("\(reason); the log continues as a new install")
        case .retry(_, let reason), .timedOut(_, let reason), .void(let reason): delay(reason)
        case .rejected(let reason):
            for seq in settled.refused {
                parts.diagnostics(.sinkRefused(sink: name, seqs: seq...seq, reason: reason))
            }
        case .judged(let verdicts, _):
            var delays: [String] = []
            for (seq, verdict) in verdicts.sorted(by: { $0.key < $1.key }) {
                switch verdict {
                case .refused(let reason, let sender) where settled.refused.contains(seq):
                    let reason = sender.map { "\(reason) (at \($0))" } ?? reason
                    parts.diagnostics(.sinkRefused(sink: name, seqs: seq...seq, reason: reason))
                case .refused: break
                case .retry(let reason): delays.append(reason)
                }
            }
            if let first = delays.first { delay(first) }
        case .delivered, .halt: break
        }
    }

    func delay(_ reason: String) {
        state.withLock { $0.delay = reason }
        parts.diagnostics(.sinkDelayed(sink: parts.sink.name, reason: reason))
    }

    /// Returns the result of `operation`, or nil if it exceeds the deadline. It is then canceled, and may still be
    /// running.
    ///
    /// - Throws: ``/EventLog/EventLogError`` `expired` if the background time is over. The operation is canceled in this case,
    ///   too.
    func withDeadline<Result: Sendable>(
        _ operation: @escaping @Sendable () async -> Result
    ) async throws -> Result? {
        let expired = EventLogError.expired("the sink \"\(sink.name)\"")
        if state.withLock({ $0.isExpired }) { throw expired }
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result?, Never>) in
            let waiting = Locked<CheckedContinuation<Result?, Never>?>(continuation)
            let take = { @Sendable in
                waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
            }
            let watch = Locked<Task<Void, Never>?>(nil)
            let task = Task {
                let result = await operation()
                watch.withLock { $0?.cancel() }
                if let continuation = take() {
                    continuation.resume(returning: result)
                } else {
                    self.state.withLock { $0.isAbandoned = false }
                }
            }
            let giveUp = { @Sendable in
                let continuation = self.state.withLock { state in
                    let continuation = take()
                    if continuation != nil { state.isAbandoned = true }
                    return continuation
                }
                guard let continuation else { return }
                task.cancel()
                continuation.resume(returning: nil)
            }
            let deadline = parts.deadline
            let timeout = Task {
                guard await ContinuousClock().sleepUnlessCancelled(for: deadline) else { return }  // finished in time
                giveUp()
            }
            watch.withLock { $0 = timeout }
            let isExpired = state.withLock { state in
                state.giveUp = giveUp
                return state.isExpired
            }
            if isExpired { giveUp() }
        }
        let isExpired = state.withLock { state in
            state.giveUp = nil
            return state.isExpired
        }
        guard result == nil, isExpired else { return result }
        throw expired
    }
}

/// The wait after failures, with full jitter:
/// <https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter>
package enum BackOff {
    private static let leastWait = Duration.seconds(1)
    private static let longestWait = Duration.seconds(900)

    /// A random wait: at most 2 seconds after the first failure, 4 after the next, up to 15 minutes; at least 1 second.
    ///
    /// - Parameters:
    ///   - failures: The number of consecutive failures before this one.
    ///   - jitter: Returns a random wait of at most the given duration.
    package static func wait(failures: Int, jitter: (Duration) -> Duration) -> Duration {
        max(leastWait, jitter(min(longestWait, .seconds(2 << min(failures, 16)))))
    }

    /// A halt that a start or a manual flush does not end: a million devices with a revoked key must not ask all the time.
    package static let leastHalt = Duration.seconds(3600)

    /// A random wait after a halt: an hour, then six hours, then a day, each up to a fifth shorter or longer.
    ///
    /// - Parameter halts: The number of consecutive halts before this one.
    package static func haltWait(halts: Int, jitter: (Duration) -> Duration) -> Duration {
        let hours = [1, 6, 24][min(halts, 2)]
        let fifth = Duration.seconds(hours * 720)
        return .seconds(hours * 3600) - fifth + jitter(fifth * 2)
    }
}
