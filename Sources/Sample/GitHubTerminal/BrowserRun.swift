internal import Foundation
package import GitHubClient
internal import TrackingCore

/// The app on this process's terminal, from its start to its end.
///
/// The terminal's life is the app's: it becomes active when it is shown, and enters the background when it is left, also
/// with Ctrl-Z, which gives the terminal back until the shell brings the app to the foreground again.
package struct BrowserRun {
    /// Why it ended.
    package enum Ending: Sendable {
        /// The person left it.
        case left
        /// A signal came, or the terminal is gone.
        case interrupted
    }

    private let app: HeadlessApp
    private let terminal: RawTerminal
    private var browser: Browser
    private var parser = KeyParser()

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - app: Started, with nothing on the screen.
    ///   - terminal: Stays as it is until ``run()``.
    package init(app: HeadlessApp, terminal: RawTerminal) {
        self.app = app
        self.terminal = terminal
        browser = Browser(app: app, size: terminal.size)
    }

    /// Shows the app until it is left. However it ends, the terminal is as it was before, and the app in the background.
    ///
    /// - Throws: ``TerminalError``, `cannotSetUp`; `LogFileError`, `cannotWrite`.
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

    /// - Returns: How the run ends by it; nil if it goes on.
    private mutating func take(_ input: TerminalInput) async throws -> Ending? {
        switch input {
        case .changed: break
        case .bytes(let bytes):
            for key in parser.keys(in: bytes) {
                if let ending = try await press(key) { return ending }
            }
        case .signal(SIGTSTP): try await pause()
        // Whoever had the terminal meanwhile may have changed it.
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
        default: if !browser.press(key) { return .left }
        }
        return nil
    }

    /// Leaves the terminal to the shell until that brings the app back.
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
