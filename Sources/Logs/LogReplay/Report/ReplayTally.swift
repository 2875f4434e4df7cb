package import EventLog
internal import EventModel
internal import Primitives

/// What a replay has done so far; several lanes add to it.
package final class ReplayTally: Sendable {
    private let state = Locked(ReplayFigures())

    package init() {}

    /// A copy of all figures.
    package var figures: ReplayFigures { state.withLock { $0 } }

    var wasAnswered: Bool { state.withLock { $0.wasAnswered } }

    /// The sink said something, whatever it was.
    func answered() { state.withLock { $0.wasAnswered = true } }

    /// The first event that is left to send is due now.
    func started(at time: Duration) { state.withLock { $0.start = time } }

    func began(_ batch: ReplayBatch, at time: Duration) {
        state.withLock { state in
            state.lateness.add(time - batch.deadline, times: batch.count)
            state.lastBegin = max(state.lastBegin, time)
        }
    }

    func delivered(_ batch: ReplayBatch, _ result: ReplayResult, at time: Duration, took: Duration) {
        state.withLock { state in
            state.wasAnswered = true
            state.batches += 1
            state.bytes += batch.body.count
            state.result += result
            state.answerTimes.add(took)
            state.lastAnswer = max(state.lastAnswer, time)
        }
    }

    func refused(_ batch: ReplayBatch) { state.withLock { $0.refused += batch.count } }

    func retried() { state.withLock { $0.retries += 1 } }

    func skipped(_ count: Int) { state.withLock { $0.alreadyDone += count } }
}

/// The figures of a replay.
package struct ReplayFigures: Sendable {
    /// What became of the events that the sink took.
    package internal(set) var result = ReplayResult()
    /// Batches that it took, and their bytes.
    package internal(set) var batches = 0
    package internal(set) var bytes = 0
    /// Events that it refused.
    package internal(set) var refused = 0
    /// How often a batch was sent again.
    package internal(set) var retries = 0
    /// Events that an earlier run had done.
    package internal(set) var alreadyDone = 0
    /// How late batches were begun, counted by events.
    package internal(set) var lateness = LatencyHistogram()
    /// How long it took until a batch was taken, counted by batches.
    package internal(set) var answerTimes = LatencyHistogram()
    /// When the last batch was begun, by the clock of the run, as the next two.
    package internal(set) var lastBegin = Duration.zero
    /// When the last batch was taken.
    package internal(set) var lastAnswer = Duration.zero
    /// When the first event was due.
    package internal(set) var start = Duration.zero
    var wasAnswered = false
}
