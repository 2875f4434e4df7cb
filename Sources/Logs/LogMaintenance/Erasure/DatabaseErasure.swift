internal import EventLog
internal import EventModel
internal import Foundation

/// Takes a user's events out of one log: its rows, its journals, its write-ahead log and its free pages.
struct DatabaseErasure {
    let path: String
    private let rule: ErasureRule

    init(_ path: String, _ rule: ErasureRule) {
        self.path = path
        self.rule = rule
    }

    /// - Throws: ``LogMaintenanceError``, `busy`, if a process has the log open.
    func refuseIfOpen() throws {
        let journals = try JournalExamination(database: path, after: 0)
        guard let process = journals?.rings.first(where: \.isAlive)?.process else { return }
        throw LogMaintenanceError(
            .busy,
            "process \(process) has \(path) open: close the app, and run this again; nothing was changed")
    }

    /// Looks what would go. Works beside a writer.
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
            // Only then: a reader leaves files beside a log that nobody has open.
            if FileFacts(JournalExamination.folder(of: path)) != nil {
                try EventLogReader(path: path).forEach(after: last, withStamps: false) { event in
                    location.count(rule.fate(of: event.line), event.seq, bytes: event.line.count)
                    return true
                }
            }
        } catch {
            location.issue = (error as? EventLogError)?.message ?? "it cannot be read to its end"
        }
        return location
    }

    /// Opens the log, alone, moves what killed processes have left in its journals and overwrites those, and removes
    /// the user's events.
    ///
    /// - Returns: What went, and the log, still open: nobody who opens it now delivers to its files.
    /// - Throws: ``/EventLog/EventLogError``; ``LogMaintenanceError``, `busy`. Run again, it goes on.
    func erase() async throws -> (location: ErasedLocation, log: OpenedLog) {
        let ended = EndedJournals(of: path)
        let log = try await OpenedLog(path)
        do {
            try ended.overwrite()
            let erased = try await log.store.erase(where: rule.erases)
            guard try await log.store.compact() else { throw Self.busy(path) }
            // What is left: mentions.
            var location = examine()
            (location.removed, location.bytes) = (erased.events, erased.bytes)
            return (location, log)
        } catch {
            try? await log.close()  // the error that counts is the first
            throw error
        }
    }

    static func busy(_ path: String) -> LogMaintenanceError {
        LogMaintenanceError(.busy, "another process has opened \(path) meanwhile: close the app, and run this again")
    }
}

/// A log that is open for its care, with the deliveries to its files in hand: an app that opens it now writes no file.
struct OpenedLog {
    let path: String
    let store: SQLiteEventStore
    private var leases: [DeliveryLease] = []
    /// Nobody else can open the log meanwhile.
    private static let longestErasure = Duration.seconds(86_400)

    /// Opens a log, alone.
    ///
    /// - Throws: ``/EventLog/EventLogError``: `inUse` if a process has it open; ``LogMaintenanceError``, `busy`.
    init(_ path: String) async throws {
        self.path = path
        // The app is closed: only another program's reader can be in the way, and to name it is better than to wait.
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
                try? await store.close()  // the error that counts is the one below
                throw DatabaseErasure.busy(path)
            }
            leases.append(lease)
        }
    }

    /// Gives everything back.
    func close() async throws {
        for lease in leases { try await store.endDelivery(lease) }
        try await store.close()
    }
}
