internal import EventLog
internal import EventModel
internal import Primitives

/// Delivers batches to the sink: retries them on request, splits those that are too large, and applies the rule to
/// rejected ones.
struct BatchSender<Clock: ReplayClock>: Sendable {
    let sink: any ReplaySink
    let rule: RefusalRule
    /// How long to retry a batch.
    let patience: Duration
    let clock: Clock
    let brake: Brake
    let keeper: ProgressKeeper<Clock>
    let tally: ReplayTally
    /// The time of day, for dead letters.
    let timeOfDay: @Sendable () -> EventTime

    /// Delivers a batch.
    ///
    /// - Returns: Whether the batch is done; false if the brake was pulled first.
    /// - Throws: ``ReplayError``: `unavailable` when the time for retries is over, `rejected` if the sink rejected
    ///   the batch and the rule is to stop; errors of the sink.
    func deliver(_ batch: ReplayBatch) async throws -> Bool {
        let begin = clock.now
        var backoff: Backoff?
        var attempts = 0
        while true {
            attempts += 1
            let answer = try await sink.deliver(batch)
            switch answer {
            case .delivered(let result):
                let now = clock.now
                tally.delivered(batch, result, at: now, took: now - begin)
                return true
            case .judged(let refusals):
                let kept = batch.count - refusals.count
                let now = clock.now
                tally.delivered(batch, ReplayResult(kept: kept), at: now, took: now - begin)
                for refusal in refusals {
                    _ = try await refuse(
                        batch.part(refusal.index..<refusal.index + 1), reason: refusal.reason, attempts: attempts)
                }
                return true
            case .refused(let reason):
                return try await refuse(batch, reason: reason, attempts: attempts)
            case .tooLarge(let reason):
                guard batch.count > 1 else { return try await refuse(batch, reason: reason, attempts: attempts) }
                for half in batch.halves {
                    guard try await deliver(half) else { return false }
                }
                return true
            case .unreachable(let reason):
                guard tally.wasAnswered else { throw ReplayError(.unavailable, reason.text) }
                guard
                    try await wait(
                        after: nil, reason: reason, attempts: attempts, backoff: &backoff, batch: batch, since: begin)
                else { return false }
            case .retry(let after, let reason):
                if reason.status != nil { tally.answered() }
                guard
                    try await wait(
                        after: after, reason: reason, attempts: attempts, backoff: &backoff, batch: batch, since: begin)
                else { return false }
            }
        }
    }

    private func wait(
        after: Duration?, reason: SinkReason, attempts: Int, backoff: inout Backoff?, batch: ReplayBatch,
        since begin: Duration
    ) async throws -> Bool {
        guard !brake.isPulled else { return false }
        var next = backoff ?? Backoff(batchID: batch.id)
        let deadline = clock.now + max(next.wait(after: attempts), after ?? .zero)
        backoff = next
        guard deadline - begin <= patience else {
            let times = "\(attempts) attempt\(attempts == 1 ? "" : "s")"
            let requested = after.map { "; it requests a wait of \($0.components.seconds) s" } ?? ""
            throw ReplayError(
                .unavailable, "\(reason.text): gave up after \(times)\(requested) (see --retry-for)")
        }
        tally.retried()
        return await brake.sleep(until: deadline, on: clock)
    }

    private func refuse(_ batch: ReplayBatch, reason: SinkReason, attempts: Int) async throws -> Bool {
        tally.answered()
        switch rule {
        case .stop:
            throw ReplayError(
                .rejected,
                """
                \(reason.text): no more events were sent; use --on-error skip to skip such events, or --on-error \
                dlq=FILE to write them to a file
                """)
        case .skip: break
        case .putAside(let file):
            try await keeper.putAside(batch, in: file, reason: reason, attempts: attempts, time: timeOfDay())
        }
        tally.refused(batch)
        return true
    }
}

/// The delay before a retry: exponential back-off with full jitter.
///
/// The batch's id seeds the jitter, so that the same run waits the same times.
package struct Backoff: Sendable {
    /// The longest first delay, in seconds.
    private static let first = 0.1
    /// The longest delay, in seconds.
    private static let longest = 10.0

    private var random: SplitMix64

    package init(batchID: String) {
        random = SplitMix64(seed: UInt64(batchID.prefix(16), radix: 16) ?? 0)
    }

    /// The delay before the next attempt.
    ///
    /// - Parameter attempt: The number of attempts so far, from 1.
    package mutating func wait(after attempt: Int) -> Duration {
        let ceiling = min(Self.longest, Self.first * Double(UInt64(1) << UInt64(min(max(attempt - 1, 0), 32))))
        return .seconds(ceiling * Double(random.next() >> 11) / Double(UInt64(1) << 53))
    }
}

/// What to do with events that the sink permanently rejects.
package enum RefusalRule: Sendable {
    /// Stop the replay.
    case stop
    /// Skip and count them.
    case skip
    /// Write them to a file and count them.
    case putAside(DeadLetterFile)
}
