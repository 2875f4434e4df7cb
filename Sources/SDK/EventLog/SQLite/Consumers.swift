internal import EventModel
import GRDB
internal import Primitives

/// Rows of the tables `consumers` and `kept`: numbers below a consumer's cursor that it has not received.
enum Consumers {
    /// On how many days of the log's use a consumer can stay unused by all environments before it is retired.
    private static let longestSilence = 30
    /// In microseconds.
    private static let day: Int64 = 86_400_000_000

    /// A consumer's cursor; the first call registers the consumer.
    static func cursor(_ consumer: String, _ db: Database) throws -> ConsumerCursor {
        let row = try Row.fetchOne(
            db, sql: "SELECT acknowledged, checkpoint FROM consumers WHERE name = ?", arguments: [consumer])
        if let row {
            return ConsumerCursor(
                consumer: consumer, acknowledged: try row.decode(atIndex: 0), checkpoint: try row.decode(atIndex: 1))
        }
        var state = DeliveryState()
        // Events that were pruned before cannot be part of its batches.
        let first = try Int64.fetchOne(db, sql: "SELECT min(seq) FROM events")
        state.covered = try first.map { $0 - 1 } ?? EventRow.lastSeq(db)
        try db.execute(
            sql: "INSERT INTO consumers (name, acknowledged, state) VALUES (?, 0, ?)",
            arguments: [consumer, try state.text()])
        return ConsumerCursor(consumer: consumer)
    }

    static func acknowledge(_ cursor: ConsumerCursor, refused: ClosedRange<Int64>?, _ db: Database) throws {
        let former = try self.cursor(cursor.consumer, db)
        var state = try state(of: cursor.consumer, db)
        if let batch = state.batch, !batch.isLate, batch.first <= cursor.acknowledged { state.void() }
        state.covered = max(state.covered, cursor.acknowledged)
        var moved = cursor
        moved.acknowledged = max(former.acknowledged, cursor.acknowledged)
        try store(moved, state: state, db)
        if let refused { try Ledger.addStored(.refused, consumer: cursor.consumer, seqs: refused, db) }
    }

    static func rewind(_ consumer: String, to seq: Int64, _ db: Database) throws {
        var cursor = try cursor(consumer, db)
        var state = try state(of: consumer, db)
        state.void()
        state.split = nil
        state.covered = min(state.covered, seq)
        cursor.acknowledged = min(cursor.acknowledged, seq)
        cursor.checkpoint = nil
        try store(cursor, state: state, db)
        // Events above the new cursor are delivered in order.
        let kept = try kept(consumer, db)
        try setKept(
            NumberRanges.common(kept.held, [.min...seq]), retried: NumberRanges.common(kept.retried, [.min...seq]),
            of: consumer, db)
    }

    static func cursors(_ db: Database) throws -> [ConsumerCursor] {
        try Row.fetchAll(db, sql: "SELECT name, acknowledged, checkpoint FROM consumers ORDER BY name").map {
            ConsumerCursor(consumer: $0[0], acknowledged: $0[1], checkpoint: $0[2])
        }
    }

    /// A consumer's progress. Does not register the consumer.
    ///
    /// - Parameter pending: The highest number in the journals.
    static func account(
        of consumer: String, pending: Int64, _ generations: [LogGeneration], _ db: Database
    ) throws -> ConsumerAccount {
        let cursors = try cursors(db)
        let settled = try EventRow.lastSeq(db)
        var covered: Int64 = 0
        var held: [ClosedRange<Int64>] = []
        var undelivered: [ClosedRange<Int64>] = [1...EventRecord.highestSeq]
        let cursor = cursors.first { $0.consumer == consumer }
        if let cursor {
            covered = try state(of: consumer, db).covered
            held = try kept(consumer, db).held
            undelivered = NumberRanges.union(try self.undelivered(to: cursor, db))
        }
        return ConsumerAccount(
            consumers: cursors.map(\.consumer), isRegistered: cursor != nil, covered: covered,
            undelivered: undelivered, held: held, settled: settled, highest: max(settled, pending),
            generations: generations)
    }

    /// A writer that can hold a consumer's lease.
    struct Holder {
        let name: String
        let boot: String
        /// Seconds since the system booted.
        let now: UInt64
        /// The length of a lease in seconds.
        let length: UInt64
        /// Whether another holder is alive. A wrong answer can cause a repeated delivery under the same id.
        let isAlive: (String) -> Bool

        var lease: DeliveryState.Lease { DeliveryState.Lease(boot: boot, until: now &+ length) }
    }

    /// Leases a consumer to a holder, unless another holder has it.
    static func lease(_ consumer: String, for holder: Holder, at now: EventTime, _ db: Database) throws
        -> DeliveryLease?
    {
        let cursor = try cursor(consumer, db)
        var state = try state(of: consumer, db)
        let former = try String.fetchOne(db, sql: "SELECT holder FROM consumers WHERE name = ?", arguments: [consumer])
        if let former, former != holder.name, let lease = state.lease, lease.boot == holder.boot,
            lease.until > holder.now, holder.isAlive(former)
        {
            return nil
        }
        state.token += 1
        let series = state.series ?? SealedBatch.newID()
        state.series = series
        state.lease = holder.lease
        state.namedAt = now.microseconds
        state.silentDays = nil
        try store(cursor, state: state, db)
        try db.execute(sql: "UPDATE consumers SET holder = ? WHERE name = ?", arguments: [holder.name, consumer])
        return DeliveryLease(
            consumer: consumer, token: state.token, series: series, cursor: cursor, pause: state.pause,
            failures: state.failures, halt: state.halt, halts: state.halts ?? 0)
    }

    /// Replaces the pause of a consumer.
    static func setPause(_ pause: DeliveryPause, under lease: DeliveryLease, _ db: Database) throws {
        var state = try state(of: lease.consumer, db)
        guard state.token == lease.token else { return }
        state.pause = pause
        try store(try cursor(lease.consumer, db), state: state, db)
    }

    /// Ends a lease, unless a newer lease exists.
    static func release(_ lease: DeliveryLease, _ db: Database) throws {
        var state = try state(of: lease.consumer, db)
        guard state.token == lease.token else { return }
        state.lease = nil
        try store(try cursor(lease.consumer, db), state: state, db)
        try db.execute(sql: "UPDATE consumers SET holder = NULL WHERE name = ?", arguments: [lease.consumer])
    }

    /// Replaces the checkpoint of a consumer's last delivery.
    ///
    /// - Returns: Whether the lease is the newest one.
    @discardableResult
    static func replaceCheckpoint(by checkpoint: String?, under lease: DeliveryLease, _ db: Database) throws -> Bool {
        var cursor = try cursor(lease.consumer, db)
        let state = try state(of: lease.consumer, db)
        guard state.token == lease.token else { return false }
        cursor.checkpoint = checkpoint
        try store(cursor, state: state, db)
        return true
    }

    /// Retires each consumer that no environment has used on 30 days on which the log was used, so that a wrong clock
    /// retires none: moves its cursor to the end of the log, so that
    /// its events can be pruned, and counts the undelivered ones as ``DropReason/retired``. If the consumer is used
    /// again, it continues from there.
    ///
    /// - Parameter present: The consumers of this process.
    static func retire(at now: EventTime, but present: [String], _ db: Database) throws {
        let lastSeq = try EventRow.lastSeq(db)
        for var cursor in try cursors(db) {
            var state = try state(of: cursor.consumer, db)
            if present.contains(cursor.consumer) {
                // Once a day is enough, and saves writes.
                guard abs(now.microseconds - (state.namedAt ?? 0)) > day else { continue }
                state.namedAt = now.microseconds
                state.silentDays = nil
                try store(cursor, state: state, db)
                continue
            }
            guard let namedAt = state.namedAt, namedAt <= now.microseconds else {
                // Its use was never noted, or while the clock was ahead.
                state.namedAt = now.microseconds
                try store(cursor, state: state, db)
                continue
            }
            guard now.microseconds - namedAt >= day else { continue }
            state.namedAt = now.microseconds
            let days = (state.silentDays ?? 0) + 1
            state.silentDays = days
            guard days >= longestSilence else {
                try store(cursor, state: state, db)
                continue
            }
            let undelivered = NumberRanges.common(try undelivered(to: cursor, db), [.min...lastSeq])
            guard !undelivered.isEmpty else { continue }
            for seqs in undelivered {
                try Ledger.addStored(.retired, consumer: cursor.consumer, seqs: seqs, db)
            }
            try Copies.discard(undelivered, of: cursor.consumer, because: .retired, db)
            try setKept([], retried: [], of: cursor.consumer, db)
            state.void()
            state.split = nil
            state.covered = max(state.covered, lastSeq)
            cursor.acknowledged = max(cursor.acknowledged, lastSeq)
            try store(cursor, state: state, db)
        }
    }

    static func state(of consumer: String, _ db: Database) throws -> DeliveryState {
        DeliveryState(
            try String.fetchOne(db, sql: "SELECT state FROM consumers WHERE name = ?", arguments: [consumer]))
    }

    static func store(_ cursor: ConsumerCursor, state: DeliveryState, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE consumers SET acknowledged = ?, checkpoint = ?, state = ? WHERE name = ?",
            arguments: [cursor.acknowledged, cursor.checkpoint, try state.text(), cursor.consumer])
    }

    /// The numbers below the cursor that a consumer has not received.
    static func kept(_ consumer: String, _ db: Database) throws -> (
        held: [ClosedRange<Int64>], retried: [ClosedRange<Int64>]
    ) {
        var kept: (held: [ClosedRange<Int64>], retried: [ClosedRange<Int64>]) = ([], [])
        let rows = try Row.fetchCursor(
            db, sql: "SELECT first_seq, last_seq, is_retried FROM kept WHERE consumer = ? ORDER BY first_seq",
            arguments: [consumer])
        while let row = try rows.next() {
            let first: Int64 = try row.decode(atIndex: 0)
            let last: Int64 = try row.decode(atIndex: 1)
            guard first <= last else { continue }
            if try row.decode(Bool.self, atIndex: 2) {
                kept.retried.append(first...last)
            } else {
                kept.held.append(first...last)
            }
        }
        return kept
    }

    /// Replaces the numbers below the cursor that a consumer has not received.
    static func setKept(
        _ held: [ClosedRange<Int64>], retried: [ClosedRange<Int64>], of consumer: String, _ db: Database
    ) throws {
        let former = try kept(consumer, db)
        guard former.held != held || former.retried != retried else { return }
        // Writes only the changes, because there may be many ranges.
        for (old, new, isRetried) in [(former.held, held, false), (former.retried, retried, true)] {
            let before = Set(old)
            let after = Set(new)
            for range in before.subtracting(after) {
                try db.execute(
                    sql: "DELETE FROM kept WHERE consumer = ? AND first_seq = ?",
                    arguments: [consumer, range.lowerBound])
            }
            for range in after.subtracting(before) {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO kept (consumer, first_seq, last_seq, is_retried) VALUES (?, ?, ?, ?)",
                    arguments: [consumer, range.lowerBound, range.upperBound, isRetried])
            }
        }
        try noteFirstKept(db)
    }

    /// Deletes kept numbers whose events were removed.
    static func forgetKept(through seq: Int64, _ db: Database) throws {
        guard let first = try Int64.fetchOne(db, sql: "SELECT min(first_seq) FROM kept"), first <= seq else { return }
        try db.execute(sql: "DELETE FROM kept WHERE last_seq <= ?", arguments: [seq])
        try db.execute(sql: "UPDATE kept SET first_seq = ?1 + 1 WHERE first_seq <= ?1", arguments: [seq])
        try noteFirstKept(db)
    }

    private static func noteFirstKept(_ db: Database) throws {
        try db.execute(
            sql: "UPDATE consumers SET kept_from = (SELECT min(first_seq) FROM kept WHERE consumer = consumers.name)")
    }

    /// The numbers that at least one consumer has not received, up to the highest possible number.
    static func undelivered(_ db: Database) throws -> [ClosedRange<Int64>] {
        let cursors = try cursors(db)
        // Without consumers, nothing was delivered yet.
        guard !cursors.isEmpty else { return [1...EventRecord.highestSeq] }
        return NumberRanges.union(try cursors.flatMap { try undelivered(to: $0, db) })
    }

    private static func undelivered(to cursor: ConsumerCursor, _ db: Database) throws -> [ClosedRange<Int64>] {
        let kept = try kept(cursor.consumer, db)
        return kept.held + kept.retried
            + (cursor.acknowledged < EventRecord.highestSeq
                ? [max(cursor.acknowledged, 0) + 1...EventRecord.highestSeq] : [])
    }
}
