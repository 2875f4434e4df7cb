internal import Foundation
import GRDB

/// Reads a log file beside the instance that writes it, without changing it.
///
/// Events are read in batches, each in a short transaction of its own, so a slow reader neither holds much in
/// memory nor keeps the write-ahead log from being recycled. Safe from any thread.
public final class EventLogReader: Sendable {
    private let path: String
    private let database: DatabaseQueue

    /// Opens an existing log.
    ///
    /// - Throws: ``EventLogError``: `notFound`, `cannotOpen`, `notAnEventLog`, `newerVersion`, `corrupt`, `io`.
    public init(path: String) throws {
        self.path = path
        guard FileManager.default.fileExists(atPath: path) else {
            throw EventLogError(.notFound, "there is no file \(path): check the path")
        }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in try DatabaseSchema.check(db, path: path) }
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
            try database.read { db in
                guard try db.tableExists("events") else {
                    throw EventLogError(.notAnEventLog, "\(path) holds no events: it is an empty database")
                }
            }
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }

    /// The events after a number, oldest first; at least one if there is any.
    ///
    /// - Throws: ``EventLogError``: `corrupt`, `io`.
    public func read(after seq: Int64, maximumCount: Int = 1000, maximumBytes: Int = 1 << 20) throws -> [EventRecord] {
        try reading { db in try EventRow.batch(db, after: seq, count: maximumCount, bytes: maximumBytes) }
    }

    /// What is in the log.
    public func statistics() throws -> EventLogStatistics { try reading(EventRow.statistics) }

    /// What was lost on purpose, by reason and consumer.
    public func ledger() throws -> [LedgerEntry] { try reading(Ledger.entries) }

    /// Every consumer's cursor, by name.
    public func cursors() throws -> [ConsumerCursor] {
        try reading(Consumers.cursors)
    }

    private func reading<T>(_ body: (Database) throws -> T) throws -> T {
        do {
            return try database.read(body)
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }
}
