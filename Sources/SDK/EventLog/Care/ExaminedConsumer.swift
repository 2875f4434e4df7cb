package import EventModel
import GRDB

/// A consumer's row, and what waits for it.
package struct ExaminedConsumer: Hashable, Sendable {
    /// How far it has read.
    package let cursor: ConsumerCursor
    /// The ring of the writer that delivers to it now; nil if none does.
    package let holder: String?
    /// Stored events that it has not had.
    package let backlog: Int64
    /// The bytes of their lines.
    package let backlogBytes: Int64
    /// When the first of them was sent; nil without any.
    package let oldest: EventTime?

    init(_ row: Row, _ db: Database) throws {
        cursor = ConsumerCursor(
            consumer: try row.decode(atIndex: 0), acknowledged: try row.decode(atIndex: 1),
            checkpoint: try row.decode(atIndex: 2))
        holder = try row.decode(atIndex: 3)
        let waiting = try Row.fetchOne(
            db, sql: "SELECT count(*), ifnull(sum(length(line)), 0) FROM events WHERE seq > ?",
            arguments: [cursor.acknowledged])
        backlog = try waiting?.decode(atIndex: 0) ?? 0
        backlogBytes = try waiting?.decode(atIndex: 1) ?? 0
        oldest = try Int64.fetchOne(
            db, sql: "SELECT time FROM events WHERE seq > ? ORDER BY seq LIMIT 1", arguments: [cursor.acknowledged]
        ).map { EventTime(microseconds: $0) }
    }
}

/// What the ledger counts by one reason.
package struct ExaminedDrops: Hashable, Sendable {
    /// The reason's text; a newer version may know more than ``DropReason``.
    package let reason: String
    /// The consumer that did not get them; nil if they are in nobody's reach.
    package let consumer: String?
    /// How many.
    package let count: Int64

    init(_ row: Row) throws {
        reason = try row.decode(atIndex: 0)
        let name: String = try row.decode(atIndex: 1)
        consumer = name.isEmpty ? nil : name
        count = try row.decode(atIndex: 2)
    }
}
