public import EventModel
internal import Foundation
import GRDB

// Operations on the whole log.
extension SQLiteEventStore {
    public func prune(now: EventTime) async throws {
        let present = deliveries.consumers
        try await perform { worker in
            try worker.freeing { db, _ in try Consumers.retire(at: now, but: present, db) }
            try worker.prune(now: now)
            try worker.enforceQuota(now: now)
            _ = try worker.erasures(for: "")
            try worker.shrink()
        }
    }

    /// Events that consumers have permanently refused, oldest first.
    ///
    /// - Parameters:
    ///   - number: The number of the last dead letter that you have already seen; 0 for all.
    ///   - maximumCount: The maximum number of dead letters to return.
    /// - Throws: ``EventLogError``.
    public func deadLetters(after number: Int64 = 0, maximumCount: Int = 1000) async throws -> [DeadLetter] {
        try await perform { worker in
            try worker.reading { db in try DeadLetters.fetch(after: number, limit: maximumCount, db) }
        }
    }

    /// Removes dead letters by their numbers, for example after you have resent them.
    ///
    /// - Throws: ``EventLogError``.
    public func removeDeadLetters(_ numbers: [Int64]) async throws {
        try await perform { worker in try worker.freeing { db, _ in try DeadLetters.remove(numbers, db) } }
    }

    public func statistics() async throws -> EventLogStatistics {
        try await perform { worker in try worker.reading { db in try EventRow.statistics(db) } }
    }

    public func ledger() async throws -> [LedgerEntry] {
        try await perform { worker in try worker.reading { db in try Ledger.entries(db) } }
    }

    /// Stores recorded events in one transaction, and keeps their ids, times and order.
    ///
    /// Skips events whose ids are already in the log. Keeps the bytes of an event if it belongs to this log's install
    /// and its number is higher than all numbers in the log. An empty log adopts the install of the first event. Every
    /// other event gets the next number of this log, and ``/EventModel/RecordedEvent/relabelled`` rewrites its line.
    ///
    /// This and other processes can send events at the same time.
    ///
    /// - Throws: ``EventLogError``; then no event of the batch is stored.
    public func replay(_ events: [RecordedEvent]) async throws -> ReplayResult {
        try await perform { worker in try worker.replay(events) }
    }
}
