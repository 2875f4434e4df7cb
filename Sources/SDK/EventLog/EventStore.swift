public import EventModel

/// An append-only event log with one cursor per consumer, like a topic with one partition.
///
/// An event gets its sequence number when it is appended. Consumers read from a sequence number on, and acknowledge
/// what they have delivered. Each consumer has its own cursor, so a slow consumer does not hold up the others.
///
/// Two implementations pass the same conformance tests: ``SQLiteEventStore`` (a file) and ``InMemoryEventStore`` (for
/// tests). You can call all methods from any thread.
public protocol EventStore: Sendable {
    /// The identity of this log, generated with it: `install_id` in the lines.
    var installID: String { get }

    /// The newest event, or nil if the log is empty.
    var newest: EventRecord? { get }

    /// The background time that prevents the system from suspending the process while the log works or is flushed.
    var backgroundTime: any BackgroundTime { get }

    /// The durability of an event once ``append(lineCapacity:priority:_:)`` has returned.
    var durability: Durability { get }

    /// Assigns the next sequence number, and appends the event that `fill` writes.
    ///
    /// Does no I/O and never waits for I/O. When this method returns, the event has reached ``durability``. It becomes
    /// visible to ``read(after:maximumCount:maximumBytes:)`` shortly afterwards; ``commit()`` waits until it is
    /// visible. Numbers increase in the order of the calls.
    ///
    /// - Parameters:
    ///   - lineCapacity: How many bytes `fill` may write; at most ``/EventModel/EventRecord/maximumLineLength``.
    ///   - priority: Whether the event may use the reserved part of the journal when the database falls behind.
    ///   - fill: Gets the number and a buffer of at least `lineCapacity` bytes. Writes the line to the buffer, without
    ///     a line feed, and returns the stamp. Runs under the log's lock: it must be short and must not call the log.
    ///     If it returns nil, the number is reused, or recorded in the ledger.
    /// - Returns: The number, or the reason why the event was rejected. The log does not count such a drop: call
    ///   ``recordDrop(_:at:)``. An event whose id is already in the log also gets a number, but is discarded later and
    ///   counted as ``DropReason/repeatedID``.
    func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped>

    /// Counts an event that was dropped before it had a sequence number.
    ///
    /// - Parameter time: The event's time; nil if it never had a time.
    func recordDrop(_ reason: DropReason, at time: EventTime?)

    /// Waits until all events and drops so far are stored and survive the end of the process.
    ///
    /// - Throws: ``EventLogError``. No event is lost in that case: the log keeps them and retries.
    func commit() async throws

    /// Waits until all events and drops so far are on the disk and survive a power failure.
    func flushToDisk() async throws

    /// Syncs all stored events to the disk, even if no more events can be stored, for example on a full disk.
    func syncStored() async throws -> Int64

    /// A consumer's cursor. The first call with a new name registers the consumer at the start of the log. From then
    /// on, retention keeps the events that it has not acknowledged.
    func cursor(of consumer: String) async throws -> ConsumerCursor

    /// Leases a consumer to one deliverer at a time. Returns nil if another living writer of the log holds an unexpired
    /// lease. Calling it again is allowed, and ends the previous lease.
    ///
    /// - Parameters:
    ///   - lasting: The length of the lease in whole seconds of the system's time, including sleep. Each
    ///     ``nextBatch(_:through:lasting:)`` renews it.
    ///   - now: The current time, stored as the consumer's last use. After 30 days of the log's use without it, ``prune(now:)`` retires
    ///     the consumer: it counts the undelivered events, and moves the consumer's cursor to the end of the log.
    func beginDelivery(to consumer: String, lasting: Duration, at now: EventTime) async throws -> DeliveryLease?

    /// The batch to deliver next. The batch is stored on the disk, and stays the same at every call until it is
    /// settled.
    ///
    /// - Parameter end: The last number to deliver, as returned by ``syncStored()``.
    /// - Returns: nil if there is nothing to deliver, or another deliverer has taken over the lease.
    func nextBatch(_ lease: DeliveryLease, through end: Int64, lasting: Duration) async throws -> EventBatch?

    /// Stores the outcome of a batch, and moves the cursor. Never moves a cursor back.
    ///
    /// - Parameters:
    ///   - batch: The batch's id.
    ///   - pause: When to try the consumer again, for an outcome that requires a pause.
    /// - Returns: nil, without a change, if another deliverer has taken over the lease, or the batch was given up.
    func settle(
        _ lease: DeliveryLease, batch: String, _ result: DeliveryResult, pause: DeliveryPause?
    ) async throws -> SettledBatch?

    /// Replaces the pause of a lease's consumer, unless a newer lease exists.
    func setPause(_ pause: DeliveryPause, under lease: DeliveryLease) async throws

    /// Ends a lease from ``beginDelivery(to:lasting:at:)``.
    func endDelivery(_ lease: DeliveryLease) async throws

    /// The registry of this log's delivery engine in this process.
    var deliveries: DeliveryRegistry { get }

    /// Changes whenever a person's consent or the identity changes in any process, and whenever ``installID`` changes in
    /// this process. Uses atomic loads and no lock. You may read it in the closure of
    /// ``append(lineCapacity:priority:_:)``, like ``consentRecord(of:)``.
    var consentGeneration: UInt64 { get }

    /// What the log knows about a person's consent; nil if nothing, ``ConsentRecord/State/unreadable`` if the record can't
    /// be read without I/O. Safe to call from any thread.
    ///
    /// - Parameter subject: A user or a device, or everyone; and a purpose, or all purposes without a record of their own.
    func consentRecord(of subject: ConsentSubject) -> ConsentRecord?

    /// What a person has denied. Does no I/O. Safe to call from any thread; you may call it in the closure of
    /// ``append(lineCapacity:priority:_:)``.
    ///
    /// - Parameter purposes: At most ``/EventModel/Purpose/maximumCount``.
    /// - Returns: Bit `n` is set if the person has denied `purposes[n]`. nil if some record can't be read without I/O.
    func deniedPurposes(of person: ConsentPerson, among purposes: [Purpose]) -> Int?

    /// The purposes that plans, events, answers or policies have named, as far as this process knows.
    var purposes: [Purpose] { get }

    /// Adds purposes, so that changes of consent in each process consider them. Does no I/O. Safe to call from any thread.
    func addPurposes(_ purposes: [Purpose])

    /// Whether the people of a batch still agree to its delivery. Does no I/O. Safe to call from any thread.
    func mayDeliver(_ batch: EventBatch) -> Bool

    /// Numbers a change of consent and shares it with all processes: each applies it to its next event. Does no I/O. Safe
    /// to call from any thread.
    ///
    /// - Returns: The change, to be passed to ``storeConsent(_:)``.
    func noteConsent(_ change: ConsentChange) -> NumberedConsentChange

    /// Stores a change of consent, so that it survives a power failure. A denial also removes the people's events that at
    /// least one consumer has not received, whether stored or still in a journal: all that were sent before. They are
    /// counted as ``DropReason/optedOut``. An answer that is older than the stored one changes nothing.
    ///
    /// - Throws: ``EventLogError`` if the change could not be stored, or not all events could be removed. Call it again. The
    ///   change is in effect nevertheless, until the control file is replaced.
    func storeConsent(_ change: NumberedConsentChange) async throws

    /// Stores changes of consent in their order, like ``storeConsent(_:)``; a log may wait for the disk once for all.
    ///
    /// - Throws: ``EventLogError`` if some change could not be stored. Others may be stored; call it again.
    func storeConsents(_ changes: [NumberedConsentChange]) async throws

    /// Like ``storeConsents(_:)``, but returns when the changes are stored, before the events are removed. The log may remove
    /// the events of several denials together, later. No sink receives them in the meantime, and if the process ends, the
    /// next process removes them.
    ///
    /// - Parameter whenRemoved: Called once, on any thread, when the events are removed, or with the error if not all could
    ///   be removed: store the changes again. Not called if the method throws.
    /// - Throws: As ``storeConsents(_:)``.
    func storeConsents(
        _ changes: [NumberedConsentChange], whenRemoved: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) async throws

    /// The newest identity in the log, of any process; nil if there is none. Does no I/O. Safe to call from any thread.
    var identity: LogIdentity? { get }

    /// Replaces the identity for all processes: each applies it to its next event. When the method returns, the identity
    /// survives the end of the process. Does no I/O. Safe to call from any thread.
    ///
    /// - Returns: The identity with its number.
    @discardableResult
    func setIdentity(_ identity: LogIdentity) -> LogIdentity

    /// Returns the log's identity, or sets one if there is none. Processes that call it at the same time get the same
    /// identity. Blocks the thread while another process holds the log's lock.
    ///
    /// - Parameter make: The identity to set. Not called if the log has an identity with a number that is at least `number`.
    /// - Throws: ``EventLogError`` `inUse`.
    func adoptIdentity(atLeast number: Int64, _ make: () -> LogIdentity) throws -> LogIdentity

    /// The identity with this number is also stored elsewhere, so the log may forget it when it is closed.
    func identityIsStored(_ number: Int64)

    /// Reads the stored events after a sequence number, oldest first.
    ///
    /// - Parameters:
    ///   - seq: The last number that you have already seen; 0 for all events.
    ///   - maximumCount: The maximum number of events to return.
    ///   - maximumBytes: The maximum bytes of lines to return, including line feeds. At least one event is returned
    ///     even if it is larger.
    func read(after seq: Int64, maximumCount: Int, maximumBytes: Int) async throws -> [EventRecord]

    /// Moves a consumer's cursor and stores its checkpoint, in one transaction. Never moves a cursor back.
    ///
    /// - Parameter refused: The acknowledged events that the consumer permanently refused; counted in the ledger.
    func acknowledge(_ cursor: ConsumerCursor, refused: ClosedRange<Int64>?) async throws

    /// Moves a consumer's cursor back and clears its checkpoint, so that later events are delivered again.
    func rewind(_ consumer: String, to seq: Int64) async throws

    /// Erases a user's events from all files of the log, also delivered ones: rows, journals of all processes (also of
    /// stopped and of killed ones), quarantined files, free pages and the write-ahead log. Includes events of all purposes,
    /// and those of anonymous people who turned out to be this user. They are counted as ``DropReason/erased``. Events that
    /// are sent later stay, like the user's answers.
    ///
    /// The user's id is in one file next to the log until all sinks have answered: see ``settle(_:erasure:checkpoint:)``.
    ///
    /// - Parameters:
    ///   - user: The value of `user_id`.
    ///   - device: The id of the present anonymous person. Ignored if the log knows no sign-in of this person as the user.
    ///   - sinks: The sinks that must delete the events, too.
    /// - Returns: The request for the sinks.
    /// - Throws: ``EventLogError``. Call it again; otherwise ``erasures(for:)`` continues.
    func erase(_ user: String, device: String?, for sinks: [String]) async throws -> ErasureRequest

    /// The erasures that a sink has not answered, oldest first, also after a restart.
    ///
    /// - Throws: ``EventLogError`` if an erasure that another process has begun cannot be completed.
    func erasures(for sink: String) async throws -> [ErasureRequest]

    /// Records that a sink has deleted a user's events. Does nothing if another deliverer has the lease now.
    ///
    /// - Parameters:
    ///   - id: The id of the request.
    ///   - checkpoint: Replaces the checkpoint of the sink's last delivery.
    func settle(_ lease: DeliveryLease, erasure id: String, checkpoint: String?) async throws

    /// Applies the log's ``Retention``.
    ///
    /// - Parameter now: The current time, to compute the age of events.
    func prune(now: EventTime) async throws

    /// Counts the events in the log.
    func statistics() async throws -> EventLogStatistics

    /// The counts of lost events, sorted by reason, then consumer.
    func ledger() async throws -> [LedgerEntry]

    /// Stores all waiting events and closes the log. Events sent later are dropped as ``DropReason/closed``.
    func close() async throws
}

/// A log that can be read on a thread that may wait for a disk.
package protocol BlockingEventReader: EventStore {
    /// Like ``EventStore/read(after:maximumCount:maximumBytes:)``, and blocks the thread.
    func readBlocking(after seq: Int64, maximumCount: Int, maximumBytes: Int) throws -> [EventRecord]
}

extension EventStore {
    /// Background time without a limit, for logs in processes that are never suspended.
    public var backgroundTime: any BackgroundTime { UnlimitedBackgroundTime() }

    /// Appends an event with normal priority; see ``append(lineCapacity:priority:_:)``.
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

    public func deniedPurposes(of person: ConsentPerson, among purposes: [Purpose]) -> Int? {
        var bits = 0
        var isReadable = true
        for (index, purpose) in purposes.enumerated() {
            let rule = ConsentRule(of: person.id, for: purpose) { subject in
                let record = consentRecord(of: subject)
                if record?.isReadable == false { isReadable = false }
                return record
            }
            if !rule.mayStore { bits |= 1 << index }
        }
        return isReadable ? bits : nil
    }

    public func storeConsents(_ changes: [NumberedConsentChange]) async throws {
        for change in changes { try await storeConsent(change) }
    }

    public func storeConsents(
        _ changes: [NumberedConsentChange], whenRemoved: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) async throws {
        try await storeConsents(changes)
        whenRemoved(.success(()))
    }

    /// A person's consent; nil if the log knows nothing. Without the policy of a process.
    public func consent(of person: String, for purpose: Purpose = .analytics) -> Consent? {
        let records = [nil, purpose].map { consentRecord(of: ConsentSubject(person, for: $0)) }
        return ConsentRecord.effective(records[1], all: records[0], for: purpose).map {
            ConsentRule(stored: $0).status.value
        }
    }

    /// Stores an answer of people.
    ///
    /// - Throws: As ``storeConsent(_:)``.
    package func setConsent(
        _ choice: ConsentChoice, for purposes: [Purpose]? = nil, of people: [String],
        at time: EventTime = EventTime(microseconds: 0)
    ) async throws {
        try await storeConsent(noteConsent(.answer(ConsentAnswer(choice, for: purposes, people: people, time: time))))
    }

    /// Counts a drop of an event without a time; see ``recordDrop(_:at:)``.
    public func recordDrop(_ reason: DropReason) { recordDrop(reason, at: nil) }

    /// Appends the record that `make` returns for the next number. ``append(lineCapacity:priority:_:)`` copies less.
    ///
    /// - Returns: The record, or the reason why it was rejected. A line over ``/EventModel/EventRecord/maximumLineLength`` is
    ///   dropped as ``DropReason/tooLarge``.
    public func append(_ make: (_ seq: Int64) -> EventRecord?) -> Result<EventRecord, EventDropped> {
        var made: EventRecord?
        let result = append(lineCapacity: EventRecord.maximumLineLength) { seq, line in
            made = make(seq)
            guard let record = made, record.line.count <= EventRecord.maximumLineLength else { return nil }
            line.copyBytes(from: record.line)
            return EventStamp(
                id: record.id, time: record.time, name: record.name, lineLength: record.line.count,
                purpose: record.purpose)
        }
        return result.flatMap { _ in
            made.map { .success($0) } ?? .failure(EventDropped(nil))
        }.mapError { drop in drop.reason == nil && made != nil ? EventDropped(.tooLarge) : drop }
    }
}

/// What an accepted event survives. Each level includes the previous ones.
public enum Durability: Int, Comparable, CaseIterable, Sendable {
    /// Nothing: the event is in the memory of the process. The level of ``InMemoryEventStore``.
    case buffered
    /// The end of the process, even by SIGKILL: the event is in the system's memory. ``SQLiteEventStore`` reaches this
    /// level before ``EventStore/append(lineCapacity:_:)`` returns.
    case survivesProcessKill
    /// A system crash or power failure: the event is on the disk. Call ``EventStore/flushToDisk()`` to reach this
    /// level.
    case survivesPowerLoss

    /// Orders levels from weakest to strongest.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Whether an event may use the reserved part of the journal.
public enum EventPriority: String, CaseIterable, Sendable {
    /// The event is dropped when the journal has no room for it.
    case normal
    /// A quarter of the journal's limit is reserved for these events. Use it for few events, such as a purchase or a
    /// consent.
    case critical
}

/// The totals of a log. Reading them is O(1), because the log stores them.
public struct EventLogStatistics: Hashable, Sendable {
    /// The number of events in the log now.
    public var count: Int64 = 0
    /// The bytes of their lines.
    public var bytes: Int64 = 0
    /// The lowest sequence number in the log; nil if it is empty.
    public var firstSeq: Int64?
    /// The highest sequence number ever assigned; 0 before the first event.
    public var lastSeq: Int64 = 0

    /// Makes the statistics of an empty log.
    public init() {}
}
