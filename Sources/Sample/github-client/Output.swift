import CommandSupport
import EventLog
import Foundation
import GitHubClient
import Primitives
import TrackingCore

/// The output of a run: the event log, and the JSON lines delivered from it.
struct Output {
    let database: String
    let lines: String
    let store: ResumingEventStore
    let flusher: EventFlusher
    let diagnostics: @Sendable (TrackingDiagnostic) -> Void
    private let sink: any Sink
    private let collector: (any Sink)?
    private let delay = LastDelay()

    /// - Parameter collector: Receives the same events as the file.
    init(directory: String, collector: (any Sink)?, crash: CrashPlan, complaints: Complaints) throws {
        let folder = try OutputFolder(path: directory)
        database = folder.database
        lines = folder.lines
        let ids = SeededTrackingIDs(seed: "github-client install")
        var options = SQLiteEventStore.Options(installID: { ids.uuid() }, retention: .keepAll)
        options.isExclusive = true  // another process's event would differ from the previous run
        let log = try SQLiteEventStore(path: database, options: options)
        let store = try ResumingEventStore(log)
        self.store = store
        let fileSink = JSONLinesFileSink(directory: directory, fileName: "events", rotation: .never)
        sink = crash.wrap(fileSink)
        self.collector = collector
        let diagnostics: @Sendable (TrackingDiagnostic) -> Void = { [delay] diagnostic in
            switch diagnostic {
            case .sinkDelayed, .log, .storage: delay.set(diagnostic.message)
            // The events after the first difference are dropped because of it; the run ends with one message about it.
            case .dropped(_, .closed) where store.difference(isComplete: false) != nil: break
            case .sinkRewound, .sinkRefused, .sinkHalted, .dropped, .droppedRepeatedly, .outOfLimits, .notEncodable,
                .userRejected, .switches:
                complaints.say(named(diagnostic.message))
            }
        }
        self.diagnostics = diagnostics
        flusher = try EventFlusher(
            log: store, sinks: [sink] + (collector.map { [$0] } ?? []), policy: FlushPolicy(eventCount: 500),
            clock: SystemTrackingClock(), timer: ContinuousClock(), diagnostics: diagnostics)
    }

    /// Stops the run if its events differ from those in the folder.
    func checkResumption(isComplete: Bool) throws {
        guard let seq = store.difference(isComplete: isComplete) else { return }
        throw CommandFailure(
            .dataError,
            """
            event \(seq) differs from the event stored in \(database): the folder holds a run with other input; pass \
            another folder with --out, or remove this one; nothing was changed
            """)
    }

    /// Runs the preparations of a run; if they fail, closes the log.
    func closing<Result>(_ body: () throws -> Result) async throws -> Result {
        do { return try body() } catch {
            try await store.close()
            throw error
        }
    }

    /// Delivers all events and closes the log.
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
                \(delay.reason ?? "it did not accept them"); run this again to continue
                """)
        }
        guard cursor.acknowledged == statistics.lastSeq else {
            throw CommandFailure(
                .inputOutput,
                """
                events \(cursor.acknowledged + 1) to \(statistics.lastSeq) are in \(database) but not in \(lines): \
                \(delay.reason ?? "the file could not be written"); run this again to continue
                """)
        }
        return statistics
    }
}

/// The last reason for which the flusher could not deliver.
private final class LastDelay: Sendable {
    private let text = Locked<String?>(nil)
    var reason: String? { text.withLock { $0 } }
    func set(_ reason: String) { text.withLock { $0 = reason } }
}

struct OutputFolder {
    let path: String
    private let url: URL

    /// Creates the folder if it does not exist.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    init(path: String) throws {
        do {
            // Users' search terms are private.
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(
                .inputOutput,
                "cannot create folder \(path): \(error.localizedDescription); check that you may write there")
        }
        self.path = path
        url = URL(fileURLWithPath: path, isDirectory: true)
    }

    var database: String { file("events.sqlite") }
    /// The events as JSON lines.
    var lines: String { file("events.jsonl") }
    var identity: String { file("identity.json") }

    private func file(_ name: String) -> String { URL(fileURLWithPath: name, relativeTo: url).path }
}

struct SessionRecording {
    let recorder: ActionRecorder
    private let path: String

    /// Starts a recording; nil without a path.
    ///
    /// - Throws: ``/TrackingCore/RecordingError``.
    init?(path: String?) throws {
        guard let path else { return nil }
        self.path = path
        recorder = try ActionRecorder(path: path, app: "GitHubClient 1.0")
    }

    /// Ends the recording.
    ///
    /// - Returns: Why the recording is incomplete; nil if it is complete, or if it is full, which is only printed.
    func close() -> CommandFailure? {
        defer { recorder.close() }
        switch recorder.status {
        case .recording, .closed: return nil
        case .full:
            complain("\(path) reached its size limit; the recording ends before the session")
            return nil
        case .failed(let reason):
            return CommandFailure(.inputOutput, "\(path) is incomplete: \(reason); free space and try again")
        }
    }
}

/// Prints problems of a run. Of messages with the same text, it prints the first few and counts the rest. Thread-safe.
final class Complaints: Sendable {
    /// How many messages with the same text are printed.
    private static let shown = 3

    private let messages = Locked(RepeatedMessages(shown: shown))

    /// Prints a line, unless the limit for its text is reached.
    func say(_ line: String) {
        if messages.withLock({ $0.admits(line) }) { StandardError.say(line) }
    }

    /// Prints the counts of the messages that were not printed.
    func sayRest() {
        for line in messages.withLock({ $0.takeRest() }) { StandardError.say(line) }
    }
}
