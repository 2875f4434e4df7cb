import GRDB

/// Rows of the table `consumers`.
enum Consumers {
    /// A consumer's cursor; the first call registers it.
    static func cursor(_ consumer: String, _ db: Database) throws -> ConsumerCursor {
        try db.execute(
            sql: "INSERT INTO consumers (name, acknowledged) VALUES (?, 0) ON CONFLICT DO NOTHING",
            arguments: [consumer])
        let row = try Row.fetchOne(
            db, sql: "SELECT acknowledged, checkpoint FROM consumers WHERE name = ?", arguments: [consumer])
        return ConsumerCursor(
            consumer: consumer, acknowledged: try row?.decode(forColumn: "acknowledged") ?? 0,
            checkpoint: try row?.decode(forColumn: "checkpoint"))
    }

    static func acknowledge(_ cursor: ConsumerCursor, refused: ClosedRange<Int64>?, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO consumers (name, acknowledged, checkpoint) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET
                    acknowledged = max(acknowledged, excluded.acknowledged), checkpoint = excluded.checkpoint
                """,
            arguments: [cursor.consumer, cursor.acknowledged, cursor.checkpoint])
        if let refused { try Ledger.addStored(.refused, consumer: cursor.consumer, seqs: refused, db) }
    }

    static func rewind(_ consumer: String, to seq: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE consumers SET acknowledged = min(acknowledged, ?), checkpoint = NULL WHERE name = ?",
            arguments: [seq, consumer])
    }

    static func release(_ consumer: String, holder: String, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE consumers SET holder = NULL WHERE name = ? AND holder = ?", arguments: [consumer, holder])
    }

    static func cursors(_ db: Database) throws -> [ConsumerCursor] {
        try Row.fetchAll(db, sql: "SELECT name, acknowledged, checkpoint FROM consumers ORDER BY name").map {
            ConsumerCursor(consumer: $0[0], acknowledged: $0[1], checkpoint: $0[2])
        }
    }
}
