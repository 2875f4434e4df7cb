public import EventModel

/// A log that wraps another log, and forwards every call that it does not implement itself.
public protocol ForwardingEventStore: EventStore {
    /// The wrapped log.
    var next: any EventStore { get }
}

extension ForwardingEventStore {
    public var installID: String { next.installID }
    public var newest: EventRecord? { next.newest }
    public var durability: Durability { next.durability }
    /// The background time of the wrapped log.
    public var backgroundTime: any BackgroundTime { next.backgroundTime }

    public func recordDrop(_ reason: DropReason, at time: EventTime?) { next.recordDrop(reason, at: time) }
    public func commit() async throws { try await next.commit() }
    public func flushToDisk() async throws { try await next.flushToDisk() }
    public func cursor(of consumer: String) async throws -> ConsumerCursor { try await next.cursor(of: consumer) }

    public func beginDelivery(to consumer: String, lasting: Duration, at now: EventTime) async throws -> DeliveryLease?
    {
        try await next.beginDelivery(to: consumer, lasting: lasting, at: now)
    }

    public func nextBatch(_ lease: DeliveryLease, through end: Int64, lasting: Duration) async throws -> EventBatch? {
        try await next.nextBatch(lease, through: end, lasting: lasting)
    }

    public func settle(
        _ lease: DeliveryLease, batch: String, _ result: DeliveryResult, pause: DeliveryPause?
    ) async throws -> SettledBatch? {
        try await next.settle(lease, batch: batch, result, pause: pause)
    }

    public func setPause(_ pause: DeliveryPause, under lease: DeliveryLease) async throws {
        try await next.setPause(pause, under: lease)
    }

    public func endDelivery(_ lease: DeliveryLease) async throws { try await next.endDelivery(lease) }
    public var deliveries: DeliveryRegistry { next.deliveries }

    public var consentGeneration: UInt64 { next.consentGeneration }
    public func consentRecord(of subject: ConsentSubject) -> ConsentRecord? { next.consentRecord(of: subject) }
    public func deniedPurposes(of person: ConsentPerson, among purposes: [Purpose]) -> Int? {
        next.deniedPurposes(of: person, among: purposes)
    }

    public var purposes: [Purpose] { next.purposes }
    public func addPurposes(_ purposes: [Purpose]) { next.addPurposes(purposes) }
    public func mayDeliver(_ batch: EventBatch) -> Bool { next.mayDeliver(batch) }
    public func noteConsent(_ change: ConsentChange) -> NumberedConsentChange { next.noteConsent(change) }
    public func storeConsent(_ change: NumberedConsentChange) async throws { try await next.storeConsent(change) }
    public var identity: LogIdentity? { next.identity }
    public func setIdentity(_ identity: LogIdentity) -> LogIdentity { next.setIdentity(identity) }

    public func adoptIdentity(atLeast number: Int64, _ make: () -> LogIdentity) throws -> LogIdentity {
        try next.adoptIdentity(atLeast: number, make)
    }

    public func identityIsStored(_ number: Int64) { next.identityIsStored(number) }

    public func read(after seq: Int64, maximumCount: Int, maximumBytes: Int) async throws -> [EventRecord] {
        try await next.read(after: seq, maximumCount: maximumCount, maximumBytes: maximumBytes)
    }

    public func acknowledge(_ cursor: ConsumerCursor, refused: ClosedRange<Int64>?) async throws {
        try await next.acknowledge(cursor, refused: refused)
    }

    public func rewind(_ consumer: String, to seq: Int64) async throws { try await next.rewind(consumer, to: seq) }
    public func erase(_ user: String, device: String?, for sinks: [String]) async throws -> ErasureRequest {
        try await next.erase(user, device: device, for: sinks)
    }

    public func erasures(for sink: String) async throws -> [ErasureRequest] { try await next.erasures(for: sink) }

    public func settle(_ lease: DeliveryLease, erasure id: String, checkpoint: String?) async throws {
        try await next.settle(lease, erasure: id, checkpoint: checkpoint)
    }

    public func syncStored() async throws -> Int64 { try await next.syncStored() }
    public func prune(now: EventTime) async throws { try await next.prune(now: now) }
    public func statistics() async throws -> EventLogStatistics { try await next.statistics() }
    public func ledger() async throws -> [LedgerEntry] { try await next.ledger() }
    public func close() async throws { try await next.close() }
}
