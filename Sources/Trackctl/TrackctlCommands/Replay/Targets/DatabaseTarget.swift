internal import CommandSupport
internal import EventLog
internal import EventModel
internal import Foundation
internal import LogReplay
internal import Tracking

/// An event log that takes replayed events, each batch in a transaction.
struct DatabaseTarget: ReplaySink {
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

    func deliver(_ batch: ReplayBatch) async throws -> SinkAnswer {
        let events = batch.recorded.isEmpty ? try Self.changed(batch) : batch.recorded
        return .delivered(try await store.replay(events))
    }

    /// Lines that were changed on their way are read again.
    private static func changed(_ batch: ReplayBatch) throws -> [RecordedEvent] {
        try (0..<batch.count).map { index in
            do { return try RecordedContainer(line: Array(batch.line(index))).recordedEvent } catch {
                throw CommandFailure(.dataAtFault, "after its changes a line holds no event (\(error)): check --set")
            }
        }
    }

    func checkpoint() async throws -> Int64 {
        try await store.flushToDisk()
        return 0
    }

    func finish() async throws {
        try await store.flushToDisk()
        try await store.close()
    }

    func abandon(isResumable: Bool) async {
        try? await store.close()  // lost: the mark that we are done; the next writer sees that our process has ended
    }
}
