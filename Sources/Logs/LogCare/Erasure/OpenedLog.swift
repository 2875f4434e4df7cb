internal import EventLog
internal import EventModel
internal import Foundation

/// A log that is open for its care, with the deliveries to its files in hand: an app that opens it now writes no file.
struct OpenedLog {
    let path: String
    let store: SQLiteEventStore
    private let consumers: [String]

    /// Opens a log, alone.
    ///
    /// - Throws: ``EventLogError``: `inUse` if a process has it open; ``LogCareError``, `busy`.
    init(_ path: String) async throws {
        self.path = path
        var options = SQLiteEventStore.Options(
            installID: { UUID().uuidString }, retention: .keepAll, maximumPendingBytes: 256 << 10)
        options.isExclusive = true
        store = try SQLiteEventStore(path: path, options: options)
        let names = try DatabaseExamination(path: path).consumers().map(\.cursor.consumer)
        consumers = names.filter { SinkSeries.name(ofConsumer: $0) != nil }
        for consumer in consumers {
            guard try await store.beginDelivery(to: consumer) != nil else {
                try? await store.close()  // the error that counts is the one below
                throw DatabaseErasure.busy(path)
            }
        }
    }

    /// Gives everything back.
    func close() async throws {
        for consumer in consumers { try await store.endDelivery(to: consumer) }
        try await store.close()
    }
}
