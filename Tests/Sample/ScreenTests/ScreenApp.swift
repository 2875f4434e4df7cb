import CommandRunner
import Foundation
import Testing

/// The built app on a terminal of 24 lines, with a server that the test controls. Tests inspect the screen and the app's
/// log.
final class ScreenApp {
    let server: RepositoryServer
    private let program: TerminalProgram
    private let folder: TemporaryFolder
    private let log: WatchedLog
    /// All events that the test expected so far.
    private var expected: [FiredLine] = []

    /// Starts the app, and waits until its search screen is shown and tracked.
    init(location: SourceLocation = #_sourceLocation) async throws {
        server = try RepositoryServer()
        folder = try TemporaryFolder()
        log = WatchedLog(folder: folder.path)
        program = try TerminalProgram(
            CommandLocation.path(of: "github-client"), ["browse", "--out", folder.path, "--api", server.address],
            rows: 24, columns: 80)
        try await shows("Type a search term")
        try await fires(.launch, .searchPage, location: location)
    }

    /// Presses keys, one after another.
    func press(_ keys: TerminalKey...) throws { try program.type(keys.map(\.bytes).joined()) }

    /// Waits until the screen shows a text.
    func shows(_ text: String) async throws {
        _ = try await program.screen.value("'\(text)'") { $0.description.contains(text) }
    }

    /// Waits until the screen shows a repository's page.
    func showsDetail() async throws { try await shows("b back  n notification  q quit") }

    /// The lines on the screen.
    var lines: [String] { program.screen.current.lines }

    /// Waits for events in the log: exactly these, in this order, right after the events that were expected before.
    func fires(_ events: FiredLine..., location: SourceLocation = #_sourceLocation) async throws {
        expected += events
        let found = try await log.events(atLeast: expected.count)
        #expect(found == expected.map(\.json), sourceLocation: location)
    }

    /// Searches for `flux`, and responds with the first page.
    func search(links: KeyValuePairs<String, Int> = [:], location: SourceLocation = #_sourceLocation) async throws {
        try press("flux", .enter)
        try await fires(.search("flux", page: 1), location: location)
        try await server.request().answer(ServedRepository.page(1, of: "flux"), links: links)
        try await shows("20 repositories")
    }

    /// Sends the app a signal, such as `SIGTERM`.
    func send(_ signal: Int32) { program.send(signal) }

    /// Resizes the terminal.
    func resize(rows: Int, columns: Int) throws { try program.resize(rows: rows, columns: columns) }

    /// Ends the app with Ctrl-C.
    func leave(location: SourceLocation = #_sourceLocation) async throws {
        try press(.ctrlC)
        try await ends(with: 130, location: location)
    }

    /// Waits for the app's end. Expects that it delivered the expected events and `background`, and restored the terminal.
    func ends(with code: Int32, location: SourceLocation = #_sourceLocation) async throws {
        #expect(try await program.exitCode() == code, sourceLocation: location)
        #expect(try log.delivered() == (expected + [.background]).map(\.json), sourceLocation: location)
        #expect(server.unexpected == 0, "a request that no rule expects", sourceLocation: location)
        _ = try await program.screen.value("the previous screen") { !$0.isAlternate && $0.showsCursor }
    }
}

/// A key as a terminal sends it; a literal is typed text.
struct TerminalKey: ExpressibleByStringLiteral, Sendable {
    let bytes: String

    init(stringLiteral text: String) { bytes = text }

    static let enter: Self = "\r"
    static let escape: Self = "\u{1B}"
    static let tab: Self = "\t"
    static let backspace: Self = "\u{7F}"
    static let ctrlC: Self = "\u{3}"
    static let ctrlU: Self = "\u{15}"
    static let ctrlZ: Self = "\u{1A}"
    static let down: Self = "\u{1B}[B"
    static let home: Self = "\u{1B}[H"
    static let end: Self = "\u{1B}[F"
}

extension Trait where Self == ConditionTrait {
    /// Runs screen tests only on an idle machine: next to a thousand other tests, a screen may not be drawn for minutes. `tools/run-tests`, and so
    /// `make test`, runs them after all others.
    static var ofScreens: ConditionTrait {
        .enabled(
            if: ProcessInfo.processInfo.environment["TRACKING_SCREEN_TESTS"] == "1",
            "TRACKING_SCREEN_TESTS=1 swift test --filter ScreenTests runs it; tools/run-tests does")
    }
}
