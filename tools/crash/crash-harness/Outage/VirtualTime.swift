import EventModel
import Foundation
import Primitives
import TrackingCore

/// Virtual time for the timestamps of events; the harness advances it.
final class VirtualTime: TrackingClock {
    private struct Sleeper {
        let deadline: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var elapsed = Duration.zero
        var sleepers: [Int: Sleeper] = [:]
        /// Sleeps that were cancelled before they began.
        var cancelled: Set<Int> = []
        var lastSleeper = 0
    }

    private let start: EventTime
    private let state = Locked(State())

    init(_ start: EventTime) { self.start = start }

    var elapsed: Duration { state.withLock { $0.elapsed } }
    var now: EventTime { start.advanced(by: elapsed) }
    var sinceBoot: BootTime { BootTime(boot: "virtual", microseconds: Int64(elapsed / .microseconds(1))) }
    /// The clock of the sleeps.
    var timer: VirtualTimer { VirtualTimer(time: self) }

    /// The deadline of the next sleeper; nil if there is none.
    var next: Duration? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

    /// The number of sleeps so far.
    var sleeps: Int { state.withLock { $0.lastSleeper } }

    /// The number of current sleepers.
    var sleeping: Int { state.withLock { $0.sleepers.count } }

    fileprivate func sleep(until deadline: Duration) async throws {
        let number = state.withLock { state in
            state.lastSleeper += 1
            return state.lastSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return true }
                    state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the time, and wakes all sleepers whose deadline has passed.
    ///
    /// - Returns: Whether a sleeper was woken.
    func pass(to time: Duration) -> Bool {
        let woken = state.withLock { state in
            state.elapsed = max(state.elapsed, time)
            let due = state.sleepers.filter { $0.value.deadline <= state.elapsed }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume() }
        return !woken.isEmpty
    }
}

/// The same time as a clock for sleeps.
struct VirtualTimer: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    fileprivate let time: VirtualTime

    var now: Instant { Instant(offset: time.elapsed) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await time.sleep(until: deadline.offset)
    }
}
