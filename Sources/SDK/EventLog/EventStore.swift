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

    /// What keeps the system from suspending the process while the log, or a flush of it, works.
    var backgroundTime: any BackgroundTime { get }

    /// What an appended event survives from the moment ``append(lineCapacity:priority:_:)`` returns.
    var durability: Durability { get }

    /// Draws the next sequence number and appends the event that `fill` writes with it.
    ///
    /// Does no I/O and never waits for any: when this returns, the event has reached ``durability``, and it is on
    /// its way to where ``read(after:maximumCount:maximumBytes:)`` finds it (``commit()`` waits for that). Numbers
    /// rise in the order of the calls.
    ///
    /// - Parameters:
    ///   - lineCapacity: How many bytes `fill` may write. No more than ``EventRecord/maximumLineLength``.
    ///   - priority: Whether room is kept for the event while the log cannot be written fast enough.
    ///   - fill: Gets the number and the log's own memory for the line, `lineCapacity` bytes or more; writes the
    ///     line there, without a line feed, and answers with the rest. Runs under the log's lock: it must be short
    ///     and not call the log. If it gives nil, the number is not used up, or accounted for in the ledger.
    /// - Returns: The number, or the reason why the event was not taken. The log does not count that drop itself.
    ///   An event whose id is in the log already is answered like any other, but left out and counted as
    ///   ``DropReason/repeatedID``.
    func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped>

    /// Counts an event that was lost on purpose before it had a sequence number.
    ///
    /// - Parameter time: The event's time; nil if it never had one.
    func recordDrop(_ reason: DropReason, at time: EventTime?)

    /// Returns when every event and drop so far is stored: it survives the process.
    ///
    /// - Throws: ``EventLogError``. Nothing is lost then: events stay in memory and are tried again.
    func commit() async throws

    /// Returns when every event and drop so far is on the disk: it survives a power failure.
    ///
    /// - Throws: ``EventLogError``, as ``commit()``.
    func flushToDisk() async throws

    /// Puts on the disk what is stored, also when more cannot be stored now: on a full disk.
    ///
    /// - Returns: The number up to which events survive a power failure.
    /// - Throws: ``EventLogError``.
    func syncStored() async throws -> Int64

    /// A consumer's cursor. The first call for a name registers it at the start of the log: from then on
    /// retention keeps what it has not acknowledged.
    func cursor(of consumer: String) async throws -> ConsumerCursor

    /// Gives a consumer to one deliverer at a time: nil if another living writer of the log has it, and its lease has not
    /// ended. Asking again is fine: the lease before has ended then.
    ///
    /// - Parameters:
    ///   - lasting: How long the lease is, in whole seconds of the system's time, sleep included. ``nextBatch(_:through:lasting:)``
    ///     starts it anew.
    ///   - now: When an environment named the consumer. One that none has named for 30 days keeps no event from being
    ///     pruned: ``prune(now:)`` counts what it has not had, and moves its cursor to the end of the log.
    func beginDelivery(to consumer: String, lasting: Duration, at now: EventTime) async throws -> DeliveryLease?

    /// The batch to deliver next: stored, on the disk, and the same at every call until it is settled.
    ///
    /// - Parameter end: Up to which number events are delivered, as ``syncStored()`` gave it.
    /// - Returns: nil if there is nothing to deliver, or somebody has taken the lease over.
    func nextBatch(_ lease: DeliveryLease, through end: Int64, lasting: Duration) async throws -> EventBatch?

    /// Stores what became of a batch, and moves the cursor. A cursor never moves back here.
    ///
    /// - Parameters:
    ///   - batch: Its id.
    ///   - pause: When the consumer is tried again, for an answer that asks for that.
    /// - Returns: nil if somebody has taken the lease over, or the batch was given up: nothing was changed.
    func settle(
        _ lease: DeliveryLease, batch: String, _ result: DeliveryResult, pause: DeliveryPause?
    ) async throws -> SettledBatch?

    /// Gives back what ``beginDelivery(to:lasting:at:)`` gave.
    func endDelivery(_ lease: DeliveryLease) async throws

    /// Who delivers this log's events in this process.
    var deliveries: DeliveryRegistry { get }

    /// Changes whenever a user's consent does, in whatever process, and whenever ``installID`` does here: atomic loads, no
    /// lock. It may be asked for in the closure of ``append(lineCapacity:priority:_:)``, as ``consent(of:)`` may.
    var consentGeneration: UInt64 { get }

    /// What a user has said; nil if nothing was ever stored. ``Consent/unknown`` if that can't be read. No I/O, any thread.
    func consent(of userID: String) -> Consent?

    /// Stores what users have said. Each process sees it with its next event. For ``Consent/denied``, events that not every
    /// consumer has had are removed, as by ``discardUndelivered(of:)``.
    ///
    /// - Throws: ``EventLogError``: it could not be stored. A refusal counts nevertheless, until the control file is made
    ///   anew.
    func setConsent(_ consent: Consent, of userIDs: [String]) async throws

    /// Notes that a user has not said anything yet, unless the user has: events are kept, and not delivered, until then.
    ///
    /// Holds for all processes of the log when it returns, and is stored soon after. No I/O, any thread.
    func requireConsent(of userID: String)

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

    /// Removes a user's events that not every consumer has had, for one who opted out: stored or on their way there, sent
    /// before the call. Each is counted as ``DropReason/optedOut``. Other users' events stay.
    ///
    /// - Parameter userID: `user_id` in the lines.
    /// - Throws: ``EventLogError``; called again, it goes on.
    func discardUndelivered(of userID: String) async throws

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
    /// For a log that no suspension harms: without a limit.
    public var backgroundTime: any BackgroundTime { UnlimitedBackgroundTime() }

    /// Appends an event of normal priority; see ``append(lineCapacity:priority:_:)``.
    @inline(__always)
    public func append(
        lineCapacity: Int, _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> {
        append(lineCapacity: lineCapacity, priority: .normal, fill)
    }

    public func syncStored() async throws -> Int64 {
        try await flushToDisk()
        return try await statistics().lastSeq
    }

    /// Counts a drop; see ``recordDrop(_:at:)``.
    public func recordDrop(_ reason: DropReason) { recordDrop(reason, at: nil) }

    /// Appends the record that `make` builds with the next number; see ``append(lineCapacity:priority:_:)``, which copies
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
