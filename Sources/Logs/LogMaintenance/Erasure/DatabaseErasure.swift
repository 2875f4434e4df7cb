internal import EventLog
internal import EventModel
internal import Foundation

/// Erases a user's events from a log: rows, journals, write-ahead log and free pages.
struct DatabaseErasure {
    let path: String
    private let rule: ErasureRule

    init(_ path: String, _ rule: ErasureRule) {
        self.path = path
        self.rule = rule
    }

    /// - Throws: ``LogMaintenanceError``, `busy`, if a process has the log open.
    func checkNotOpen() throws {
        let journals = try JournalExamination(database: path, after: 0)
        guard let process = journals?.rings.first(where: \.isAlive)?.process else { return }
        throw LogMaintenanceError(
            .busy,
            "\(path) is open in process \(process): close the app, and run this again; nothing was changed")
    }

    /// Reports what would be erased. Other processes may write to the log at the same time.
    func examine() -> ErasedLocation {
        var location = ErasedLocation(path, isDatabase: true)
        do {
            let database = try DatabaseExamination(path: path)
            var last: Int64 = 0
            try database.forEachRecord(after: .min) { seq, record in
                record?.borrowed { location.count(rule.fate(of: $0.line), seq, bytes: $0.line.count) }
                last = max(seq, 0)
                return true
            }
            // Read journals last: a reader creates files next to a log that is not open.
            if FileFacts(JournalExamination.folder(of: path)) != nil {
                try EventLogReader(path: path).forEach(after: last, withStamps: false) { event in
                    location.count(rule.fate(of: event.line), event.seq, bytes: event.line.count)
                    return true
                }
            }
        } catch {
            location.issue = (error as? EventLogError)?.message ?? "cannot be read to the end"
        }
        return location
    }

    /// Opens the log exclusively, moves events of killed processes from the journals and overwrites those, and erases
    /// the user's events.
    ///
    /// - Returns: The result, and the log, which stays open and keeps other processes from delivering to its files.
    /// - Throws: ``/EventLog/EventLogError``; ``LogMaintenanceError``, `busy`. Run it again to continue.
    func erase() async throws -> (location: ErasedLocation, log: OpenedLog) {
        let ended = EndedJournals(of: path)
        let log = try await OpenedLog(path)
        do {
            try ended.overwrite()
            let erased = try await log.store.erase(where: rule.erases)
            guard try await log.store.compact() else { throw Self.busy(path) }
            // Only mentions remain.
            var location = examine()
            location.removed = erased.events
            location.bytes = erased.bytes
            return (location, log)
        } catch {
            try? await log.close()  // loses only the error of closing: the first error counts
            throw error
        }
    }

    static func busy(_ path: String) -> LogMaintenanceError {
        LogMaintenanceError(.busy, "another process has opened \(path): close the app, and run this again")
    }
}

/// A log that is open for maintenance. Holds the leases of its file sinks, so that no app writes their files.
struct OpenedLog {
    let path: String
    let store: SQLiteEventStore
    private var leases: [DeliveryLease] = []
    /// The leases outlast any erasure, since no other process can open the log meanwhile.
    private static let longestErasure = Duration.seconds(86_400)

    /// Opens a log exclusively.
    ///
    /// - Throws: ``/EventLog/EventLogError``: `inUse` if a process has the log open; ``LogMaintenanceError``, `busy`.
    init(_ path: String) async throws {
        self.path = path
        // The app is closed. Fail early if another program reads the log, instead of waiting for it.
        var options = SQLiteEventStore.Options(
            installID: { UUID().uuidString }, retention: .keepAll, maximumPendingBytes: 256 << 10,
            busyTimeout: .seconds(2))
        options.isExclusive = true
        store = try SQLiteEventStore(path: path, options: options)
        let names = try DatabaseExamination(path: path).consumers().map(\.cursor.consumer)
        let consumers = names.filter { SinkSeries.name(ofConsumer: $0) != nil }
        let now = EventTime(seconds: Int64(Date().timeIntervalSince1970))
        for consumer in consumers {
            guard let lease = try await store.beginDelivery(to: consumer, lasting: Self.longestErasure, at: now) else {
                try? await store.close()  // loses only the error of closing: the one below counts
                throw DatabaseErasure.busy(path)
            }
            leases.append(lease)
        }
    }

    /// Ends the leases and closes the log.
    func close() async throws {
        for lease in leases { try await store.endDelivery(lease) }
        try await store.close()
    }
}
