internal import EventModel
internal import Foundation
internal import Primitives

// The operations that the log calls; not used during an append.
extension JournalWriter {
    var installID: String { state.withLock { $0.log.installID } }

    /// The install whose numbers are drawn here.
    var log: LogGeneration {
        get { state.withLock { $0.log } }
        set {
            state.withLock { state in
                guard state.log != newValue else { return }
                state.log = newValue
                installChanges.wrappingAdd(1, ordering: .releasing)
            }
        }
    }

    /// The event that this instance appended last. Before the first append, the newest event when the log was opened.
    var newest: EventRecord? {
        state.withLock { state in
            // The last record is never overwritten before the next is published.
            state.last.flatMap { state.ring.record(at: $0)?.event } ?? state.newest
        }
    }

    func wasReplayed(_ newest: EventRecord) {
        state.withLock { state in
            if let last = state.last, let seq = state.ring.record(at: last)?.seq, seq > newest.seq { return }
            state.newest = newest
            state.last = nil
        }
    }

    var ring: JournalRing { state.withLock { $0.ring } }

    /// Continues in another ring, and with another counter if one is given. The previous ring is not used again.
    func replaceRing(_ ring: JournalRing, control: JournalControl? = nil) {
        state.withLock { state in
            if let control {
                // With the lock held, no number is being drawn here.
                control.counter.raise(to: min(state.control.counter.load(), UInt64(EventRecord.highestSeq)))
                state.control = control
            }
            state.ring.retire()
            goOn(in: ring, &state)
        }
    }

    /// Makes rings in advance, on a thread of the supply.
    func startRefill() {
        supply.queue.async { [self] in
            let control = state.withLock { state in
                recycle(&state)
                return state.isClosed || !state.isGrowing ? nil : state.control
            }
            if let control { supply.refill(control, to: Self.ringsAhead) }
        }
    }

    /// Removes and returns the empty rings that are no longer needed. This writer does not append to them again.
    ///
    /// - Parameter isTight: Whether the disk is nearly full.
    func surplus(isTight: Bool) -> [JournalRing] {
        state.withLock { state in
            recycle(&state)
            var surplus = state.former.filter { $0.waitingBytes == 0 && ($0.isSealed || $0.isRetired) }
            state.former.removeAll { ring in surplus.contains { $0 === ring } }
            if isTight { surplus += supply.surplus(keeping: 0) }
            if let last = state.lastGrowth, last.duration(to: .now) > Self.timeToShrink, state.former.isEmpty {
                surplus += supply.surplus(keeping: Self.ringsAtRest)
                state.lastGrowth = nil
                state.isGrowing = false
                state.end = state.head
                state.commonEnd = state.head
            }
            return surplus
        }
    }

    /// Overwrites moved events in this writer's rings.
    func wipe() {
        state.withLock { state in
            // The last record may be among them.
            state.newest = state.last.flatMap { state.ring.record(at: $0)?.event } ?? state.newest
            state.last = nil
            state.ring.wipe()
            for ring in state.former { ring.wipe() }
        }
        supply.wipe()
    }

    /// Whether the journal has grown and can shrink later.
    var hasGrown: Bool { state.withLock { $0.lastGrowth != nil } }

    /// Whether everything was moved.
    var isIdle: Bool { state.withLock { $0.ring.waitingBytes == 0 && $0.former.allSatisfy { $0.waitingBytes == 0 } } }

    /// The progress of appends and drops.
    struct Mark: Equatable {
        let head: UInt64
        let dropCount: UInt64
        let ring: String
    }

    /// The current progress.
    var mark: Mark { state.withLock { $0.mark } }

    /// The highest number drawn for the log so far, by any writer.
    var drawn: Int64 { state.withLock { $0.control.drawn } }

    /// Lets the mover sleep if nothing was appended or counted after `mark`. The next append or drop wakes the mover.
    func letMoverSleep(after mark: Mark) -> Bool {
        state.withLock { state in
            guard state.mark == mark else { return false }
            state.isMoverAwake = false
            return true
        }
    }

    /// Whether a mover is active or has been woken.
    var isMoverAwake: Bool { state.withLock { $0.isMoverAwake } }

    /// Returns when no append is running: at that point, every number drawn before is in its record.
    func awaitAppend() { state.withLock { _ in } }

    /// Whether this process was forked from the process that made the writer. If so, ring, lock and queue belong to the
    /// parent.
    var isForked: Bool { process != ForkGuard.generation }

    /// Rejects further events.
    func close() {
        state.withLock { $0.isClosed = true }
        supply.queue.sync {}  // Waits until no ring is being made.
    }
}
