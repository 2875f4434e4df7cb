package import CollectorStore
internal import EventModel
internal import GRDB
internal import Primitives

/// What has arrived, counted by event, hour and version of the app; and on which day each install's numbers were
/// announced.
///
/// Reads the store by receipt, in the background, at most once per second, so that no request waits for it.
/// Counts and position are committed together: each batch is counted once, also after a crash. A lost or damaged
/// database is counted again from the batches that the store still has.
///
/// Thread-safe.
package final class ArrivalStatistics: Sendable {
    /// How long counts are kept.
    package static let days = 90
    /// The default of `maximumTexts`.
    package static let maximumTexts = 20_000
    /// The longest name in bytes; longer ones are truncated.
    static let maximumTextLength = 200
    /// The name that counts what has no name of its own.
    package static let otherName = "(other)"

    let store: BatchStore
    let pool: DatabasePool
    private let path: String
    private let interval: Duration
    private let planned: @Sendable () -> Set<String>
    private let blocking: Blocking
    private let report: @Sendable (String) -> Void
    private let state: Locked<State>
    /// Held while batches are counted.
    private let counting: Locked<Texts>

    /// Runs a closure on a thread that may block.
    package typealias Blocking = @Sendable (@escaping @Sendable () -> Void) async -> Void

    private struct State {
        /// The day up to which old counts were removed.
        var cleanedDay: Int64 = 0
        /// The highest attempt of batches that were sent more than once, by receipt, until it is stored.
        var attempts: [Int64: Int] = [:]
        /// The names of the keys with which batches were sent, by receipt, until they are counted.
        var keys: [Int64: String] = [:]
        var hasFailed = false
    }

    /// Opens the database, and replaces one that cannot be used. Does not count yet.
    ///
    /// - Parameters:
    ///   - interval: The time between a change and the count of it.
    ///   - maximumTexts: The number of different names that are not of the plan: of events, schemas and rules together,
    ///     and of apps. Further ones are counted as ``otherName``, and apps under the name of their key, because clients
    ///     can send any number of names. A name expires after 7 days.
    ///   - planned: Returns the names and the references of the plan's events, which are always counted.
    ///   - report: Receives the first of consecutive errors of ``run()``, with advice.
    /// - Throws: ``StoreError`` with `cannotOpen`.
    package init(
        path: String, _ store: BatchStore, interval: Duration = .seconds(1), maximumTexts: Int = maximumTexts,
        planned: @escaping @Sendable () -> Set<String>, blocking: @escaping Blocking,
        report: @escaping @Sendable (String) -> Void
    ) throws {
        self.path = path
        self.store = store
        self.interval = interval
        self.planned = planned
        self.blocking = blocking
        self.report = report
        do {
            pool = try StatisticsDatabase.open(
                path, collector: "\(store.collectorID)", lastReceipt: store.lastReceipt())
        } catch {
            throw StoreError(
                .cannotOpen, "cannot open \(path): \(error); check its owner and the free space, or remove it",
                underlyingError: error)
        }
        state = Locked(State())
        counting = Locked(Texts(maximum: maximumTexts))
    }

    /// Counts batches until the task is cancelled or the store is closed.
    package func run() async {
        var seen: UInt64 = 0
        while !Task.isCancelled, !store.changes.isClosed {
            seen = await store.changes.next(after: seen)
            guard await ContinuousClock().sleepUnlessCancelled(for: interval) else { return }
            await blocking { self.countAndReport() }
        }
    }

    private func countAndReport() {
        do {
            try count()
            state.withLock { $0.hasFailed = false }
        } catch {
            let isFirst = state.withLock { state in
                defer { state.hasFailed = true }
                return !state.hasFailed
            }
            guard isFirst else { return }
            report(
                "cannot count arrivals in \(path): \(error); events are stored as before; if this persists, stop "
                    + "the collector and remove the file: the collector counts again")
        }
    }

    /// Counts all batches that are stored. May block for the disk: call it from a thread that may block.
    ///
    /// - Throws: `StoreError`, `DatabaseError`. Batches that were counted before the error stay counted.
    package func count() throws {
        try counting.withLock { texts in
            texts.planned = planned()
            var receipt = try pool.read { try Int64.fetchOne($0, sql: "SELECT receipt FROM meta") ?? 0 }
            while true {
                let (batches, next) = try store.facts(after: receipt)
                let (attempts, keys) = state.withLock { state in
                    (state.attempts, batches.map { state.keys[$0.receipt] })
                }
                guard next > receipt || !attempts.isEmpty else { return }
                do {
                    try pool.write { db in
                        var tally = ArrivalTally(texts: texts)
                        for (batch, key) in zip(batches, keys) { try tally.add(batch, key: key, db) }
                        try tally.write(db)
                        for (receipt, attempt) in attempts {
                            try db.execute(
                                sql: "UPDATE deliveries SET attempts = max(attempts, ?) WHERE receipt = ?",
                                arguments: [attempt, receipt])
                        }
                        texts = tally.texts
                        if let newest = batches.last?.receivedAt.microseconds { try removeOld(at: newest, &texts, db) }
                        try db.execute(sql: "UPDATE meta SET receipt = ?", arguments: [next])
                    }
                } catch {
                    texts.forget()  // some may have been rolled back
                    throw error
                }
                state.withLock { state in
                    for batch in batches { state.keys[batch.receipt] = nil }
                    for (receipt, attempt) in attempts where state.attempts[receipt] == attempt && receipt <= next {
                        state.attempts[receipt] = nil
                    }
                }
                guard next > receipt else { return }
                receipt = next
            }
        }
    }

    /// Notes the name of the key with which a batch was sent: apps beyond the limit are counted under it.
    package func note(key: String, of receipt: Int64) {
        state.withLock { state in
            if state.keys.count < 100_000 { state.keys[receipt] = key }
        }
    }

    /// Notes that a batch was sent more than once.
    ///
    /// - Parameter attempt: The number of the attempt, from 1, as the client states it.
    package func note(attempt: Int, of receipt: Int64) {
        guard attempt > 1 else { return }
        let isFirst = state.withLock { state in
            guard state.attempts.count < 100_000 else { return false }
            let isFirst = state.attempts.isEmpty
            state.attempts[receipt] = max(state.attempts[receipt] ?? 0, min(attempt, 1_000_000))
            return isFirst
        }
        // A batch that is answered again changes nothing in the store.
        if isFirst { store.changes.announce() }
    }

    /// Removes what is older than ``days``, once for each day on which batches were received.
    ///
    /// - Parameter now: In microseconds since 1970.
    private func removeOld(at now: Int64, _ texts: inout Texts, _ db: Database) throws {
        let today = now / microsecondsPerDay
        guard state.withLock({ $0.cleanedDay }) != today else { return }
        let day = today - Int64(Self.days)
        try db.execute(sql: "DELETE FROM arrivals WHERE hour < ?", arguments: [day * 24])
        try db.execute(sql: "DELETE FROM spans WHERE day < ?", arguments: [day])
        // By receipts, which are in the order of these times, so that no index of times is needed. A later time is of a
        // clock that was wrong.
        let kept = try Int64.fetchOne(
            db, sql: "SELECT receipt FROM deliveries WHERE received BETWEEN ? AND ? ORDER BY receipt LIMIT 1",
            arguments: [day * microsecondsPerDay, now])
        try db.execute(sql: "DELETE FROM deliveries WHERE receipt < ?", arguments: [kept ?? .max])
        try texts.expire(on: today, db)
        state.withLock { $0.cleanedDay = today }
    }

    /// Reads counts together with how far batches are counted.
    ///
    /// What `body` reads from the store is at least as new as the counts.
    ///
    /// - Throws: `StoreError`, `DatabaseError`, errors of `body`.
    func reading<Value>(_ body: (Database) throws -> Value) throws -> Counted<Value> {
        try pool.read { db in
            // The first statement decides which commits the following ones see.
            let counted = try Int64.fetchOne(db, sql: "SELECT receipt FROM meta") ?? 0
            let value = try body(db)
            return Counted(value: value, counted: counted, stored: max(counted, try store.newestReceipt()))
        }
    }
}

/// Counts of all batches up to a receipt.
package struct Counted<Value> {
    package let value: Value
    /// The receipt up to which batches are counted.
    package let counted: Int64
    /// The newest receipt.
    package let stored: Int64
}

extension Counted: Sendable where Value: Sendable {}

let microsecondsPerMinute: Int64 = 60_000_000
let microsecondsPerHour = 60 * microsecondsPerMinute
let microsecondsPerDay = 24 * microsecondsPerHour

/// What happened to a received line.
enum ArrivalOutcome: Int {
    case accepted, unvalidated, rejected
}
