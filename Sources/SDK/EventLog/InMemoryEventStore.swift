public import EventModel
internal import Foundation
import GRDB
internal import Primitives

/// The event log in memory, for tests. Behaves like ``SQLiteEventStore``, and ends with the process.
///
/// Events wait in an array, like those in a file's journal. They move to an in-memory SQLite database when an operation
/// needs it: a delivery, retention, or the ledger.
public final class InMemoryEventStore: BlockingEventReader {
    private struct Content {
        /// Events that are not in the database yet.
        var waiting: [EventRecord] = []
        /// Numbers of events whose ids were already in the log.
        var repeated: [Int64] = []
        var drops: [(reason: DropReason, time: EventTime?)] = []
        var ids: Set<EventID> = []
        var newest: EventRecord?
        var lastSeq: Int64 = 0
        var isClosed = false
        var log: LogGeneration
        var database: DatabaseQueue?
    }

    public var installID: String { content.withLock { $0.log.installID } }
    public let deliveries = DeliveryRegistry()
    private let retention: Retention
    private let deadLetters: DeadLetterLimits
    private let content: Locked<Content>
    private struct People {
        var table = ConsentTable()
        var purposes: [Purpose] = []
        var identity: LogIdentity?
        var lastNumber: Int64 = 0
    }

    private let people = Locked(People())
    private let erasures = Locked<[PendingErasure]>([])
    private let generation = Atomic<UInt64>(1)
    /// The newest number, for methods that must not wait for a sender.
    private let drawn = Atomic(0)

    /// Makes an empty log.
    ///
    /// - Parameters:
    ///   - installID: The identity of the log.
    ///   - retention: How much to keep; everything by default.
    ///   - deadLetters: How many dead letters to keep.
    public init(installID: String, retention: Retention = .keepAll, deadLetters: DeadLetterLimits = .standard) {
        content = Locked(Content(log: LogGeneration(installID: installID, secret: InstallSecret.make())))
        self.retention = retention
        self.deadLetters = deadLetters
    }

    public var newest: EventRecord? { content.withLock { $0.newest } }

    /// All events, oldest first.
    public var records: [EventRecord] {
        content.withLock { content in
            guard let database = content.database else { return content.waiting }
            // An in-memory database can always be read.
            return ((try? database.read { db in try EventRow.fetch(db, clauses: "ORDER BY seq", arguments: []) }) ?? [])
                + content.waiting
        }
    }

    public var durability: Durability { .buffered }

    public func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> {
        let result: Result<Int64, EventDropped> = content.withLock { content in
            guard !content.isClosed else { return .failure(EventDropped(.closed)) }
            let base = content.log.base
            guard let filled = EventRecord(seq: content.lastSeq + 1 - base, lineCapacity: lineCapacity, fill) else {
                return .failure(EventDropped(nil))
            }
            let record = base == 0 ? filled : filled.renumbered(filled.seq + base)
            content.lastSeq = record.seq
            drawn.store(Int(record.seq), ordering: .releasing)
            content.newest = record
            if content.ids.insert(record.id).inserted {
                content.waiting.append(record)
            } else {
                content.repeated.append(record.seq)
            }
            return .success(filled.seq)
        }
        // If this fails, the event stays in memory, and the next append enforces the limit.
        if retention.hardMaximumBytes != nil { _ = try? working { _ in } }
        return result
    }

    public func recordDrop(_ reason: DropReason, at time: EventTime?) {
        content.withLock { $0.drops.append((reason, time)) }
    }

    /// Runs `body` in one transaction, after storing all earlier events and counts.
    private func working<T>(_ body: (Database) throws -> T) throws -> T {
        try content.withLock { content in
            let database = try content.database ?? makeDatabase(content.log)
            content.database = database
            let result = try database.write { db in
                try move(content, db)
                return try body(db)
            }
            content.waiting = []
            content.repeated = []
            content.drops = []
            content.log = try database.read { db in try Generations.newest(db) }
            // A consumer's copies have numbers, too.
            content.lastSeq = max(content.lastSeq, try database.read { db in try EventRow.lastSeq(db) })
            return result
        }
    }

    private func makeDatabase(_ log: LogGeneration) throws -> DatabaseQueue {
        let database = try DatabaseQueue()
        try database.writeWithoutTransaction { db in
            try DatabaseSchema.createIfEmpty(db, secret: log.secret) { log.installID }
        }
        return database
    }

    private func move(_ content: Content, _ db: Database) throws {
        guard !content.waiting.isEmpty || !content.repeated.isEmpty || !content.drops.isEmpty else { return }
        var insertion = try EventInsertion(db, after: EventRow.lastSeq(db))
        let discards = try Discards(db, rules)
        var repeated = content.repeated[...]
        for record in content.waiting {
            while let seq = repeated.first, seq < record.seq {
                try insertion.skip(seq...seq, because: .repeatedID)
                repeated.removeFirst()
            }
            let reason = record.line.withUnsafeBytes {
                discards.reason(seq: record.seq, line: $0, purpose: record.purpose)
            }
            if let reason {
                try insertion.skip(record.seq...record.seq, because: reason)
            } else {
                try insertion.insert(record)
            }
        }
        for seq in repeated { try insertion.skip(seq...seq, because: .repeatedID) }
        try insertion.finish()
        for drop in content.drops { try Ledger.add(drop.reason, at: drop.time.map { $0...$0 }, count: 1, db) }
        try Pruning.enforceHardCap(retention, db)
    }

    private static var holder: Consumers.Holder {
        Consumers.Holder(name: "memory", boot: "", now: 0, length: 0) { _ in false }
    }

    public func commit() async throws {}

    public func flushToDisk() async throws {}

    public func syncStored() async throws -> Int64 { try working { db in try EventRow.lastSeq(db) } }

    public func read(after seq: Int64, maximumCount: Int, maximumBytes: Int) async throws -> [EventRecord] {
        try readBlocking(after: seq, maximumCount: maximumCount, maximumBytes: maximumBytes)
    }

    package func readBlocking(after seq: Int64, maximumCount: Int, maximumBytes: Int) throws -> [EventRecord] {
        try working { db in try EventRow.batch(db, after: seq, count: maximumCount, bytes: maximumBytes) }
    }

    private func discard(
        _ removals: [Discards.Removal], _ db: Database, noting note: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws {
        var last: Int64? = 0
        while let start = last {
            last = try Discards.removeStored(removals, rules: rules, after: start, limit: 1000, db, noting: note)
        }
    }

    public func prune(now: EventTime) async throws {
        let present = deliveries.consumers
        try working { db in
            try Consumers.retire(at: now, but: present, db)
            try Pruning.apply(retention, now: now, db)
        }
    }

    public func statistics() async throws -> EventLogStatistics { try working { db in try EventRow.statistics(db) } }

    public func ledger() async throws -> [LedgerEntry] { try working { db in try Ledger.entries(db) } }

    public func close() async throws {
        content.withLock { $0.isClosed = true }
    }

    public func cursor(of consumer: String) async throws -> ConsumerCursor {
        try working { db in try Consumers.cursor(consumer, db) }
    }

    public func beginDelivery(to consumer: String, lasting: Duration, at now: EventTime) async throws -> DeliveryLease?
    {
        try working { db in try Consumers.lease(consumer, for: Self.holder, at: now, db) }
    }

    public func nextBatch(_ lease: DeliveryLease, through end: Int64, lasting: Duration) async throws -> EventBatch? {
        let generation = consentGeneration
        return try working { db in
            try Delivery.next(
                lease, holder: Self.holder, through: end, rules: Delivery.Rules(rules, generation: generation), db)
        }
    }

    private var rules: ConsentRules { ConsentRules(people.withLock { $0.table }) }

    public func settle(
        _ lease: DeliveryLease, batch: String, _ result: DeliveryResult, pause: DeliveryPause?
    ) async throws -> SettledBatch? {
        let former = installID
        // `working` has moved all sent events under the lock, so the next numbers are free to draw.
        let dependencies = Forks.Dependencies(draw: { _, _ in true }, installID: { UUID().uuidString })
        let settled = try working { db in
            try Delivery.settle(
                lease, batch: batch, result: result, pause: pause, letters: deadLetters, dependencies: dependencies, db)
        }
        if installID != former { generation.wrappingAdd(1, ordering: .releasing) }
        return settled
    }

    /// Events that consumers have permanently refused, oldest first; see
    /// ``SQLiteEventStore/deadLetters(after:maximumCount:)``.
    public func deadLetters(after number: Int64 = 0, maximumCount: Int = 1000) async throws -> [DeadLetter] {
        try working { db in try DeadLetters.fetch(after: number, limit: maximumCount, db) }
    }

    public func setPause(_ pause: DeliveryPause, under lease: DeliveryLease) async throws {
        try working { db in try Consumers.setPause(pause, under: lease, db) }
    }

    public func endDelivery(_ lease: DeliveryLease) async throws {
        try working { db in try Consumers.release(lease, db) }
    }

    public func acknowledge(_ cursor: ConsumerCursor, refused: ClosedRange<Int64>?) async throws {
        try working { db in try Consumers.acknowledge(cursor, refused: refused, db) }
    }

    public func rewind(_ consumer: String, to seq: Int64) async throws {
        try working { db in try Consumers.rewind(consumer, to: seq, db) }
    }

    public var consentGeneration: UInt64 { generation.load(ordering: .acquiring) }

    public func consentRecord(of subject: ConsentSubject) -> ConsentRecord? {
        people.withLock { $0.table.record(of: ConsentMirror.key(of: subject.person), for: subject.purpose) }
    }

    public func deniedPurposes(of person: ConsentPerson, among purposes: [Purpose]) -> Int? {
        people.withLock { $0.table.deniedPurposes(of: person.key, among: purposes) }
    }

    public var purposes: [Purpose] { people.withLock { $0.purposes } }

    public func addPurposes(_ purposes: [Purpose]) {
        people.withLock { people in
            people.purposes += purposes.filter { !people.purposes.contains($0) && $0 != .exempt }
        }
    }

    public func mayDeliver(_ batch: EventBatch) -> Bool { batch.mayBeDelivered(by: rules) }

    public func noteConsent(_ change: ConsentChange) -> NumberedConsentChange {
        let end = Int64(drawn.load(ordering: .acquiring))
        addPurposes(change.purposes)
        let noted = people.withLock { people in
            people.lastNumber += 1
            let made = change.records(number: people.lastNumber, purposes: people.purposes) { subject in
                people.table.record(of: ConsentMirror.key(of: subject.person), for: subject.purpose)
            }
            if let (anonymous, user) = change.linked {
                people.table.link([ConsentMirror.key(of: anonymous): ConsentMirror.key(of: user)])
            }
            for (subject, record) in made { people.table.merge(record, at: subject.key) }
            return NumberedConsentChange(change, number: people.lastNumber, end: end, records: made)
        }
        if !noted.records.isEmpty { generation.wrappingAdd(1, ordering: .releasing) }
        return noted
    }

    public func storeConsent(_ change: NumberedConsentChange) async throws {
        let removals = change.removals(change.records, through: .max, purposes: purposes, consentRecord)
        try working { db in try discard(removals, db) }
    }

    public var identity: LogIdentity? { people.withLock { $0.identity } }

    public func setIdentity(_ identity: LogIdentity) -> LogIdentity { set(identity) { _ in true } }

    public func adoptIdentity(atLeast number: Int64, _ make: () -> LogIdentity) throws -> LogIdentity {
        if let identity, identity.number >= number { return identity }
        // Another tracker may have set one meanwhile.
        return set(make()) { $0.number < number }
    }

    /// Sets an identity unless the present one stays.
    private func set(_ identity: LogIdentity, replaces isReplaced: (_ present: LogIdentity) -> Bool) -> LogIdentity {
        defer { generation.wrappingAdd(1, ordering: .releasing) }
        return people.withLock { people in
            if let present = people.identity, !isReplaced(present) { return present }
            var identity = identity
            identity.number = (people.identity?.number ?? 0) + 1
            people.identity = identity
            return identity
        }
    }

    public func identityIsStored(_ number: Int64) {}

    public func erase(_ user: String, device: String?, for sinks: [String]) async throws -> ErasureRequest {
        let key = ConsentMirror.key(of: user)
        let known = people.withLock { $0.table.keys(of: device.map { ConsentMirror.key(of: $0) } ?? 0) }
        return try erasures.withLock { pending in
            let (erasure, request) = try working { db in
                var erasure = try PendingErasure(
                    of: user, device: known.contains(key) ? device : nil, through: EventRow.lastSeq(db), for: sinks,
                    replacing: pending.filter { $0.user == user }, db)
                var people: Set<String> = []
                try discard([erasure.removal], db) { line in
                    if let user = Discards.user(of: line) { people.insert(user) }
                }
                try erasure.wasErased(people: people, db)
                return (erasure, try erasure.request(db))
            }
            pending.removeAll { $0.user == user }
            if !erasure.sinks.isEmpty { pending.append(erasure) }
            return request
        }
    }

    public func erasures(for sink: String) async throws -> [ErasureRequest] {
        let pending = erasures.withLock { $0.filter { $0.sinks.contains(sink) } }
        return try working { db in try pending.map { try $0.request(db) } }
    }

    public func settle(_ lease: DeliveryLease, erasure id: String, checkpoint: String?) async throws {
        try working { db in try Consumers.replaceCheckpoint(by: checkpoint, under: lease, db) }
        erasures.withLock { pending in
            for index in pending.indices where pending[index].id == id {
                pending[index].sinks.removeAll { $0 == lease.consumer }
            }
            pending.removeAll { $0.sinks.isEmpty }
        }
    }
}
