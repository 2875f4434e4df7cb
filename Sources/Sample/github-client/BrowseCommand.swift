import ArgumentParser
import CommandSupport
import Foundation
import GitHubClient
import GitHubTerminal
import Primitives
import Tracking
import TrackingCore

/// The sample app on this terminal.
struct BrowseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Shows the app on this terminal: search, scroll, open. What you do is tracked.",
        discussion: """
            EXAMPLES
              github-client browse --out browsed
              github-client browse --out browsed --api https://api.github.com
              trackctl tail -f browsed/events.sqlite            in another terminal, at the same time

            Events go to DIR/events.sqlite; on background, every 30 seconds and at the end they are flushed to \
            DIR/events.jsonl. Starting is launch, leaving is background; Ctrl-Z is background, and fg launch again.

            Exit codes: 0 done, 64 usage or no terminal, 65 data at fault, 66 no such input, 74 cannot read or write, \
            75 the log is in use, 130 ended by a signal.
            """)

    @Option(name: .customLong("out"), help: "The folder to write to; made if it isn't there.")
    var directory: String

    @Option(help: "The server to ask: GitHub's, or one that answers like it. Default: a small list, no network.")
    var api: String?

    @Option(help: "What searches find without --api, as for play. Default: a small list.")
    var repositories: String?

    @OptionGroup var delivery: CollectorOptions

    func validate() throws {
        guard api == nil || repositories == nil else {
            throw ValidationError("--api and --repositories both say what searches find: leave out one.")
        }
    }

    func run() async throws {
        try await Failures.reported {
            let session = try session()
            let collector = try delivery.sink()
            // Before anything is written: without a terminal nothing of a run is left behind.
            let terminal = try RawTerminal()
            let output = try await BrowserOutput(folder: OutputFolder(path: directory), collector: collector)
            let app = HeadlessApp(environment: GitHubEnvironment(base: output.environment, session: session))
            let ending: Result<BrowserRun.Ending, any Error>
            do {
                var run = BrowserRun(app: app, terminal: terminal)
                ending = .success(try await run.run())
            } catch {
                ending = .failure(error)
            }
            try await output.finish()
            if case .interrupted = try ending.get() { throw CommandFailure(.interrupted, "ended by a signal") }
        }
    }

    private func session() throws -> any HTTPSession {
        guard let api else { return try Inputs(activity: nil, repositories: repositories).catalogue() }
        guard let session = NetworkSession(server: api) else {
            throw CommandFailure(.usage, "'\(api)' is no address of a server: give one such as http://127.0.0.1:8080")
        }
        return session
    }
}

/// Where a person's events go: a tracker as an app starts it, with the app's routes around it.
struct BrowserOutput {
    let environment: TrackingEnvironment<GitHubRoute>
    private let notes: Notes

    /// Starts the tracker, and waits until its log is open: a person is told why it can't be, rather than tracked in vain.
    ///
    /// - Parameter collector: Gets the same events as the file.
    /// - Throws: ``/EventLog/EventLogError``; ``CommandFailure``, `dataAtFault`, for an identity that cannot be read.
    init(folder: OutputFolder, collector: (any Sink)?) async throws {
        let notes = Notes()
        self.notes = notes
        let storage: FileKeyValueStorage
        do {
            storage = try FileKeyValueStorage(path: folder.identity)
        } catch {
            throw CommandFailure(
                .dataError, "\(folder.identity) cannot be read: remove it to start as another user")
        }
        let tracker = Tracker.start(
            .file(rotation: .never), collector.map { .sink($0) } ?? .logOnly, folder: folder.path, storage: storage,
            context: TrackingContext(app: "GitHubClient 1.0", os: nil), diagnostics: { notes.add($0.message) })
        try await tracker.flushToDisk()
        environment = TrackingEnvironment(tracker)
    }

    /// Delivers everything, closes the log, and says what went wrong while the screen had no place for it.
    ///
    /// - Throws: ``/EventLog/EventLogError``.
    func finish() async throws {
        await environment.tracking.flush()
        for note in notes.all { complain(note) }
        try await environment.tracking.close()
    }
}

/// What is to be said at the end, each once.
private final class Notes: Sendable {
    /// More than a person reads.
    private static let limit = 20

    private let texts = Locked<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) {
        texts.withLock { if $0.count < Self.limit, !$0.contains(text) { $0.append(text) } }
    }
}
