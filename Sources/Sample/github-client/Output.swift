import CommandSupport
import EventLog
import Foundation
import GitHubClient
import Primitives
import TrackingCore

/// Where a run writes to: the event log, and the JSON lines that are flushed from it.
struct Output {
    let database: String
    let lines: String
    let store: ResumingEventStore
    let flusher: EventFlusher
    let diagnostics: @Sendable (TrackingDiagnostic) -> Void
    private let sink: any Sink
    private let collector: (any Sink)?
    private let delay = LastDelay()

    /// - Parameter collector: Gets the same events as the file.
    init(directory: String, collector: (any Sink)?, crash: CrashPlan, complaints: Complaints) throws {
        let folder = try OutputFolder(path: directory)
        (database, lines) = (folder.database, folder.lines)
        let ids = SeededTrackingIDs(seed: "github-client install")
        var options = SQLiteEventStore.Options(installID: { ids.uuid() }, retention: .keepAll)
        options.isExclusive = true  // an event of somebody else in between would be a difference to the run before
        let log = try SQLiteEventStore(path: database, options: options)
        let store = try ResumingEventStore(log)
        self.store = store
        let fileSink = JSONLinesFileSink(directory: directory, fileName: "events", rotation: .never)
        sink = crash.wrap(fileSink)
        self.collector = collector
        let diagnostics: @Sendable (TrackingDiagnostic) -> Void = { [delay] diagnostic in
            switch diagnostic {
            case .sinkDelayed, .log, .storage: delay.set(diagnostic.message)
            // What follows the first difference is dropped for that alone, and the run ends with one message about it.
            case .dropped(_, .closed) where store.difference(isComplete: false) != nil: break
            case .sinkRewound, .sinkRefused, .sinkHalted, .dropped, .outOfLimits, .notEncodable:
                complaints.say(named(diagnostic.message))
            }
        }
        self.diagnostics = diagnostics
        flusher = try EventFlusher(
            log: store, sinks: [sink] + (collector.map { [$0] } ?? []), policy: FlushPolicy(eventCount: 500),
            clock: SystemTrackingClock(), timer: ContinuousClock(), diagnostics: diagnostics)
    }

    /// Stops a run whose events are not those that the folder holds.
    func checkResumption(isComplete: Bool) throws {
        guard let seq = store.difference(isComplete: isComplete) else { return }
        throw CommandFailure(
            .dataError,
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
        var delivered = statistics.lastSeq
        if let collector { delivered = try await store.cursor(of: collector.name).acknowledged }
        try await store.close()
        guard delivered == statistics.lastSeq else {
            throw CommandFailure(
                .unavailable,
                """
                events \(delivered + 1) to \(statistics.lastSeq) are in \(database) but not at the collector: \
                \(delay.reason ?? "it did not accept them"). Run this again to go on
                """)
        }
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
    private let text = Locked<String?>(nil)
    var reason: String? { text.withLock { $0 } }
    func set(_ reason: String) { text.withLock { $0 = reason } }
}

/// The folder that a run writes to.
struct OutputFolder {
    /// Its path.
    let path: String
    private let url: URL

    /// Makes the folder if it isn't there.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    init(path: String) throws {
        do {
            // What users typed is nobody else's.
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(
                .inputOutput,
                "the folder \(path) cannot be made: check that you may write there (\(error.localizedDescription))")
        }
        self.path = path
        url = URL(fileURLWithPath: path, isDirectory: true)
    }

    /// The event log.
    var database: String { file("events.sqlite") }
    /// The events as JSON lines.
    var lines: String { file("events.jsonl") }
    /// Who uses the app.
    var identity: String { file("identity.json") }

    private func file(_ name: String) -> String { URL(fileURLWithPath: name, relativeTo: url).path }
}

/// The recording that a run makes of its session.
struct SessionRecording {
    let recorder: ActionRecorder
    private let path: String

    /// Starts one; nil if none is wanted.
    ///
    /// - Throws: ``/TrackingCore/RecordingError``.
    init?(path: String?) throws {
        guard let path else { return nil }
        self.path = path
        recorder = try ActionRecorder(path: path, app: "GitHubClient 1.0")
    }

    /// Ends the recording.
    ///
    /// - Returns: Why it is not complete; nil if it is, or if it is full, which is only said.
    func close() -> CommandFailure? {
        defer { recorder.close() }
        switch recorder.status {
        case .recording, .closed: return nil
        case .full:
            complain("\(path) is full: the recording ends before the session does")
            return nil
        case .failed(let reason):
            return CommandFailure(.inputOutput, "\(path) is not complete (\(reason)): free some space and try again")
        }
    }
}
