internal import Primitives
public import TrackingCore

/// A log for a repeated run: it compares the events that an earlier run stored instead of appending them.
///
/// The first event of this run must equal the log's first event, and so on, up to the log's last event; later events
/// are appended. The first difference is kept in ``difference``; after it, no event is accepted.
public final class ResumingEventStore: ForwardingEventStore {
    private struct State {
        var seq: Int64 = 0
        var stored: [EventRecord] = []
        /// Open until all stored events are compared.
        var reader: EventLogReader?
        var difference: Int64?
    }

    /// The log that new events are appended to.
    public let next: any EventStore
    private let storedSeq: Int64
    private let state: Locked<State>

    /// Creates a resuming log on top of an open log.
    ///
    /// - Throws: ``/EventLog/EventLogError``.
    public init(_ log: SQLiteEventStore) throws {
        next = log
        storedSeq = log.newest?.seq ?? 0
        state = Locked(State(reader: storedSeq > 0 ? try EventLogReader(path: log.path) : nil))
    }

    /// The number of events that the earlier run stored.
    public var resumedCount: Int64 { storedSeq }

    /// The number of the first event that differs from the stored event, or that is stored but did not occur in this
    /// run.
    public func difference(isComplete: Bool) -> Int64? {
        state.withLock { state in
            if isComplete, state.difference == nil, state.seq < storedSeq { return state.seq + 1 }
            return state.difference
        }
    }

    public func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> {
        let compared: Result<Int64, EventDropped>? = state.withLock { state in
            guard state.difference == nil else { return .failure(EventDropped(.closed)) }
            guard state.seq < storedSeq else { return nil }
            guard let record = EventRecord(seq: state.seq + 1, lineCapacity: lineCapacity, fill) else {
                return .failure(EventDropped(nil))
            }
            state.seq = record.seq
            // Unreadable stored events count as a difference, because they can't be compared.
            if state.stored.isEmpty {
                state.stored = (try? state.reader?.read(after: record.seq - 1))?.reversed() ?? []
            }
            guard state.stored.popLast() == record else {
                state.difference = record.seq
                return .failure(EventDropped(.closed))
            }
            if state.seq == storedSeq { state.reader = nil }
            return .success(record.seq)
        }
        return compared ?? next.append(lineCapacity: lineCapacity, priority: priority, fill)
    }

    public func recordDrop(_ reason: DropReason, at time: EventTime?) {
        // The earlier run counted its own drops.
        if state.withLock({ $0.seq >= storedSeq }) { next.recordDrop(reason) }
    }
}
