internal import EventLog
internal import Foundation
internal import Tracking

/// An event log that takes replayed events, each batch in a transaction.
struct DatabaseTarget: ReplayTarget {
    private let store: SQLiteEventStore

    /// Opens a log, or makes one.
    ///
    /// - Throws: `EventLogError`.
    init(path: String) throws {
        store = try SQLiteEventStore(
            path: path,
            options: SQLiteEventStore.Options(
                installID: { UUID().uuidString.lowercased() }, retention: .keepAll,
                // Nothing is sent here: replayed events go straight into the database.
                maximumPendingBytes: 0))
    }

    func store(_ batch: [RecordedContainer]) async throws -> ReplayResult {
        try await store.replay(batch.map(\.recordedEvent))
    }

    func finish() async throws {
        try await store.flushToDisk()
        try await store.close()
    }

    func abandon() async {
        try? await store.close()  // lost: the mark that we are done; the next writer sees that our process has ended
    }

    var adviceAfterFailure: String { "run the same command again for the rest: what is stored is skipped" }
}
