package import EventModel
internal import Foundation
package import GRDB

/// Rows of the table `dead_letters`, inserted in the transaction that counts the refused event.
package enum DeadLetters {
    private static let columns = "number, consumer, install_id, seq, time, attempts, reason, place, line"

    /// Why an event was refused.
    struct Refusal {
        let reason: String
        let location: String?
    }

    /// Stores the lines of refused events, and removes the oldest past the limits.
    ///
    /// - Parameters:
    ///   - refusals: The refusals by log number.
    ///   - time: The current time; nil to use the time of each event.
    static func add(
        _ refusals: [Int64: Refusal], of consumer: String, in log: LogGeneration, attempts: Int, at time: EventTime?,
        within limits: DeadLetterLimits, _ db: Database
    ) throws {
        guard !refusals.isEmpty else { return }
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO dead_letters (consumer, install_id, seq, time, attempts, reason, place, line, purpose)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for (seq, refusal) in refusals.sorted(by: { $0.key < $1.key }) {
            guard let record = try Copies.records(in: seq...seq, of: consumer, log, db).first else { continue }
            try insert.execute(arguments: [
                consumer, log.installID, seq - log.base, (time ?? record.time).microseconds, attempts, refusal.reason,
                refusal.location, Data(record.line), record.purpose.column,
            ])
        }
        try enforce(limits, db)
    }

    private static func enforce(_ limits: DeadLetterLimits, _ db: Database) throws {
        // Newest first, while both limits hold.
        let last = try Int64.fetchOne(
            db,
            sql: """
                SELECT max(number) FROM (
                    SELECT number, row_number() OVER newest AS count, sum(length(line)) OVER newest AS bytes
                    FROM dead_letters WINDOW newest AS (ORDER BY number DESC))
                WHERE count > ? OR bytes > ?
                """, arguments: [max(limits.maximumCount, 0), max(limits.maximumBytes, 0)])
        guard let last else { return }
        try db.execute(sql: "DELETE FROM dead_letters WHERE number <= ?", arguments: [last])
        try db.execute(
            sql: "UPDATE log SET evicted_letters = max(evicted_letters, 0) + ?", arguments: [db.changesCount])
    }

    /// Reads the dead letters after a number, oldest first.
    static func fetch(after number: Int64, limit: Int, _ db: Database) throws -> [DeadLetter] {
        try Row.fetchAll(
            db, sql: "SELECT \(columns) FROM dead_letters WHERE number > ? ORDER BY number LIMIT ?",
            arguments: [number, limit]
        ).map(letter)
    }

    private static func letter(_ row: Row) throws -> DeadLetter {
        do {
            return DeadLetter(
                number: try row.decode(atIndex: 0), consumer: try row.decode(atIndex: 1),
                installID: try row.decode(atIndex: 2), seq: try row.decode(atIndex: 3),
                time: EventTime(microseconds: try row.decode(atIndex: 4)), attempts: try row.decode(atIndex: 5),
                reason: try row.decode(atIndex: 6), location: try row.decode(atIndex: 7),
                line: [UInt8](try row.decode(Data.self, atIndex: 8)))
        } catch { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row of dead_letters is damaged") }
    }

    /// Removes dead letters that were resent.
    static func remove(_ numbers: [Int64], _ db: Database) throws {
        for number in numbers {
            try db.execute(sql: "DELETE FROM dead_letters WHERE number = ?", arguments: [number])
        }
    }

    /// Removes dead letters that are older than the retention of events.
    static func prune(olderThan age: Duration, now: EventTime, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM dead_letters WHERE time < ?",
            arguments: [now.advanced(by: .zero - age).microseconds])
    }

    /// Removes the dead letters whose line matches `isErased`.
    ///
    /// - Returns: How many were removed, and the bytes of their lines.
    @discardableResult
    package static func remove(
        where isErased: (UnsafeRawBufferPointer, Purpose) -> Bool, _ db: Database
    ) throws -> (count: Int64, bytes: Int64) {
        var found: [Int64] = []
        var bytes: Int64 = 0
        let rows = try Row.fetchCursor(db, sql: "SELECT number, line, purpose FROM dead_letters")
        while let row = try rows.next() {
            let purpose = Purpose(column: try row.decode(atIndex: 2))
            let size = try row.withUnsafeData(atIndex: 1) { line -> Int? in
                guard let line else { return nil }
                return line.withUnsafeBytes { isErased($0, purpose) } ? line.count : nil
            }
            guard let size else { continue }
            found.append(try row.decode(atIndex: 0))
            bytes += Int64(size)
        }
        try Overwriting.overwrite(found, in: .deadLetters, db)
        try Overwriting.whileDeleting(db) { try remove(found, db) }
        return (Int64(found.count), bytes)
    }
}
