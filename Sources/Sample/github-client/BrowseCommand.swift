import ArgumentParser
import CommandSupport
import EventLog
import EventModel
import Foundation
import GitHubClient
import GitHubTerminal
import Tracking

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

    func validate() throws {
        guard api == nil || repositories == nil else {
            throw ValidationError("--api and --repositories both say what searches find: leave out one.")
        }
    }

    func run() async throws {
        try await Failures.reported {
            let session = try session()
            // Before anything is written: without a terminal nothing of a run is left behind.
            let terminal = try RawTerminal()
            let output = try BrowserOutput(folder: OutputFolder(path: directory))
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
