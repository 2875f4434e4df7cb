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
    /// The longest name in bytes; longer ones are truncated.
    static let maximumTextLength = 200
    /// The name that counts what has no name of its own.
    package static let otherName = "(other)"

    let store: BatchStore
    let pool: DatabasePool
    private let path: String
    private let interval: Duration
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
        var hasFailed = false
    }

    /// Opens the database, and replaces one that cannot be used. Does not count yet.
    ///
    /// - Parameters:
    ///   - interval: The time between a change and the count of it.
    ///   - maximumTexts: The number of different names of events, schemas, apps and rules. Further ones are counted as
    ///     ``otherName``, because clients can send any number of names.
    ///   - report: Receives the first of consecutive errors of ``run()``, with advice.
    /// - Throws: ``StoreError`` with `cannotOpen`.
    package init(
        path: String, _ store: BatchStore, interval: Duration = .seconds(1), maximumTexts: Int = 20_000,
        blocking: @escaping Blocking, report: @escaping @Sendable (String) -> Void
    ) throws {
        self.path = path
        self.store = store
        self.interval = interval
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
            var receipt = try pool.read { try Int64.fetchOne($0, sql: "SELECT receipt FROM meta") ?? 0 }
            while true {
                let (batches, next) = try store.facts(after: receipt)
                let attempts = state.withLock { $0.attempts }
                guard next > receipt || !attempts.isEmpty else { return }
                do {
                    try pool.write { db in
                        var tally = ArrivalTally(texts: texts)
                        for batch in batches { try tally.add(batch, db) }
                        try tally.write(db)
                        for (receipt, attempt) in attempts {
                            try db.execute(
                                sql: "UPDATE deliveries SET attempts = max(attempts, ?) WHERE receipt = ?",
                                arguments: [attempt, receipt])
                        }
                        if let newest = batches.last?.receivedAt.microseconds { try removeOld(at: newest, db) }
                        try db.execute(sql: "UPDATE meta SET receipt = ?", arguments: [next])
                        texts = tally.texts
                    }
                } catch {
                    texts.forget()  // some may have been rolled back
                    throw error
                }
                state.withLock { state in
                    for (receipt, attempt) in attempts where state.attempts[receipt] == attempt && receipt <= next {
                        state.attempts[receipt] = nil
                    }
                }
                guard next > receipt else { return }
                receipt = next
            }
        }
    }

    /// Notes that a batch was sent more than once.
    ///
    /// - Parameter attempt: The number of the attempt, from 1, as the client states it.
    package func note(attempt: Int, of receipt: Int64) {
        guard attempt > 1 else { return }
        state.withLock { state in
            guard state.attempts.count < 100_000 else { return }
            state.attempts[receipt] = max(state.attempts[receipt] ?? 0, min(attempt, 1_000_000))
        }
    }

    /// Removes what is older than ``days``, once for each day on which batches were received.
    ///
    /// - Parameter now: In microseconds since 1970.
    private func removeOld(at now: Int64, _ db: Database) throws {
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

/// The ids of texts in the database.
struct Texts: Sendable {
    private let maximum: Int
    private var ids: [String: Int64] = [:]
    private var isFull = false

    init(maximum: Int) { self.maximum = maximum }

    /// Clears the cache.
    mutating func forget() {
        ids = [:]
        isFull = false
    }

    /// The id of a text; of ``ArrivalStatistics/otherName`` if there are too many.
    mutating func id(_ text: String, _ db: Database) throws -> Int64 {
        let text = Self.limited(text)
        if let id = ids[text] { return id }
        if let id = try Self.stored(text, db) {
            ids[text] = id
            return id
        }
        if !isFull {
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM texts") ?? 0
            isFull = count >= maximum
        }
        if isFull, text != ArrivalStatistics.otherName { return try id(ArrivalStatistics.otherName, db) }
        try db.execute(sql: "INSERT INTO texts (text) VALUES (CAST(? AS TEXT))", arguments: [ExactText(text)])
        ids[text] = db.lastInsertedRowID
        return db.lastInsertedRowID
    }

    static func stored(_ text: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            try db.cachedStatement(sql: "SELECT id FROM texts WHERE text = CAST(? AS TEXT)"),
            arguments: [ExactText(limited(text))])
    }

    private static func limited(_ text: String) -> String {
        guard text.utf8.count > ArrivalStatistics.maximumTextLength else { return text }
        // A truncated character becomes a replacement character.
        return String(decoding: text.utf8.prefix(ArrivalStatistics.maximumTextLength - 3), as: UTF8.self) + "…"
    }
}

/// What happened to a received line.
enum ArrivalOutcome: Int {
    case accepted, unvalidated, rejected
}
