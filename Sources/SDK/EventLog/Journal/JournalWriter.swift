package import EventModel
internal import Foundation
internal import Primitives

/// Appends to one ring: the part of a log that runs on its callers' threads.
///
/// An append copies a record into the mapped ring and publishes it by storing the ring's head. There is no system
/// call in it; the first touch of a page that the system has just written back costs a page fault.
///
/// **The number** is drawn at the end, by exchanging the shared counter, when the line is already in place: between
/// that and the publishing lie the record's header and checksum, some hundred nanoseconds. The number stands in the
/// ring's header meanwhile, so that the mover can tell a number that is coming from one whose sender has died.
/// A writer that loses the exchange to another process writes its line anew with the next number; after three times
/// it draws its number first, which always succeeds.
///
/// Two things may have happened meanwhile, if the thread was stopped in between: the ring was sealed, which shows right
/// after the drawing, or a mover took the number back, which shows when the announcement is withdrawn. The number is
/// given up then, and the event gets another.
package final class JournalWriter: Sendable {
    struct State {
        var ring: JournalRing
        /// What the ring's head says; nobody else stores it.
        var head: UInt64
        /// Up to where a record may reach before something must be looked at; for critical events.
        var end: UInt64 = 0
        /// The same for all others.
        var commonEnd: UInt64 = 0
        var last: UInt64?
        var isClosed = false
        var isMoverAwake = false
        var log: LogGeneration
        var newest: EventRecord?
        var dropCount: UInt64 = 0
        var control: JournalControl
        /// Rings that were filled up, or left, and hold what is not in the database yet.
        var former: [JournalRing] = []
        /// Whether rings are wanted, or were; until they are there, or the burst is over.
        var isGrowing = false
        var lastGrowth: ContinuousClock.Instant?

        var mark: Mark { Mark(head: head, dropCount: dropCount, ring: ring.name) }
    }

    /// So many empty rings are to stand ready while events come faster than they are moved.
    static let ringsAhead = 2
    /// So many are left when they do not.
    static let ringsAtRest = 1
    /// After so long without growth the journal is made small again.
    static let timeToShrink = Duration.seconds(5)

    let supply: JournalSupply
    let process = ForkGuard.generation
    let state: Locked<State>
    /// Counts the changes of ``log``, after the change.
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
    /// - Returns: The number or the reason; and who must be woken.
    package func append(
        lineCapacity: Int, priority: EventPriority = .normal,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> (outcome: Outcome, wakes: Wakes) {
        guard 0...EventRecord.maximumLineLength ~= lineCapacity else {
            return (.dropped(EventDropped(.tooLarge)), [])
        }
        // In a forked child the ring and the lock are the parent's.
        guard process == ForkGuard.generation else { return (.dropped(EventDropped(.closed)), []) }
        return state.withLock { state in
            guard !state.isClosed else { return (.dropped(EventDropped(.closed)), []) }
            var wakes: Wakes = []
            follow(&state)
            while true {
                // Looked at again when a number is drawn; here it costs none.
                if state.ring.isSealed { return (.sealed, wakes) }
                guard let (position, record) = location(lineCapacity, priority, &state, &wakes) else {
                    return (.dropped(EventDropped(.backlogFull)), wakes)
                }
                let seq: Int64
                let stamp: JournalRecord.Stamp?
                switch draw(state.control.counter, state.ring, record, lineCapacity, state.log.base, fill) {
                case .drawn(let number, let stamped): (seq, stamp) = (number, stamped)
                case .refused(let drop): return (.dropped(drop), wakes)
                case .sealed: return (.sealed, wakes)
                case .takenBack: continue
                }
                let size =
                    stamp.map { record.finish(position: position, seq: seq, stamp: $0, kind: .event) }
                    ?? record.finish(position: position, seq: seq, stamp: .none, kind: .drop)
                guard state.ring.drawing.exchange(UInt64(seq), for: 0) else {
                    // Before another number is announced: a mover must not take this for the record of that.
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

    /// Looks whether the log goes on as another install: one load, as long as it does not.
    ///
    /// An event whose number is drawn before this is seen is written anew when it is moved.
    @inline(__always)
    private func follow(_ state: inout State) {
        guard state.control.installNumber.load() > UInt64(state.log.number) else { return }
        goOnAsNewInstall(&state)
    }

    @inline(never)
    private func goOnAsNewInstall(_ state: inout State) {
        // Nil while it is being written: then the next event looks again.
        guard let log = state.control.install, log.number > state.log.number else { return }
        state.log = log
        installChanges.wrappingAdd(1, ordering: .releasing)
    }

    /// Where the next record goes: past what the mover has not taken yet, and never across the ring's end.
    @inline(__always)
    private func location(
        _ lineCapacity: Int, _ priority: EventPriority, _ state: inout State, _ wakes: inout Wakes
    ) -> (position: UInt64, record: JournalRecord)? {
        let need = UInt64(JournalRecord.maximumSize(line: lineCapacity))
        while true {
            let (record, room) = state.ring.location(state.head)
            let start = UInt64(room) < need ? state.head + UInt64(room) : state.head
            if start + need > (priority == .critical ? state.end : state.commonEnd) {
                switch makeRoom(for: start + need, priority, &state, &wakes) {
                case .here: break
                case .elsewhere: continue
                case .none: return nil
                }
            }
            if start == state.head { return (start, record) }
            if room >= JournalRecord.headerSize {
                _ = record.finish(position: state.head, seq: 0, stamp: .none, kind: .skip)
            }
            // The ring begins again.
            return (start, JournalRecord(base: state.ring.data))
        }
    }

    /// Raises the ends up to where records may reach, or goes on in another ring.
    ///
    /// - Parameter target: Where a record of a priority is to reach.
    private func makeRoom(
        for target: UInt64, _ priority: EventPriority, _ state: inout State, _ wakes: inout Wakes
    ) -> Room {
        let tail = state.ring.tail.load()
        let capacity = UInt64(state.ring.capacity)
        // A tail that steps back, or past the head, is a fault of the file: room is never made by one.
        guard tail <= state.head, state.head - tail <= capacity else { return .none }
        let waiting = state.former.reduce(UInt64(0)) { $0 + $1.waitingBytes }
        func budget(_ limit: Int) -> UInt64 { UInt64(limit) - min(waiting, UInt64(limit)) }
        let (all, common) = (budget(supply.limit), budget(supply.commonLimit))
        state.end = tail + min(capacity, all)
        state.commonEnd = tail + min(capacity, common)
        if !state.isGrowing, supply.mayGrow {
            // Half a ring that is not moved yet: the next ones are made while there is time.
            if target <= tail + capacity / 2 {
                state.end = min(state.end, tail + capacity / 2)
                state.commonEnd = min(state.commonEnd, tail + capacity / 2)
            } else {
                state.isGrowing = true
                state.lastGrowth = .now
                wakes.insert(.supply)
            }
        }
        // What waits already counts, not the most that the next line can need.
        guard state.head - tail < (priority == .critical ? all : common) else { return .none }
        if target <= tail + capacity { return .here }
        reclaim(&state)
        guard let next = supply.take(state.control, priority) else { return .none }
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
        // The last record stays where it is only until its ring is used again.
        state.newest = state.last.flatMap { state.ring.record(at: $0)?.event } ?? state.newest
        state.former.append(state.ring)
        (state.ring, state.head, state.last) = (ring, ring.head.load(), nil)
        (state.end, state.commonEnd) = (state.head, state.head)
    }

    /// Gives rings back that were moved.
    func reclaim(_ state: inout State) {
        let empty = state.former.filter { $0.waitingBytes == 0 && !$0.isSealed && !$0.isRetired }
        guard !empty.isEmpty else { return }
        state.former.removeAll { ring in empty.contains { $0 === ring } }
        supply.giveBack(empty)
    }

    /// What came of drawing a number.
    private enum Draw {
        case drawn(Int64, JournalRecord.Stamp?)
        case refused(EventDropped)
        case sealed
        case takenBack
    }

    /// Draws a number and has the line written with it.
    @inline(__always)
    private func draw(
        _ counter: SharedWord, _ ring: JournalRing, _ record: JournalRecord, _ capacity: Int, _ base: Int64,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Draw {
        for _ in 0..<3 {
            let drawn = counter.load()
            // The counter in the file is damaged: the mover mends it.
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
        guard ring.drawing.exchange(JournalRing.unknownNumber, for: drawn) else { return .takenBack }
        if ring.isSealed { return giveUp(ring) }
        let seq = Int64(clamping: drawn)
        guard seq > base, let filled = fill(seq - base, record.lineSpace(capacity)),
            case .success(let stamp) = record.writeName(filled, behindLineOf: capacity)
        else { return .drawn(seq, nil) }
        return .drawn(seq, stamp)
    }

    /// Leaves a number that was drawn, without a record: the mover finds that nobody has it.
    private func giveUp(_ ring: JournalRing) -> Draw {
        ring.drawing.publish(0)
        return .sealed
    }

    /// Counts a drop that has no number.
    func count(_ reason: DropReason, at time: EventTime?) -> CountOutcome {
        // In a forked child the ring and the lock are the parent's.
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
