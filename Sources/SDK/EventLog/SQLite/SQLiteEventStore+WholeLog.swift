public import EventModel
internal import Foundation
import GRDB

// Operations on all of a log.
extension SQLiteEventStore {
    public func discardUndelivered(of userID: String) async throws {
        // Not after moving: what is in the journals is marked, and left out by whoever moves it.
        try await onQueue { worker in try worker.discardUndelivered(of: userID) }
    }

    public func prune(now: EventTime) async throws {
        let present = deliveries.consumers
        try await perform { worker in
            try worker.freeing { db, _ in try Consumers.retire(at: now, but: present, db) }
            try worker.prune(now: now)
            try worker.enforceQuota(now: now)
            try worker.shrink()
        }
    }

    /// The events that consumers have refused for good, the oldest first.
    ///
    /// - Parameters:
    ///   - number: The last one already seen; 0 from the start.
    ///   - maximumCount: At most so many.
    /// - Throws: ``EventLogError``.
    public func deadLetters(after number: Int64 = 0, maximumCount: Int = 1000) async throws -> [DeadLetter] {
        try await perform { worker in
            try worker.reading { db in try DeadLetters.fetch(after: number, limit: maximumCount, db) }
        }
    }

    /// Removes dead letters, by their numbers: they were sent again, or are not wanted any more.
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

    /// Stores recorded events in one transaction, keeping ids, times and order.
    ///
    /// An id that the log has is skipped. An event of this log's own install with a number above all that the
    /// log has seen keeps its bytes; an empty log adopts the install of the first event. Any other gets the next
    /// number here, and ``RecordedEvent/relabelled`` writes its line anew.
    ///
    /// Events may be sent meanwhile, by other processes, too; they get numbers of their own.
    ///
    /// - Throws: ``EventLogError``; then nothing of the batch is stored.
    public func replay(_ events: [RecordedEvent]) async throws -> ReplayResult {
        try await perform { worker in try worker.replay(events) }
    }
}
