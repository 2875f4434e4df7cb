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
package final class JournalWriter: Sendable {
    private struct State {
        var ring: JournalRing
        /// What the ring's head says; nobody else stores it.
        var head: UInt64
        /// What the ring's tail said when it was needed last.
        var tail: UInt64
        var last: UInt64?
        var isClosed = false
        var isMoverAwake = false
        var installID: String
        var newest: EventRecord?
        var dropCount: UInt64 = 0
        var control: JournalControl

        var mark: Mark { Mark(head: head, dropCount: dropCount, ring: ring.name) }
    }

    private let maximumPendingBytes: UInt64
    private let process = ForkGuard.generation
    private let state: Locked<State>

    package init(
        control: JournalControl, ring: JournalRing, maximumPendingBytes: Int, installID: String, newest: EventRecord?
    ) {
        self.maximumPendingBytes = UInt64(max(0, maximumPendingBytes))
        state = Locked(
            State(
                ring: ring, head: ring.head.load(), tail: ring.tail.load(), installID: installID, newest: newest,
                control: control))
    }

    /// Appends an event; see ``EventStore/append(lineCapacity:_:)``.
    ///
    /// - Returns: The number or the reason; and whether the mover sleeps and must be woken.
    package func append(
        lineCapacity: Int, _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> (result: Result<Int64, EventDropped>, wakesMover: Bool) {
        guard 0...EventRecord.maximumLineLength ~= lineCapacity else {
            return (.failure(EventDropped(.tooLarge)), false)
        }
        // In a forked child the ring and the lock are the parent's.
        guard process == ForkGuard.generation else { return (.failure(EventDropped(.closed)), false) }
        return state.withLock { state in
            guard !state.isClosed else { return (.failure(EventDropped(.closed)), false) }
            guard let position = place(lineCapacity, &state) else {
                return (.failure(EventDropped(.backlogFull)), false)
            }
            let record = state.ring.place(position).record
            let seq: Int64
            let stamp: EventStamp?
            switch draw(state.control.counter, state.ring, record.lineSpace(lineCapacity), fill) {
            case .success(let drawn): (seq, stamp) = drawn
            case .failure(let drop): return (.failure(drop), false)
            }
            let size =
                stamp.map { record.finish(position: position, seq: seq, stamp: $0, kind: .event) }
                ?? record.finish(position: position, seq: seq, stamp: .none, kind: .drop)
            if stamp != nil { state.last = position }
            state.head = position + UInt64(size)
            state.ring.head.publish(state.head)
            state.ring.drawing.publish(0)
            defer { state.isMoverAwake = true }
            return (stamp != nil ? .success(seq) : .failure(EventDropped(nil)), !state.isMoverAwake)
        }
    }

    /// Where the next record goes: past what the mover has not taken yet, and never across the ring's end.
    @inline(__always)
    private func place(_ lineCapacity: Int, _ state: inout State) -> UInt64? {
        let need = UInt64(JournalRecord.maximumSize(line: lineCapacity))
        let (record, room) = state.ring.place(state.head)
        let start = UInt64(room) < need ? state.head + UInt64(room) : state.head
        let capacity = UInt64(state.ring.capacity)
        if start + need - state.tail > capacity || state.head - state.tail >= maximumPendingBytes {
            let tail = state.ring.tail.load()
            // A tail that steps back, or past the head, is a fault of the file: room is never made by one.
            if state.tail...state.head ~= tail { state.tail = tail }
            guard start + need - state.tail <= capacity, state.head - state.tail < maximumPendingBytes else {
                return nil
            }
        }
        if start != state.head && room >= JournalRecord.headerSize {
            _ = record.finish(position: state.head, seq: 0, stamp: .none, kind: .skip)
        }
        return start
    }

    /// Draws a number and has the line written with it.
    @inline(__always)
    private func draw(
        _ counter: SharedWord, _ ring: JournalRing, _ line: UnsafeMutableRawBufferPointer,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<(Int64, EventStamp?), EventDropped> {
        for _ in 0..<3 {
            let drawn = counter.load()
            // The counter in the file is damaged: the mover mends it.
            guard drawn < UInt64(EventRecord.highestSeq) else { return .failure(EventDropped(.damaged)) }
            guard let stamp = fill(Int64(drawn + 1), line) else { return .failure(EventDropped(nil)) }
            guard stamp.name.utf8.count <= EventStamp.maximumNameLength else {
                return .failure(EventDropped(.invalidName))
            }
            guard 0...line.count ~= stamp.lineLength else { return .failure(EventDropped(.tooLarge)) }
            ring.drawing.publish(drawn + 1)
            if counter.exchange(drawn, for: drawn + 1) { return .success((Int64(drawn + 1), stamp)) }
            ring.drawing.publish(0)
        }
        ring.drawing.publish(JournalRing.unknownNumber)
        let drawn = counter.increment()
        ring.drawing.publish(drawn)
        let seq = Int64(clamping: drawn)
        guard let stamp = fill(seq, line), stamp.name.utf8.count <= EventStamp.maximumNameLength,
            0...line.count ~= stamp.lineLength
        else { return .success((seq, nil)) }
        return .success((seq, stamp))
    }

    /// Counts a drop that has no number, and tells whether the mover must be woken.
    func count(_ reason: DropReason) -> Bool {
        // In a forked child the ring and the lock are the parent's.
        guard process == ForkGuard.generation else { return false }
        return state.withLock { state in
            guard !state.isClosed else { return false }
            state.ring.count(reason)
            state.dropCount += 1
            defer { state.isMoverAwake = true }
            return !state.isMoverAwake
        }
    }

    // MARK: The log's side

    var installID: String {
        get { state.withLock { $0.installID } }
        set { state.withLock { $0.installID = newValue } }
    }

    /// The event that was appended last here; before the first, the newest that the log had when it was opened.
    var newest: EventRecord? {
        state.withLock { state in
            // The last record is never overwritten before the next is published.
            state.last.flatMap { state.ring.place($0).record.event } ?? state.newest
        }
    }

    /// Takes note of the newest event of a replay.
    func wasReplayed(_ newest: EventRecord) {
        state.withLock { state in
            if let last = state.last, state.ring.place(last).record.seq > newest.seq { return }
            (state.newest, state.last) = (newest, nil)
        }
    }

    var ring: JournalRing { state.withLock { $0.ring } }

    /// Goes on in another ring, and with another counter, if one is given.
    func replaceRing(_ ring: JournalRing, control: JournalControl? = nil) {
        state.withLock { state in
            if let control {
                // In the lock: no number is being drawn here.
                control.counter.raise(to: min(state.control.counter.load(), UInt64(EventRecord.highestSeq)))
                state.control = control
            }
            state.newest = state.last.flatMap { state.ring.place($0).record.event } ?? state.newest
            (state.ring, state.head, state.tail, state.last) = (ring, ring.head.load(), ring.tail.load(), nil)
        }
    }

    /// What has been appended and counted so far.
    struct Mark: Equatable {
        fileprivate let head: UInt64
        fileprivate let dropCount: UInt64
        fileprivate let ring: String
    }

    /// How far appending has come.
    var mark: Mark { state.withLock { $0.mark } }

    /// Lets the mover sleep if everything up to `mark` was all: the next append or drop wakes it.
    func letMoverSleep(after mark: Mark) -> Bool {
        state.withLock { state in
            guard state.mark == mark else { return false }
            state.isMoverAwake = false
            return true
        }
    }

    /// Whether this is a forked child of the process that made the writer: ring, lock and queue are the parent's.
    var isForked: Bool { process != ForkGuard.generation }

    /// Ends the taking of events.
    func close() { state.withLock { $0.isClosed = true } }
}

extension EventStamp {
    /// For a record without an event.
    fileprivate static let none = EventStamp(
        id: EventID(high: 0, low: 0), time: EventTime(microseconds: 0), name: "", lineLength: 0)
}
