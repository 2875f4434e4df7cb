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
        abstract: "Use the app on this terminal: search, scroll, open repositories. Your actions are tracked.",
        discussion: """
            EXAMPLES
              github-client browse --out browsed
              github-client browse --out browsed --api https://api.github.com
              trackctl tail -f browsed/events.sqlite            in another terminal, at the same time

            Events are stored in DIR/events.sqlite, and delivered to DIR/events.jsonl on background, every 30 seconds \
            and at the end. Starting and fg fire launch; quitting and Ctrl-Z fire background.

            With --ask-consent, events are delivered once you agree. If you decline, they are removed. The answer is \
            stored, so the next start with the same DIR does not ask again.

            Exit codes: 0 done, 64 usage or no terminal, 65 invalid data, 66 no such input, 74 cannot read or write, \
            75 the log is in use, 130 ended by a signal.
            """)

    @Option(name: .customLong("out"), help: "Output folder; created if missing.")
    var directory: String

    @Option(help: "URL of the GitHub API or a compatible server. Default: a small list, without network.")
    var api: String?

    @Option(help: "Repositories to search without --api, as in play. Default: a small list.")
    var repositories: String?

    @Flag(help: "Ask for consent on the first screen.")
    var askConsent = false

    @OptionGroup var delivery: CollectorOptions

    func validate() throws {
        guard api == nil || repositories == nil else {
            throw ValidationError("--api and --repositories cannot be combined; leave out one")
        }
    }

    func run() async throws {
        try await Failures.reported {
            let session = try session()
            let collector = try delivery.sink()
            // Before any file is written: without a terminal, the run leaves nothing behind.
            let terminal = try RawTerminal()
            let output = try await BrowserOutput(
                folder: OutputFolder(path: directory), collector: collector, consent: askConsent ? .required : .assumed)
            let app = HeadlessApp(environment: GitHubEnvironment(base: output.environment, session: session))
            let ending: Result<BrowserRun.Ending, any Error>
            do {
                var run = BrowserRun(app: app, terminal: terminal, asksConsent: askConsent)
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
            throw CommandFailure(.usage, "invalid address '\(api)' for --api; pass a URL such as http://127.0.0.1:8080")
        }
        return session
    }
}

/// The output of a session: a tracker like an app's, with the app's routes.
struct BrowserOutput {
    let environment: TrackingEnvironment<GitHubRoute>
    private let notes: Notes

    /// Starts the tracker and waits until its log is open, so that the user sees an error before any event is lost.
    ///
    /// - Parameters:
    ///   - collector: Receives the same events as the file.
    ///   - consent: The policy for a user who has not answered.
    /// - Throws: ``/EventLog/EventLogError``; ``CommandFailure``, `dataError`, for an unreadable identity.
    init(folder: OutputFolder, collector: (any Sink)?, consent: ConsentPolicy) async throws {
        let notes = Notes()
        self.notes = notes
        let storage: FileKeyValueStorage
        do {
            storage = try FileKeyValueStorage(path: folder.identity)
        } catch {
            throw CommandFailure(
                .dataError, "cannot read \(folder.identity); remove it to start as another user")
        }
        let tracker = Tracker.start(
            .file(rotation: .never), collector.map { .sink($0) } ?? .logOnly,
            configuration: TrackingConfiguration(folder: folder.path, consent: consent) {
                $0.storage = storage
                $0.context = TrackingContext(app: "GitHubClient 1.0", os: nil)
            },
            diagnostics: { notes.add($0.message) })
        try await tracker.flushToDisk()
        environment = TrackingEnvironment(tracker)
    }

    /// Delivers all events, closes the log, and prints the problems that occurred while the app used the screen.
    ///
    /// - Throws: ``/EventLog/EventLogError``.
    func finish() async throws {
        await environment.tracking.flush()
        for note in notes.all { complain(note) }
        try await environment.tracking.close()
    }
}

/// The messages to print at the end, without duplicates.
private final class Notes: Sendable {
    /// The maximum number of messages.
    private static let limit = 20

    private let texts = Locked<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) {
        texts.withLock { if $0.count < Self.limit, !$0.contains(text) { $0.append(text) } }
    }
}
