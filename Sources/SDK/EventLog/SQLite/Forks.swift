internal import EventModel
internal import Foundation
import GRDB
internal import Primitives

/// Moves a consumer's undelivered events to a later install of the log: see <doc:Generations>.
enum Forks {
    /// External operations that a move needs.
    struct Dependencies {
        /// Draws `count` numbers after `from`, the last stored number.
        ///
        /// Returns false if other numbers were drawn meanwhile; the transaction must then be repeated.
        let draw: (_ from: Int64, _ count: Int64) -> Bool
        /// Generates the id of a new install.
        let installID: () -> String
    }

    /// Other numbers were drawn meanwhile. Nothing was changed.
    struct Unsettled: Error {}

    /// Copies a consumer's undelivered events of an install to the newest install, or to a new one if this is the
    /// newest. The consumer continues there. Call inside a transaction.
    ///
    /// - Parameter acknowledged: The install's numbers that count as delivered.
    /// - Throws: ``Unsettled``, or errors of the database.
    static func leave(
        _ log: LogGeneration, acknowledged: [ClosedRange<Int64>], state: inout DeliveryState,
        cursor: inout ConsumerCursor, dependencies: Dependencies, _ db: Database
    ) throws {
        let consumer = cursor.consumer
        let lastSeq = try EventRow.lastSeq(db)
        let end = log.last ?? lastSeq
        let numbers = log.base < end ? [log.base + 1...end] : []
        let kept = try Consumers.kept(consumer, db)
        let behind = max(cursor.acknowledged, 0) < end ? [max(cursor.acknowledged, 0) + 1...end] : []
        let open = NumberRanges.difference(
            NumberRanges.common(NumberRanges.union(kept.held + kept.retried + behind), numbers),
            NumberRanges.union(acknowledged))
        var count: Int64 = 0
        for range in open { count += try Copies.count(in: range, of: consumer, log, db) }
        guard dependencies.draw(lastSeq, count) else { throw Unsettled() }
        let target =
            log.last == nil
            ? try begin(after: log, base: lastSeq, dependencies.installID, db) : try Generations.newest(db)
        let moved = try copy(open, of: consumer, from: log, to: target, after: lastSeq, db)
        if !moved.isEmpty {
            try Ledger.addRange(.forked, count: count, seqs: lastSeq + 1...lastSeq + count, db)
            try db.execute(sql: "UPDATE log SET last_seq = ?", arguments: [lastSeq + count])
        }
        for range in moved {
            try Ledger.addRange(
                .forked, consumer: consumer, count: range.upperBound - range.lowerBound + 1, seqs: range, db)
        }
        // The consumer's copies under the former install were copied again.
        if log.number > 1 { try Copies.remove(numbers, of: consumer, db) }
        try Consumers.setKept(
            NumberRanges.difference(kept.held, numbers), retried: NumberRanges.difference(kept.retried, numbers),
            of: consumer, db)
        cursor.acknowledged = max(cursor.acknowledged, end)
        state.covered = max(state.covered, end)
        state.void()
        state.split = nil
    }

    /// Ends the newest install, and begins another.
    private static func begin(
        after log: LogGeneration, base: Int64, _ makeID: () -> String, _ db: Database
    ) throws -> LogGeneration {
        let drops = try Row.fetchAll(db, sql: "SELECT reason, count FROM ledger WHERE first_seq = 0 AND consumer = ''")
        let counts = try Dictionary(
            drops.map { (try $0.decode(String.self, atIndex: 0), try $0.decode(Int64.self, atIndex: 1)) },
            uniquingKeysWith: max)
        try db.execute(
            sql:
                "INSERT INTO generations (number, install_id, secret, base, is_adopted, drops) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                log.number, log.installID, log.secret, log.base, log.isAdopted,
                String(decoding: try JSONEncoder().encode(counts), as: UTF8.self),
            ])
        var installID = makeID()
        // Two installs of a log never share an id, even if the app's generator repeats itself.
        if try Generations.all(db).contains(where: { $0.installID == installID }) { installID = UUID().uuidString }
        let new = LogGeneration(
            number: log.number + 1, installID: installID, secret: InstallSecret.make(), base: base)
        try Generations.restore(new, db)
        return new
    }

    /// Copies a consumer's events to another install.
    ///
    /// - Returns: The numbers of the events that were copied.
    private static func copy(
        _ ranges: [ClosedRange<Int64>], of consumer: String, from log: LogGeneration, to target: LogGeneration,
        after lastSeq: Int64, _ db: Database
    ) throws -> [ClosedRange<Int64>] {
        var seq = lastSeq
        var moved = [Int64]()
        for range in ranges {
            let rows = try Row.fetchCursor(
                try db.cachedStatement(sql: Copies.query(log)),
                arguments: [range.lowerBound, range.upperBound, consumer])
            while let row = try rows.next() {
                let record = try EventRow.record(row)
                seq += 1
                let line = Relabelling.line(record.line, from: nil, to: target.installID, seq: seq - target.base)
                try Copies.insert(
                    EventRecord(
                        seq: seq, id: record.id, time: record.time, name: record.name, line: line ?? record.line,
                        purpose: record.purpose),
                    for: consumer, db)
                moved.append(record.seq)
            }
        }
        return NumberRanges.ranges(of: moved)
    }
}

/// Rewrites an event's line for another install.
enum Relabelling {
    /// The line with another install and number, and its original install and number as `origin`.
    ///
    /// - Parameter former: The install and the number that the line must have for its origin to be recorded; nil for
    ///   any.
    /// - Returns: nil if the line is not a container.
    static func line(_ line: [UInt8], from former: (installID: String, seq: Int64)?, to installID: String, seq: Int64)
        -> [UInt8]?
    {
        guard let container = RecordedContainer(validating: line) else { return nil }
        let isTrue = former.map { $0.installID == container.installID && $0.seq == container.seq } ?? true
        let made = container.relabelled(installID: installID, seq: seq, recordsOrigin: isTrue)
        guard made.count > EventRecord.maximumLineLength else { return made }
        // The number matters more than the origin; the id still identifies the event.
        return container.relabelled(installID: installID, seq: seq, recordsOrigin: false)
    }
}
