internal import Foundation
package import GitHubClient
internal import TrackingCore

/// Runs the app on this process's terminal.
///
/// The app's life cycle follows the terminal: the app becomes active when it is shown and enters the background when it
/// is left, including with Ctrl-Z, which returns the terminal to the shell until the app is in the foreground again.
package struct BrowserRun {
    /// Why the run ended.
    package enum Ending: Sendable {
        /// The user left the app.
        case left
        /// A signal arrived, or the terminal was closed.
        case interrupted
    }

    private let app: HeadlessApp
    private let terminal: RawTerminal
    private var browser: Browser
    private var parser = KeyParser()

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - app: A started app that shows no screen yet.
    ///   - terminal: Not changed before ``run()``.
    ///   - asksConsent: Whether the first screen asks a user who has not answered for consent.
    package init(app: HeadlessApp, terminal: RawTerminal, asksConsent: Bool) {
        self.app = app
        self.terminal = terminal
        browser = Browser(app: app, size: terminal.size, asksConsent: asksConsent)
    }

    /// Shows the app until the user leaves it. In every case, the terminal is restored and the app is in the background
    /// at the end.
    ///
    /// - Throws: ``TerminalError``, `cannotSetUp`; `LogFileError`, `cannotWrite`; `EventLogError` if the user's answer
    ///   about consent cannot be stored.
    package mutating func run() async throws -> Ending {
        let (inputs, receive) = AsyncStream.makeStream(of: TerminalInput.self)
        let changes = app.environment.repository.store.subscribe { _ in receive.yield(.changed) }
        defer { changes.cancel() }
        TerminalReader.start(signals: TerminalSignals.listen()) { receive.yield($0) }

        app.take(.becameActive)
        defer { app.take(.enteredBackground) }
        app.take(.opened(.repositorySearch))
        defer { terminal.giveBack() }
        try terminal.takeOver()
        try terminal.show(browser.draw())
        for await input in inputs {
            if let ending = try await take(input) { return ending }
            try terminal.show(browser.draw())
        }
        return .interrupted
    }

    /// - Returns: The ending that the input causes; nil if the run continues.
    private mutating func take(_ input: TerminalInput) async throws -> Ending? {
        switch input {
        case .changed: break
        case .bytes(let bytes):
            for key in parser.keys(in: bytes) {
                if let ending = try await press(key) { return ending }
            }
        case .signal(SIGTSTP): try await pause()
        // Another program may have changed the terminal's modes.
        case .signal(SIGCONT): try terminal.takeOver()
        case .signal(SIGWINCH): browser.size = terminal.size
        case .signal(let number): if TerminalSignals.ends.contains(number) { return .interrupted }
        case .ended: return .interrupted
        }
        return nil
    }

    private mutating func press(_ key: Key) async throws -> Ending? {
        switch key {
        case .interrupt: return .interrupted
        case .suspend: try await pause()
        case _ where browser.isAskingConsent:
            if let choice = browser.consent(key) { try await app.environment.tracking.setConsent(choice) }
            if key == .text("q") { return .left }
        default: if !browser.press(key) { return .left }
        }
        return nil
    }

    /// Returns the terminal to the shell until the app is in the foreground again.
    private mutating func pause() async throws {
        app.take(.enteredBackground)
        await app.environment.tracking.flush()
        terminal.giveBack()
        TerminalSignals.stop()
        app.take(.becameActive)
        browser.size = terminal.size
        try terminal.takeOver()
    }
}
