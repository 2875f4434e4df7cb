import CommandSupport
import EventLog
import EventModel
import Foundation
import GitHubClient
import Synchronization
import Tracking

/// Where a run writes to: the event log, and the JSON lines that are flushed from it.
struct Output {
    let database: String
    let lines: String
    let store: ResumingEventStore
    let flusher: EventFlusher
    let diagnostics: @Sendable (TrackingDiagnostic) -> Void
    private let sink: any Sink
    private let delay = LastDelay()

    init(directory: String, crash: CrashPlan) throws {
        let folder = try OutputFolder(path: directory)
        (database, lines) = (folder.database, folder.lines)
        let ids = SeededTrackingIDs(seed: "github-client install")
        var options = SQLiteEventStore.Options(installID: { ids.uuid() }, retention: .keepAll)
        options.isExclusive = true  // an event of somebody else in between would be a difference to the run before
        let log = try SQLiteEventStore(path: database, options: options)
        store = try ResumingEventStore(log)
        let fileSink = JSONLinesFileSink(directory: directory, fileName: "events", rotation: .never)
        sink = crash.wrap(fileSink)
        let diagnostics: @Sendable (TrackingDiagnostic) -> Void = { [delay] diagnostic in
            switch diagnostic {
            case .sinkDelayed, .log, .storage: delay.set(diagnostic.message)
            case .sinkRewound, .sinkRefused, .dropped, .outOfLimits: complain(diagnostic.message)
            }
        }
        self.diagnostics = diagnostics
        flusher = EventFlusher(
            log: store, sinks: [sink], policy: FlushPolicy(eventCount: 500),
            clock: SystemTrackingClock(), timer: ContinuousClock(), diagnostics: diagnostics)
    }

    /// Stops a run whose events are not those that the folder holds.
    func checkResumption(isComplete: Bool) throws {
        guard let seq = store.difference(isComplete: isComplete) else { return }
        throw CommandFailure(
            .dataAtFault,
            """
            event \(seq) differs from the one stored in \(database): the folder holds another input's run; name \
            another folder with --out, or remove this one. Nothing in it was changed
            """)
    }

    /// Does what a run needs before it starts; if that fails, nothing of the run is left open.
    func closing<Result>(_ body: () throws -> Result) async throws -> Result {
        do { return try body() } catch {
            try await store.close()
            throw error
        }
    }

    /// Delivers everything and closes the log.
    func finish(isComplete: Bool) async throws -> EventLogStatistics {
        try checkResumption(isComplete: isComplete)
        try await store.commit()
        await flusher.flush()
        let statistics = try await store.statistics()
        let cursor = try await store.cursor(of: sink.name)
        try await store.close()
        guard cursor.acknowledged == statistics.lastSeq else {
            throw CommandFailure(
                .inputOutput,
                """
                events \(cursor.acknowledged + 1) to \(statistics.lastSeq) are in \(database) but not in \(lines): \
                \(delay.reason ?? "the file could not be written"). Run this again to go on
                """)
        }
        return statistics
    }
}

/// What kept the flusher from delivering, last.
private final class LastDelay: Sendable {
    private let text = Mutex<String?>(nil)
    var reason: String? { text.withLock { $0 } }
    func set(_ reason: String) { text.withLock { $0 = reason } }
}
