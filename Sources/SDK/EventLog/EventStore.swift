public import EventModel

/// An append-only log of events with consumers' cursors: a small topic, with one partition and one producer.
///
/// An event gets its sequence number when it is appended. Consumers read from a sequence number on and
/// acknowledge what they have delivered; each has a cursor of its own, so one being slow holds back no other.
///
/// Implementations: ``SQLiteEventStore`` (a file) and ``InMemoryEventStore`` (tests). Both pass one conformance
/// suite. All methods may be called from any thread.
public protocol EventStore: Sendable {
    /// The identity of this log, made with it: `install_id` on the wire.
    var installID: String { get }

    /// The newest event, or nil if the log is empty.
    var newest: EventRecord? { get }

    /// What an appended event survives from the moment ``append(lineCapacity:_:)`` returns.
    var durability: Durability { get }

    /// Draws the next sequence number and appends the event that `fill` writes with it.
    ///
    /// Does no I/O and never waits for any: when this returns, the event has reached ``durability``, and it is on
    /// its way to where ``read(after:maximumCount:maximumBytes:)`` finds it (``commit()`` waits for that). Numbers
    /// rise in the order of the calls.
    ///
    /// - Parameters:
    ///   - lineCapacity: How many bytes `fill` may write. No more than ``EventRecord/maximumLineLength``.
    ///   - fill: Gets the number and the log's own memory for the line, `lineCapacity` bytes or more; writes the
    ///     line there, without a line feed, and answers with the rest. Runs under the log's lock: it must be short
    ///     and not call the log. If it gives nil, the number is not used up, or accounted for in the ledger.
    /// - Returns: The number, or the reason why the event was not taken. The log does not count that drop itself.
    ///   An event whose id is in the log already is answered like any other, but left out and counted as
    ///   ``DropReason/repeatedID``.
    func append(
        lineCapacity: Int, _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped>

    /// Counts an event that was lost on purpose before it had a sequence number.
    func recordDrop(_ reason: DropReason)

    /// Returns when every event and drop so far is stored: it survives the process.
    ///
    /// - Throws: ``EventLogError``. Nothing is lost then: events stay in memory and are tried again.
    func commit() async throws

    /// Returns when every event and drop so far is on the disk: it survives a power failure.
    ///
    /// - Throws: ``EventLogError``, as ``commit()``.
    func flushToDisk() async throws

    /// A consumer's cursor. The first call for a name registers it at the start of the log: from then on
    /// retention keeps what it has not acknowledged.
    func cursor(of consumer: String) async throws -> ConsumerCursor

    /// Gives a consumer's cursor to one deliverer at a time: nil if another living writer of the log is delivering.
    ///
    /// Asking again is fine; ``endDelivery(to:)`` gives the consumer back, as does the end of the process.
    func beginDelivery(to consumer: String) async throws -> ConsumerCursor?

    /// Gives back what ``beginDelivery(to:)`` gave.
    func endDelivery(to consumer: String) async throws

    /// The stored events after a sequence number, oldest first.
    ///
    /// - Parameters:
    ///   - seq: The last one already seen; 0 from the start.
    ///   - maximumCount: At most so many events.
    ///   - maximumBytes: At most so many bytes of lines with their line feeds, but at least one event.
    func read(after seq: Int64, maximumCount: Int, maximumBytes: Int) async throws -> [EventRecord]

    /// Moves a consumer's cursor and stores its checkpoint, in one transaction. A cursor never moves back here.
    ///
    /// - Parameter refused: Events among those acknowledged that the consumer refused for good; counted.
    func acknowledge(_ cursor: ConsumerCursor, refused: ClosedRange<Int64>?) async throws

    /// Moves a consumer's cursor back and forgets its checkpoint, so that what follows is delivered again.
    ///
    /// - Parameter seq: The last number that still counts as delivered.
    func rewind(_ consumer: String, to seq: Int64) async throws

    /// Removes what no consumer has had yet, for a user who opted out; counted as ``DropReason/optedOut``.
    func discardUndelivered() async throws

    /// Applies the log's ``Retention``.
    ///
    /// - Parameter now: What ages are measured against.
    func prune(now: EventTime) async throws

    /// What is in the log.
    func statistics() async throws -> EventLogStatistics

    /// What was lost on purpose, by reason and consumer, in that order.
    func ledger() async throws -> [LedgerEntry]

    /// Stores what is waiting and closes the log; events sent later are dropped as ``DropReason/closed``.
    func close() async throws
}

extension EventStore {
    /// Appends the record that `make` builds with the next number; see ``append(lineCapacity:_:)``, which copies
    /// less.
    ///
    /// - Returns: The record, or the reason why it was not taken. A line over ``EventRecord/maximumLineLength`` is
    ///   ``DropReason/tooLarge``.
    public func append(_ make: (_ seq: Int64) -> EventRecord?) -> Result<EventRecord, EventDropped> {
        var made: EventRecord?
        let result = append(lineCapacity: EventRecord.maximumLineLength) { seq, line in
            made = make(seq)
            guard let record = made, record.line.count <= EventRecord.maximumLineLength else { return nil }
            line.copyBytes(from: record.line)
            return EventStamp(id: record.id, time: record.time, name: record.name, lineLength: record.line.count)
        }
        return result.flatMap { _ in
            made.map { .success($0) } ?? .failure(EventDropped(nil))
        }.mapError { drop in drop.reason == nil && made != nil ? EventDropped(.tooLarge) : drop }
    }
}
