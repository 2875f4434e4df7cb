public import EventModel

/// A log that stands before another one: whatever it does not do itself, the other does.
public protocol ForwardingEventStore: EventStore {
    /// The log behind it.
    var next: any EventStore { get }
}

extension ForwardingEventStore {
    public var installID: String { next.installID }
    public var newest: EventRecord? { next.newest }
    public var durability: Durability { next.durability }

    public func recordDrop(_ reason: DropReason) { next.recordDrop(reason) }
    public func commit() async throws { try await next.commit() }
    public func flushToDisk() async throws { try await next.flushToDisk() }
    public func cursor(of consumer: String) async throws -> ConsumerCursor { try await next.cursor(of: consumer) }

    public func beginDelivery(to consumer: String) async throws -> ConsumerCursor? {
        try await next.beginDelivery(to: consumer)
    }

    public func endDelivery(to consumer: String) async throws { try await next.endDelivery(to: consumer) }

    public func read(after seq: Int64, maximumCount: Int, maximumBytes: Int) async throws -> [EventRecord] {
        try await next.read(after: seq, maximumCount: maximumCount, maximumBytes: maximumBytes)
    }

    public func acknowledge(_ cursor: ConsumerCursor, refused: ClosedRange<Int64>?) async throws {
        try await next.acknowledge(cursor, refused: refused)
    }

    public func rewind(_ consumer: String, to seq: Int64) async throws { try await next.rewind(consumer, to: seq) }
    public func discardUndelivered() async throws { try await next.discardUndelivered() }
    public func prune(now: EventTime) async throws { try await next.prune(now: now) }
    public func statistics() async throws -> EventLogStatistics { try await next.statistics() }
    public func ledger() async throws -> [LedgerEntry] { try await next.ledger() }
    public func close() async throws { try await next.close() }
}
