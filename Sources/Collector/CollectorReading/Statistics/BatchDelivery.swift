internal import CollectorStore
package import EventModel
internal import GRDB

/// How a batch was delivered.
package struct BatchDelivery: Equatable, Sendable {
    package let receipt: Int64
    package let receivedAt: EventTime
    /// The client's send time; nil if it sent none.
    package let sentAt: EventTime?
    /// The numbers that the batch covers; nil for an import.
    package let seqs: ClosedRange<Int64>?
    /// The time of the oldest and of the newest event; nil without accepted lines.
    package let events: ClosedRange<EventTime>?
    /// The number of accepted lines.
    package let lines: Int
    /// The highest number of an attempt, from 1. A client that repeats a batch has not received the answer.
    package let attempts: Int
}

extension ArrivalStatistics {
    /// The newest batches of an install, newest first; empty for an unknown install.
    ///
    /// May block for the disk: call it from a thread that may block.
    ///
    /// - Throws: `DatabaseError`.
    package func deliveries(of installID: String, limit: Int) throws -> [BatchDelivery] {
        try pool.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT receipt, received, sent, first, last, oldest, newest, lines, attempts FROM deliveries
                    WHERE install = (SELECT id FROM installs WHERE install = CAST(? AS TEXT))
                    ORDER BY receipt DESC LIMIT ?
                    """, arguments: [ExactText(installID), limit]
            ).map { row in
                func range(_ index: Int) -> ClosedRange<Int64>? {
                    guard let first: Int64 = row[index], let last: Int64 = row[index + 1] else { return nil }
                    return first...last
                }
                return BatchDelivery(
                    receipt: row[0], receivedAt: .init(microseconds: row[1]),
                    sentAt: (row[2] as Int64?).map { .init(microseconds: $0) }, seqs: range(3),
                    events: range(5).map {
                        EventTime(microseconds: $0.lowerBound)...EventTime(microseconds: $0.upperBound)
                    }, lines: row[7], attempts: row[8])
            }
        }
    }
}
