package import EventModel
internal import Foundation
internal import Primitives

/// Appends to a ring: the part of a log that runs on its callers' threads.
///
/// An append copies a record into the mapped ring and publishes it by storing the ring's head. It makes no system call.
/// The first access to a page that the system has just written back costs a page fault.
///
/// **The number** is drawn at the end, by a compare-and-exchange on the shared counter, when the line is already in the
/// ring. Only the record's header and checksum remain, which take a few hundred nanoseconds. Meanwhile the ring's
/// header has the number, so that the mover can distinguish a number in progress from one whose sender has died. A
/// writer that loses the exchange to another process writes its line again with the next number. After three attempts
/// it draws the number first, which always succeeds.
///
/// If the thread was stopped in between, two things may have happened. The ring may have been sealed, which the writer
/// checks right after drawing. A mover may have reclaimed the number, which the writer detects when it withdraws the
/// announcement. In both cases the number is given up, and the event gets another.
package final class JournalWriter: Sendable {
    struct State {
        var ring: JournalRing
        /// The ring's head. Only this writer stores it.
        var head: UInt64
        /// The position that a record may reach before ``makeRoom`` must run; for critical events.
        var end: UInt64 = 0
        /// Like ``end``, for all other events.
        var commonEnd: UInt64 = 0
        var last: UInt64?
        var isClosed = false
        var isMoverAwake = false
        var log: LogGeneration
        var newest: EventRecord?
        var dropCount: UInt64 = 0
        var control: JournalControl
        /// Rings that were filled or left, and still have events that are not in the database.
        var former: [JournalRing] = []
        /// Whether rings were requested. Reset when they are ready, or the burst is over.
        var isGrowing = false
        var lastGrowth: ContinuousClock.Instant?

        var mark: Mark { Mark(head: head, dropCount: dropCount, ring: ring.name) }
    }

    /// The number of spare rings while events come faster than they are moved.
    static let ringsAhead = 2
    /// The number of spare rings otherwise.
    static let ringsAtRest = 1
    /// How long after the last growth the journal shrinks.
    static let timeToShrink = Duration.seconds(5)

    let supply: JournalSupply
    let process = ForkGuard.generation
    let state: Locked<State>
    /// Counts the changes of ``log``; incremented after the change.
    let installChanges = Atomic<UInt64>(0)

    package init(
        control: JournalControl, ring: JournalRing, supply: JournalSupply, log: LogGeneration, newest: EventRecord?
    ) {
        self.supply = supply
        state = Locked(
            State(ring: ring, head: ring.head.load(), log: log, newest: newest, control: control))
    }

    /// Appends an event; see ``EventStore/append(lineCapacity:priority:_:)``.
    ///
    /// - Returns: The number or the reason, and the work to start.
    package func append(
        lineCapacity: Int, priority: EventPriority = .normal,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> (outcome: Outcome, wakes: Wakes) {
        guard 0...EventRecord.maximumLineLength ~= lineCapacity else {
            return (.dropped(EventDropped(.tooLarge)), [])
        }
        // In a forked child the ring and the lock belong to the parent.
        guard process == ForkGuard.generation else { return (.dropped(EventDropped(.closed)), []) }
        return state.withLock { state in
            guard !state.isClosed else { return (.dropped(EventDropped(.closed)), []) }
            var wakes: Wakes = []
            follow(&state)
            while true {
                // Checked again when a number is drawn. This early check avoids wasting a number.
                if state.ring.isSealed { return (.sealed, wakes) }
                guard let (position, record) = location(lineCapacity, priority: priority, state: &state, wakes: &wakes)
                else {
                    return (.dropped(EventDropped(.backlogFull)), wakes)
                }
                let seq: Int64
                let stamp: JournalRecord.Stamp?
                switch draw(
                    from: state.control.counter, ring: state.ring, record: record, capacity: lineCapacity,
                    base: state.log.base, fill)
                {
                case .drawn(let number, let stamped):
                    seq = number
                    stamp = stamped
                case .refused(let drop): return (.dropped(drop), wakes)
                case .sealed: return (.sealed, wakes)
                case .reclaimed: continue
                }
                let size =
                    stamp.map { record.finish(position: position, seq: seq, stamp: $0, kind: .event) }
                    ?? record.finish(position: position, seq: seq, stamp: .none, kind: .drop)
                guard state.ring.drawing.exchange(UInt64(seq), for: 0) else {
                    // Erase the record before announcing another number: otherwise a mover could mistake this record
                    // for that number's.
                    record.erase()
                    continue
                }
                if stamp != nil { state.last = position }
                state.head = position + UInt64(size)
                state.ring.head.publish(state.head)
                if !state.isMoverAwake { wakes.insert(.mover) }
                state.isMoverAwake = true
                return (stamp != nil ? .accepted(seq - state.log.base) : .dropped(EventDropped(nil)), wakes)
            }
        }
    }

    /// Checks whether the log continues as another install; one load if it does not.
    ///
    /// An event whose number is drawn before this check is rewritten when it is moved.
    @inline(__always)
    private func follow(_ state: inout State) {
        guard state.control.installNumber.load() > UInt64(state.log.number) else { return }
        continueAsNewInstall(&state)
    }

    @inline(never)
    private func continueAsNewInstall(_ state: inout State) {
        // Nil while it is being written; the next event checks again.
        guard let log = state.control.install, log.number > state.log.number else { return }
        state.log = log
        installChanges.wrappingAdd(1, ordering: .releasing)
    }

    /// The location of the next record: after all bytes that were not moved yet, and never across the ring's end.
    @inline(__always)
    private func location(
        _ lineCapacity: Int, priority: EventPriority, state: inout State, wakes: inout Wakes
    ) -> (position: UInt64, record: JournalRecord)? {
        let need = UInt64(JournalRecord.maximumSize(line: lineCapacity))
        while true {
            let (record, room) = state.ring.location(state.head)
            let start = UInt64(room) < need ? state.head + UInt64(room) : state.head
            if start + need > (priority == .critical ? state.end : state.commonEnd) {
                switch makeRoom(for: start + need, priority: priority, state: &state, wakes: &wakes) {
                case .here: break
                case .elsewhere: continue
                case .none: return nil
                }
            }
            if start == state.head { return (start, record) }
            if room >= JournalRecord.headerSize {
                _ = record.finish(position: state.head, seq: 0, stamp: .none, kind: .skip)
            }
            // Continue at the start of the ring.
            return (start, JournalRecord(base: state.ring.data))
        }
    }

    /// Raises the limits for records, or continues in another ring.
    ///
    /// - Parameter target: The end position of the record to append.
    private func makeRoom(
        for target: UInt64, priority: EventPriority, state: inout State, wakes: inout Wakes
    ) -> Room {
        let tail = state.ring.tail.load()
        let capacity = UInt64(state.ring.capacity)
        // A tail that moves back, or past the head, is damaged; it must not free any room.
        guard tail <= state.head, state.head - tail <= capacity else { return .none }
        let waiting = state.former.reduce(UInt64(0)) { $0 + $1.waitingBytes }
        func budget(_ limit: Int) -> UInt64 { UInt64(limit) - min(waiting, UInt64(limit)) }
        let all = budget(supply.limit)
        let common = budget(supply.commonLimit)
        state.end = tail + min(capacity, all)
        state.commonEnd = tail + min(capacity, common)
        if !state.isGrowing, supply.mayGrow {
            // Once half the ring is waiting, request the next rings while there is time.
            if target <= tail + capacity / 2 {
                state.end = min(state.end, tail + capacity / 2)
                state.commonEnd = min(state.commonEnd, tail + capacity / 2)
            } else {
                state.isGrowing = true
                state.lastGrowth = .now
                wakes.insert(.supply)
            }
        }
        // Compares the bytes that are waiting, not the largest size of the next line.
        guard state.head - tail < (priority == .critical ? all : common) else { return .none }
        if target <= tail + capacity { return .here }
        recycle(&state)
        guard let next = supply.nextRing(state.control, priority) else { return .none }
        goOn(in: next, &state)
        state.lastGrowth = .now
        wakes.insert(.supply)
        return .elsewhere
    }

    /// Where there is room for a record.
    private enum Room {
        case here
        /// In another ring, which the state has now.
        case elsewhere
        case none
    }

    func goOn(in ring: JournalRing, _ state: inout State) {
        // The last record is overwritten when its ring is reused.
        state.newest = state.last.flatMap { state.ring.record(at: $0)?.event } ?? state.newest
        state.former.append(state.ring)
        state.ring = ring
        state.head = ring.head.load()
        state.last = nil
        state.end = state.head
        state.commonEnd = state.head
    }

    /// Returns rings whose events were moved.
    func recycle(_ state: inout State) {
        let empty = state.former.filter { $0.waitingBytes == 0 && !$0.isSealed && !$0.isRetired }
        guard !empty.isEmpty else { return }
        state.former.removeAll { ring in empty.contains { $0 === ring } }
        supply.recycle(empty)
    }

    /// The result of drawing a number.
    private enum Draw {
        case drawn(Int64, JournalRecord.Stamp?)
        case refused(EventDropped)
        case sealed
        case reclaimed
    }

    /// Draws a number and writes the line with it.
    @inline(__always)
    private func draw(
        from counter: SharedWord, ring: JournalRing, record: JournalRecord, capacity: Int, base: Int64,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Draw {
        for _ in 0..<3 {
            let drawn = counter.load()
            // The counter in the file is damaged; the mover repairs it.
            guard drawn < UInt64(EventRecord.highestSeq), drawn >= UInt64(base) else {
                return .refused(EventDropped(.damaged))
            }
            guard let filled = fill(Int64(drawn + 1) - base, record.lineSpace(capacity)) else {
                return .refused(EventDropped(nil))
            }
            let stamp: JournalRecord.Stamp
            switch record.writeName(filled, behindLineOf: capacity) {
            case .success(let written): stamp = written
            case .failure(let drop): return .refused(drop)
            }
            ring.drawing.publish(drawn + 1)
            if counter.exchange(drawn, for: drawn + 1) {
                if ring.isSealed { return giveUp(ring) }
                return .drawn(Int64(drawn + 1), stamp)
            }
            ring.drawing.publish(0)
        }
        ring.drawing.publish(JournalRing.unknownNumber)
        let drawn = counter.increment()
        guard ring.drawing.exchange(JournalRing.unknownNumber, for: drawn) else { return .reclaimed }
        if ring.isSealed { return giveUp(ring) }
        let seq = Int64(clamping: drawn)
        guard seq > base, let filled = fill(seq - base, record.lineSpace(capacity)),
            case .success(let stamp) = record.writeName(filled, behindLineOf: capacity)
        else { return .drawn(seq, nil) }
        return .drawn(seq, stamp)
    }

    /// Gives up a number without a record. The mover finds that it has no sender.
    private func giveUp(_ ring: JournalRing) -> Draw {
        ring.drawing.publish(0)
        return .sealed
    }

    /// Counts a drop without a number.
    func count(_ reason: DropReason, at time: EventTime?) -> CountOutcome {
        // In a forked child the ring and the lock belong to the parent.
        guard process == ForkGuard.generation else { return .refused }
        return state.withLock { state in
            guard !state.isClosed else { return .refused }
            guard state.ring.count(reason, at: time) else { return .sealed }
            state.dropCount += 1
            defer { state.isMoverAwake = true }
            return .counted(wakesMover: !state.isMoverAwake)
        }
    }
}
