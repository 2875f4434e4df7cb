import EventLog
import GitHubClient
import GitHubTerminal
import Testing
import TrackingCore
import TrackingTesting

/// The effects of keys, and the resulting screens. `GitHubClientTests` asserts what the app fires, `ScreenTests` the same on
/// a real terminal.
@Suite("The app on a terminal")
struct BrowserTests {
    let recorder = TrackingRecorder(exhaustivity: .off)
    let catalogue: RepositoryCatalogue
    let app: HeadlessApp
    var browser: Browser

    init() throws {
        let names = ["flux", "flux-検索-größe", "flux\u{1B}[2J"] + (4...30).map { "flux-\($0)" }
        catalogue = try RepositoryCatalogue(
            lines: names.enumerated().map { index, name in
                let name = name.replacing("\u{1B}", with: #"\u001b"#)
                return Array(
                    #"{"id":\#(index + 1),"name":"\#(name)","html_url":"https://github.com/one/\#(index + 1)"}"#.utf8)
            })
        app = HeadlessApp(
            environment: GitHubEnvironment(base: .mock(recording: recorder), session: catalogue))
        browser = Browser(app: app, size: ScreenSize(rows: 10, columns: 60))
        app.take(.opened(.repositorySearch))
        _ = browser.draw()
    }

    /// The current screen.
    var screen: Screen { mutating get { browser.draw() } }

    /// Presses a key without drawing.
    mutating func stays(_ key: Key) -> Bool { browser.press(key) }

    /// Presses keys, and draws after each.
    mutating func press(_ keys: [Key]) {
        for key in keys {
            #expect(stays(key))
            _ = screen
        }
    }

    /// The names in the visible rows of the list.
    var names: [String] {
        mutating get {
            screen.lines[3...6].map { line in
                String(line.text.prefix { $0 != "h" }.reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    /// Searches for a text, from any screen.
    mutating func search(_ text: String) {
        if screen.cursor == nil { press([.text("/")]) }
        press([.clear] + text.map { .text($0) } + [.enter])
    }

    @Test("the first screen asks for a text and shows the cursor")
    mutating func start() {
        #expect(
            screen.text == """
                GitHub repositories
                Search





                \("")
                Type a search term and press Enter
                Enter search  Down list  Ctrl-U clear  Ctrl-C quit
                """)
        #expect(screen.cursor?.row == 1)
        #expect(screen.cursor?.column == 8)
        press([.text("検"), .text("x")])
        #expect(screen.cursor?.column == 11)
    }

    @Test("asked for consent, the user answers first; the question is not repeated")
    mutating func consent() async throws {
        browser = Browser(app: app, size: ScreenSize(rows: 6, columns: 60), asksConsent: true)
        #expect(
            screen.text == """
                GitHub repositories

                May this app record which screens you use and what you sear…

                y yes  n no  q quit

                """)
        #expect(screen.cursor == nil)
        #expect(browser.isAskingConsent)
        #expect([Key.text("y"), .text("n"), .text("x"), .enter].map(browser.consent) == [.granted, .denied, nil, nil])
        try await app.environment.tracking.setConsent(.denied)
        #expect(!browser.isAskingConsent)
        #expect(screen.lines[1].text == "Search  ")
    }

    @Test("results fill the screen; wide names stay aligned, and control characters are escaped")
    mutating func results() {
        search("flux")
        #expect(
            screen.text == """
                GitHub repositories
                Search  flux

                > flux                  https://github.com/one/1
                  flux-検索-größe       https://github.com/one/2
                  flux\\u{1b}[2J         https://github.com/one/3
                  flux-4                https://github.com/one/4

                20 repositories, page 2 of 2 follows
                Up Down End  Enter open  / search  r retry  n notification …
                """)
        #expect(screen.cursor == nil)
    }

    @Test("selecting a row below the last line scrolls, and the end of the list loads the next page")
    mutating func scrolling() {
        search("flux")
        press([.pageDown])
        #expect(names == ["  flux-検索-größe", "  flux\\u{1b}[2J", "  flux-4", "> flux-5"])
        press([.end])
        #expect(names == ["  flux-17", "  flux-18", "  flux-19", "> flux-20"])
        #expect(screen.lines[8].text == "30 repositories, no more")
        press([.home, .up])
        #expect(names == ["  flux", "  flux-検索-größe", "  flux\\u{1b}[2J", "  flux-4"])
        #expect(screen.cursor != nil)
    }

    @Test("a row opens its page, and back restores the list's position")
    mutating func detail() {
        search("flux")
        press([.down, .enter])
        #expect(
            screen.text.hasPrefix(
                "flux-検索-größe\n\nhttps://github.com/one/2\n\nb back  n notification  q quit\n"))
        press([.escape])
        #expect(screen.lines[4].text.hasPrefix("> flux-検索"))
    }

    @Test("the second of two quick taps goes to the list, not to the opened page")
    mutating func quickTaps() {
        search("flux")
        #expect(stays(.enter))
        #expect(stays(.enter))
        #expect(app.stack.count == 2)
    }

    @Test("q is a letter in the search field, and quits elsewhere")
    mutating func leaving() {
        press([.text("q")])
        #expect(screen.lines[1].text == "Search  q")
        press([.tab])
        #expect(!stays(.text("q")))
        search("flux")
        press([.enter])
        #expect(!stays(.text("q")))
    }

    @Test("the end of a long text is visible, and wide lines are cut")
    mutating func narrow() {
        search("flux")
        press([.text("/")] + "abcdefghijklmnopqrst".map { .text($0) })
        browser.size = ScreenSize(rows: 10, columns: 20)
        #expect(screen.lines[1].text == "Search  jklmnopqrst")
        #expect(screen.lines.allSatisfy { $0.text.count <= 20 })
        browser.size = ScreenSize(rows: 1, columns: 1)
        #expect(screen.lines.map(\.text) == ["…"])
    }

    @Test("a failed request is shown with the retry key")
    mutating func failure() {
        catalogue.failNextRequest()
        search("flux")
        #expect(screen.lines[8].text == "Request failed: the connection was lost; press r to retry")
        #expect(screen.lines[8].style == .alert)
        press([.text("r")])
        #expect(screen.lines[8].text == "20 repositories, page 2 of 2 follows")
    }

    @Test("a pending request is shown")
    mutating func loading() {
        catalogue.holdAnswers()
        search("flux")
        #expect(screen.lines[8].text == "Loading…")
        catalogue.releaseAnswers()
        catalogue.holdAnswers()
        press([.end])
        #expect(screen.lines[8].text == "20 repositories, loading more…")
        catalogue.releaseAnswers()
        #expect(screen.lines[8].text == "30 repositories, no more")
        search("nothing like it")
        #expect(screen.lines[8].text == "No repositories found")
    }

    @Test("a notification is about the selected row, and its page loads the address")
    mutating func notification() {
        search("flux")
        press([.down])
        catalogue.holdAnswers()
        press([.text("n")])
        #expect(screen.text.hasPrefix("Repository 2\n\nLoading its address…\n"))
        catalogue.releaseAnswers()
        #expect(screen.text.hasPrefix("flux-検索-größe\n\nhttps://github.com/one/2\n"))
    }
}

extension Screen {
    /// The lines as text, without trailing spaces.
    fileprivate var text: String {
        lines.map { line in String(line.text.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
    }
}
