import CommandSupport
import EventLog
import EventModel
import Foundation
import GitHubClient
import Synchronization
import Tracking

/// Where a person's events go: the environment of an app that is used, on the parts that an app has.
struct BrowserOutput {
    let environment: TrackingEnvironment<GitHubRoute>
    private let store: SQLiteEventStore
    private let notes: Notes

    /// Opens the log.
    ///
    /// - Throws: ``EventLogError``; ``CommandFailure``, `dataAtFault`, for an identity that cannot be read.
    init(folder: OutputFolder) throws {
        let notes = Notes()
        self.notes = notes
        let ids = RandomTrackingIDs()
        let storage: FileKeyValueStorage
        do {
            storage = try FileKeyValueStorage(path: folder.identity)
        } catch {
            throw CommandFailure(
                .dataAtFault, "\(folder.identity) cannot be read: remove it to start as another user")
        }
        store = try SQLiteEventStore(path: folder.database, options: .init(installID: { ids.uuid() }))
        environment = .live(
            log: store, storage: storage, clock: SystemTrackingClock(), timer: ContinuousClock(), ids: ids,
            sinks: [JSONLinesFileSink(directory: folder.path, fileName: "events", rotation: .never)],
            context: TrackingContext(app: "GitHubClient 1.0", os: nil),
            diagnostics: { notes.add($0.message) })
    }

    /// Delivers everything, closes the log, and says what went wrong while the screen had no place for it.
    ///
    /// - Throws: ``EventLogError``.
    func finish() async throws {
        await environment.tracking.flush()
        for note in notes.all { complain(note) }
        try await store.close()
    }
}

/// What is to be said at the end, each once.
private final class Notes: Sendable {
    /// More than a person reads.
    private static let limit = 20

    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) {
        texts.withLock { if $0.count < Self.limit, !$0.contains(text) { $0.append(text) } }
    }
}
