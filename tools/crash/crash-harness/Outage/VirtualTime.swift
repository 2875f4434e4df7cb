import Foundation
import Primitives
import TrackingCore

/// Time that passes when it is told to: what events are stamped with.
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
    /// What sleeps are measured by.
    var timer: VirtualTimer { VirtualTimer(time: self) }

    /// When the next sleeper is to wake; nil if nobody sleeps.
    var next: Duration? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

    /// How many sleeps were begun.
    var sleeps: Int { state.withLock { $0.lastSleeper } }

    /// How many sleep now.
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

    /// Lets time pass, and wakes whoever has slept long enough.
    ///
    /// - Returns: Whether anybody has woken.
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

/// The same time, for sleeps.
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
