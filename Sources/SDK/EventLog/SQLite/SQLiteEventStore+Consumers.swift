internal import Dispatch
public import EventModel
internal import Primitives

// Delivery and consent.
extension SQLiteEventStore {
    public func cursor(of consumer: String) async throws -> ConsumerCursor {
        try await perform { worker in try worker.freeing { db, _ in try Consumers.cursor(consumer, db) } }
    }

    public func beginDelivery(to consumer: String, lasting: Duration, at now: EventTime) async throws -> DeliveryLease?
    {
        try await perform { worker in
            try worker.freeing { db, _ in try Consumers.lease(consumer, for: worker.holder(for: lasting), at: now, db) }
        }
    }

    public func nextBatch(_ lease: DeliveryLease, through end: Int64, lasting: Duration) async throws -> EventBatch? {
        try await onQueue { worker in
            // Sync the batch before it is delivered, so that a power failure never puts an event into a second batch.
            try worker.freeing(isSynced: true) { db, _ in
                try Delivery.next(
                    lease, holder: worker.holder(for: lasting), through: end, rules: worker.deliveryRules(), db)
            }
        }
    }

    public func settle(
        _ lease: DeliveryLease, batch: String, _ result: DeliveryResult, pause: DeliveryPause?
    ) async throws -> SettledBatch? {
        try await onQueue { worker in
            try worker.settle(lease, batch: batch, result, pause: pause)
        }
    }

    public func setPause(_ pause: DeliveryPause, under lease: DeliveryLease) async throws {
        try await onQueue { worker in try worker.freeing { db, _ in try Consumers.setPause(pause, under: lease, db) } }
    }

    public func endDelivery(_ lease: DeliveryLease) async throws {
        try await onQueue { worker in try worker.freeing { db, _ in try Consumers.release(lease, db) } }
    }

    public func read(after seq: Int64, maximumCount: Int, maximumBytes: Int) async throws -> [EventRecord] {
        try await perform { worker in
            try worker.reading { db in try EventRow.batch(db, after: seq, count: maximumCount, bytes: maximumBytes) }
        }
    }

    public func acknowledge(_ cursor: ConsumerCursor, refused: ClosedRange<Int64>?) async throws {
        try await perform { worker in
            try worker.freeing { db, _ in try Consumers.acknowledge(cursor, refused: refused, db) }
        }
    }

    public func rewind(_ consumer: String, to seq: Int64) async throws {
        try await perform { worker in try worker.freeing { db, _ in try Consumers.rewind(consumer, to: seq, db) } }
    }
}

extension SQLiteEventStore {
    public var consentGeneration: UInt64 {
        // Both start at a random number.
        consents.mirror.generation.load() &+ writer.installChanges.load(ordering: .acquiring)
    }

    public func consentRecord(of subject: ConsentSubject) -> ConsentRecord? { consents.record(of: subject) }

    public var purposes: [Purpose] { consents.purposes }

    public func addPurposes(_ purposes: [Purpose]) { consents.addPurposes(purposes) }

    public func mayDeliver(_ batch: EventBatch) -> Bool { batch.mayBeDelivered(by: ConsentRules(consents)) }

    public func noteConsent(_ change: ConsentChange) -> NumberedConsentChange { consents.note(change) }

    public func deniedPurposes(of person: ConsentPerson, among purposes: [Purpose]) -> Int? {
        consents.deniedPurposes(of: person.key, among: purposes)
    }

    public func storeConsent(_ change: NumberedConsentChange) async throws { try await storeConsents([change]) }

    public func storeConsents(_ changes: [NumberedConsentChange]) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Task {
                do { try await storeConsents(changes) { continuation.resume(with: $0) } } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    public func storeConsents(
        _ changes: [NumberedConsentChange], whenRemoved: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) async throws {
        var isRemoving = false
        // Does not move events first: a marker makes the next mover discard those in the journals.
        for start in stride(from: 0, to: changes.count, by: Self.changesPerTransaction) {
            let some = Array(changes[start..<min(start + Self.changesPerTransaction, changes.count)])
            if try await onQueue({ try $0.storeConsents(some) }) { isRemoving = true }
        }
        try await sync()
        guard isRemoving else { return whenRemoved(.success(())) }
        try await onQueue { worker in
            // Another operation may have begun the pass.
            guard worker.hasRemovals else { return whenRemoved(.success(())) }
            worker.removing.add(whenRemoved)
            self.run(worker.removing) { try $0.eraseTraces() }
        }
    }

    /// Returns when all commits so far are on the disk. Shares a sync with other callers, and with deliveries.
    private func sync() async throws {
        let assertion = backgroundTime.begin("Storing answers") {}
        defer { assertion?.end() }
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                worker.syncing.add { continuation.resume(with: $0) }
                run(worker.syncing) { try $0.freeing(isSynced: true) { _, _ in } }
            }
        }
    }

    /// Few enough for the reserve of a full disk.
    private static let changesPerTransaction = 100

    public var identity: LogIdentity? { consents.identities.newest }

    public func setIdentity(_ identity: LogIdentity) -> LogIdentity { consents.setIdentity(identity) }

    public func adoptIdentity(atLeast number: Int64, _ make: () -> LogIdentity) throws -> LogIdentity {
        try refuseForkedChild()
        let assertion = backgroundTime.begin("Adopting the event log's identity") {}
        defer { assertion?.end() }
        return try queue.sync { try worker.adoptIdentity(atLeast: number, make) }
    }

    public func identityIsStored(_ number: Int64) { consents.identities.stored.raise(to: UInt64(max(number, 0))) }
}
